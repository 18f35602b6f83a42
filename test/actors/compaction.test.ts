/**
 * A replacement of the history and what may come across it: refusals of the log, aborts, the end of its activity.
 */
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { Agent, Summarize } from '../../src/actors/agent-handle.ts'
import type { EventType } from '../../src/events/event.ts'
import { printRequest } from '../../src/testing/print-request.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { deferred } from '../support/deferred.ts'
import { refusing } from './refusing-log.ts'
import { finish, ofType, type Rig, rig, type RigOptions, say } from './rig.ts'

/** The range of all that stands in the log now. */
const all = ({ log }: Agent) => ({ from: 0, to: log.length - 1 })
const short: Summarize = () => 'short'

const compactions = ({ log }: Rig): string[] =>
  log().filter((line) => line.startsWith('compaction'))
const COMPLETED = [
  'compaction/start -',
  'compaction/summary - "short" <plugin>',
  'compaction/end - completed',
]

/** An agent with one turn behind it. */
async function spoken(options: RigOptions = {}): Promise<Rig> {
  const made = rig({ model: ['text "one"', 'text "two"', 'text "three"'], ...options })
  made.agent.followup(say('A'))
  await made.agent.whenIdle()
  return made
}

describe('a replacement', () => {
  it('is told the entries that it replaces, frozen, and cites them', async () => {
    const made = await spoken()
    const seen: string[] = []
    const done = await made.agent.compact(all(made.agent), (entries) => {
      seen.push(...printRequest(entries), String(Object.isFrozen(entries)))
      return 'short'
    })
    expect(done).toBe(true)
    expect(seen).toEqual(['user:A', 'assistant:one', 'true'])
    const [message] = ofType(made.agent, 'user/message')
    const [answer] = ofType(made.agent, 'assistant/message')
    const [summary] = ofType(made.agent, 'compaction/summary')
    expect(summary?.cites).toEqual([message?.seq, answer?.seq])
    expect(summary?.data.message.source).toEqual({ kind: 'plugin', plugin: 'compaction' })
    expect(compactions(made)).toEqual(COMPLETED)
    await finish(made.agent)
  })

  it('leaves no listener at the signal that it was given', async () => {
    const made = await spoken()
    const given: AbortSignal[] = []
    await made.agent.compact(all(made.agent), (_, signal) => {
      given.push(signal)
      return 'short'
    })
    expect(given.map((signal) => getEventListeners(signal, 'abort'))).toEqual([[]])
    await finish(made.agent)
  })

  it('of a range in which nothing stands is not begun', async () => {
    const made = await spoken()
    expect(await made.agent.compact({ from: 0, to: 0 }, short)).toBe(false)
    expect(compactions(made)).toEqual([])
    await finish(made.agent)
  })

  it('may follow another one in the same maintenance, but not run beside it', async () => {
    const made = await spoken()
    const gate = deferred<string>()
    await made.agent.runMaintenance(async () => {
      const first = made.agent.compact(all(made.agent), () => gate.promise)
      await expect(made.agent.compact(all(made.agent), short)).rejects.toMatchObject({
        code: 'AGENT_BUSY',
        summary: `expected no other replacement of the history of agent ${made.agent.id} under way, found one; nothing was begun. Wait for it.`,
      })
      gate.resolve('short')
      expect(await first).toBe(true)
      expect(await made.agent.compact(all(made.agent), short)).toBe(true)
    })
    expect(compactions(made)).toEqual([...COMPLETED, ...COMPLETED])
    await finish(made.agent)
  })
})

describe('what the log refuses', () => {
  it.each<[EventType, string[]]>([
    ['compaction/start', []],
    ['compaction/summary', ['compaction/start -', 'compaction/end - failed']],
  ])('is what the caller is told: %s', async (type, left) => {
    const made = await spoken({ log: refusing(type) })
    await expect(made.agent.compact(all(made.agent), short)).rejects.toMatchObject({
      message: 'disk full',
    })
    expect(compactions(made)).toEqual(left)
    expect(await made.agent.compact(all(made.agent), short)).toBe(true)
    expect(compactions(made)).toEqual([...left, ...COMPLETED])
    await finish(made.agent)
  })
})

