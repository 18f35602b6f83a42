/**
 * How attempts of a step end and follow each other: refused, silent, cut, repeated.
 */
import { describe, expect, it, vi } from 'vitest'
import { settle } from '../../src/testing/virtual-clock.ts'
import { modelOf, pushed, start, stop, text } from './pushed-model.ts'
import { refusing } from './refusing-log.ts'
import { finish, ofType, rig, say } from './rig.ts'

const usage = { inputTokens: 4, outputTokens: 6, totalTokens: 10 }
const told = { kind: 'usage', usage } as const

it('what the log refuses of a broken stream is the failure of the turn, and no other is recorded', async () => {
  const { model, push, end } = pushed()
  const { agent, ends } = rig({
    model,
    log: refusing('assistant/chunk'),
    chunks: { policy: 'coalesce', everyMs: 10 ** 6 },
  })
  agent.followup(say('A'))
  await push(text('half'))
  await end()
  await agent.whenIdle()
  expect(ends()).toEqual(['turn/end 1 error:UNKNOWN "disk full"'])
  expect(ofType(agent, 'request/failed')).toEqual([])
  await finish(agent)
})

describe('a failed attempt', () => {
  it.each<[string, object[], object]>([
    ['nothing', [], {}],
    ['the usage that was told', [told], { usage }],
  ])('is recorded with %s', async (_, chunks, more) => {
    const { model, push } = pushed()
    const { agent } = rig({ model })
    agent.followup(say('A'))
    const failure = { code: 'AUTH', message: 'no key' }
    await push(...chunks, { kind: 'finish', reason: 'error', failure })
    await agent.whenIdle()
    expect(ofType(agent, 'request/failed').map(({ data }) => data)).toStrictEqual([
      { turn: 1, step: 1, attempt: 1, provider: 'p', failure, action: 'fail', delayMs: 0, ...more },
    ])
    await finish(agent)
  })

  it('that fell silent ends once, though its stream ends later: its tokens count once', async () => {
    let asked = 0
    const model = modelOf(async function* (_, { signal }) {
      asked += 1
      yield told
      if (asked === 1) {
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve)
        })
      }
      yield stop
    })
    const { agent, clock, ends } = rig({
      model,
      streamIdleMs: 100,
      maxTurnTokens: 20,
      gates: {
        requestError: async () => {
          await settle()
          return { action: 'retry' as const }
        },
      },
    })
    agent.followup(say('A'))
    await clock.advance(100)
    await settle(10)
    expect(ends()).toEqual(['turn/end 1 completed'])
    expect(asked).toBe(2)
    await finish(agent)
  })

  it('is not composed again when the turn is cancelled before a repetition without a delay', async () => {
    const list = vi.fn<() => []>(() => [])
    const { agent, ends } = rig({
      model: ['error SERVER', 'text "never"'],
      tools: { list },
      retry: { baseMs: 0 },
    })
    agent.subscribe({}, ({ type }) => {
      if (type !== 'request/failed') return
      void Promise.resolve().then(() => {
        list.mockClear()
        agent.cancel()
      })
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    await settle()
    expect(ends()).toEqual(['turn/end 1 aborted:user'])
    expect(list).not.toHaveBeenCalled()
    await finish(agent)
  })
})

it('silence is measured from the last chunk, not from the last look', async () => {
  const { model, push } = pushed()
  const { agent, clock, ends } = rig({ model, streamIdleMs: 100 })
  agent.followup(say('A'))
  await clock.advance(60)
  await push(start)
  await clock.advance(99)
  expect(ends()).toEqual([])
  expect(clock.due).toEqual([160])
  await clock.advance(1)
  expect(ends()).toEqual([expect.stringContaining('error:TIMEOUT')])
  await finish(agent)
})

it('a stream that ended by itself is not closed', async () => {
  const { model, end, closed } = pushed()
  const { agent, ends } = rig({ model })
  agent.followup(say('A'))
  await settle()
  await end()
  await agent.whenIdle()
  expect(ends()).toEqual([expect.stringContaining('error:TRANSPORT')])
  expect(closed()).toBe(0)
  await finish(agent)
})

describe('a stream that goes on after an abort', () => {
  it('is closed when the grace is over, and no timer of it is left', async () => {
    const { model, push, closed } = pushed()
    const { agent, clock, ends } = rig({ model, drainGraceMs: 500 })
    agent.followup(say('A'))
    await push(start, text('half'))
    agent.cancel()
    await clock.advance(500)
    expect(ends()).toEqual(['turn/end 1 aborted:user'])
    expect([closed(), clock.timers]).toEqual([1, 0])
    await finish(agent)
  })

  it('is waited for without a timer where the grace has no end', async () => {
    const { model, push, end } = pushed()
    const { agent, clock, ends } = rig({ model, streamIdleMs: 0, drainGraceMs: Infinity })
    const after = vi.spyOn(clock, 'after')
    agent.followup(say('A'))
    await push(start)
    agent.cancel()
    await settle()
    expect(after).not.toHaveBeenCalled()
    await end()
    expect(ends()).toEqual(['turn/end 1 aborted:user'])
    await finish(agent)
  })
})
