/** `play` is the short way to a test of one's own agent. */
import { expect, test } from 'vitest'
import { play } from '../../src/testing/play.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'

test('commands are played at their moments, and the log is printed', async () => {
  const { log, requests, statuses } = await play(
    { model: scriptedModel(['hang "partial"', 'text "two"']) },
    ['followup A', 'model streaming: cancel user', 'followup B'],
  )
  expect(log).toEqual([
    'inbox next-turn @0 +["A"]',
    'turn/start 1',
    'inbox next-turn @0 -1 claimed',
    'step/start 1.1',
    'user/message "A"',
    'cancel/requested user 1',
    'assistant/message 1.1 "partial" [interrupted]',
    'step/end 1.1',
    'turn/end 1 aborted:user',
    'inbox next-turn @0 +["B"]',
    'turn/start 2',
    'inbox next-turn @0 -1 claimed',
    'step/start 2.1',
    'user/message "B"',
    'assistant/message 2.1 "two"',
    'step/end 2.1',
    'turn/end 2 completed',
  ])
  expect(requests).toEqual([['user:A'], ['user:A', 'assistant:partial', 'user:B']])
  expect(statuses).toEqual(['running', 'idle', 'running', 'idle'])
})

test('gates and tools are those of the caller, and time is virtual', async () => {
  const delays: number[] = []
  const { log, clock } = await play(
    {
      model: scriptedModel(['error SERVER', 'text "ok"']),
      retry: { baseMs: 1000, jitter: 0 },
      gates: {
        requestError(question, next) {
          delays.push(question.attempt)
          return next()
        },
      },
    },
    ['followup A'],
  )
  expect(delays).toEqual([1])
  expect(log).toContain('request/failed 1.1 #1 SERVER retry +1000ms')
  expect(log.at(-1)).toBe('turn/end 1 completed')
  expect(clock.timers).toBe(0)
})

test('a command that nobody can read is refused before anything runs', async () => {
  await expect(play({ model: scriptedModel([]) }, ['followup A', 'compact it'])).rejects.toThrow(
    'compact it',
  )
})

test('a moment that never comes is an error, not a silent pass', async () => {
  const played = play({ model: scriptedModel(['text "one"']) }, [
    'followup A',
    'inside error listener: cancel user',
  ])
  await expect(played).rejects.toThrow('never came')
})