describe('an abort', () => {
  const ABORTED = ['compaction/start -', 'compaction/end - aborted']

  it('ends it once, though its summary fails later', async () => {
    const made = await spoken()
    const gate = deferred<string>()
    const done = made.agent.compact(all(made.agent), () => gate.promise)
    await settle()
    made.agent.cancel()
    gate.reject(new Error('too late'))
    await expect(done).rejects.toMatchObject({ message: 'too late' })
    expect([compactions(made), made.diagnostics]).toEqual([ABORTED, []])
    await finish(made.agent)
  })

  it('in the observer of its summary comes too late', async () => {
    const made = await spoken()
    made.agent.subscribe({}, ({ type }) => {
      if (type === 'compaction/summary') made.agent.cancel()
    })
    expect(await made.agent.compact(all(made.agent), short)).toBe(true)
    expect([compactions(made), made.diagnostics]).toEqual([COMPLETED, []])
    await finish(made.agent)
  })

  it('of a turn ends what its gate replaces once, before the turn', async () => {
    const gate = deferred<string>()
    let done: Promise<boolean> | undefined
    const made = rig({
      model: ['text "one"', 'text "two"'],
      gates: {
        preStep: async ({ turn }, next) => {
          if (turn === 2) await (done = made.agent.compact(all(made.agent), () => gate.promise))
          return next()
        },
      },
    })
    for (const text of ['A', 'B']) {
      made.agent.followup(say(text))
      await settle()
    }
    made.agent.cancel()
    await made.agent.whenIdle()
    gate.resolve('late')
    expect(await done).toBe(false)
    expect(made.log().slice(-4)).toEqual([
      'compaction/start 2',
      expect.stringContaining('cancel/requested'),
      'compaction/end 2 aborted',
      expect.stringContaining('turn/end 2 aborted'),
    ])
    expect(made.diagnostics).toEqual([])
    await finish(made.agent)
  })
})

describe('the end of its activity', () => {
  it('aborts what a gate did not wait for, and what comes later changes nothing', async () => {
    const gate = deferred<string>()
    let done: Promise<boolean> | undefined
    const made = rig({
      model: ['text "one"'],
      gates: {
        continuation: () => {
          done = made.agent.compact(all(made.agent), () => gate.promise)
          return 'default'
        },
      },
    })
    made.agent.followup(say('A'))
    await made.agent.whenIdle()
    gate.resolve('late')
    expect(await done).toBe(false)
    expect(compactions(made)).toEqual(['compaction/start 1', 'compaction/end 1 aborted'])
    expect(ofType(made.agent, 'compaction/end').map(({ data }) => data)).toStrictEqual([
      { turn: 1, range: { from: 0, to: expect.any(Number) }, outcome: 'aborted' },
    ])
    expect(made.diagnostics).toEqual([])
    await finish(made.agent)
  })
})

describe('a gate that outlives its turn', () => {
  it.each([
    ['while nothing is under way', false],
    ['when another turn begins at that moment', true],
  ])('replaces nothing %s', async (_, wakes) => {
    const over = deferred<void>()
    let done: Promise<boolean> | undefined
    const made = rig({
      model: ['text "one"', 'text "two"'],
      gates: {
        preStep: async ({ turn }, next) => {
          if (turn !== 2) return next()
          await over.promise
          done = made.agent.compact(all(made.agent), short)
          if (wakes) made.agent.followup(say('C'))
          await settle()
          return next()
        },
      },
    })
    made.agent.followup(say('A'))
    await made.agent.whenIdle()
    made.agent.followup(say('B'))
    await settle()
    made.agent.cancel()
    await made.agent.whenIdle()
    over.resolve()
    await settle()
    expect(await done).toBe(false)
    expect(compactions(made)).toEqual([])
    await finish(made.agent)
  })
})
