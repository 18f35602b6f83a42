/**
 * A turn that another process has left waiting: what is known of it goes on to count, and its end is like any other.
 */
import { describe, expect, it, vi } from 'vitest'
import { createAgent } from '../../src/actors/agent.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { script } from '../../src/testing/script.ts'
import { settle, virtualClock } from '../../src/testing/virtual-clock.ts'
import { deferred } from '../support/deferred.ts'
import { atRest, first, next } from '../sessions/kept-rig.ts'
import { sent } from './approval-rig.ts'
import { ofType, rig } from './rig.ts'
import { SlowLog } from './slow-log.ts'

const HEADER = { id: 's1', formatVersion: 1, createdAt: 0 } as const

/** One that has failed once with 3 tokens and then asks about `c1`; a message of 2 tokens. */
const asksAfterFailure = () =>
  first({
    calls: [[script.usage({ totalTokens: 3 }), script.fail('SERVER')], 'text "hm" + call c1 p'],
    gates: { requestError: () => ({ action: 'retry' }) },
  })

const outcomes = (made: { agent: Parameters<typeof ofType>[0] }): string[] =>
  ofType(made.agent, 'tool/result').map(({ data: { outcome } }) =>
    outcome.kind === 'denied' ? `${outcome.by}: ${outcome.reason}` : outcome.kind,
  )

describe('a turn that is taken over', () => {
  it.each([
    [5, 'budget: the turn has used up its tokens (5 of 5)'],
    [6, 'ok'],
  ])(
    'has used what its attempts have used: with a budget of %d it is %s',
    async (maxTurnTokens, outcome) => {
      const dead = await asksAfterFailure()
      const life = await next(dead.agent.log.read(), { maxTurnTokens })
      for (const { call } of life.agent.approvals.open) life.agent.approve(call.key, 'allow')
      await life.agent.whenIdle()
      expect(outcomes(life)).toEqual([outcome])
      await atRest(life)
    },
  )

  it('has used nothing of what turns before it have used', async () => {
    const dead = await sent({
      calls: ['text "one"', 'call c1 p'],
      own: 'always',
      keepApprovals: true,
      log: createMemoryLog({ header: HEADER }),
    })
    dead.agent.followup('more')
    await settle()
    const life = await next(dead.agent.log.read(), { maxTurnTokens: 3 })
    life.agent.approve('c1', 'allow')
    await life.agent.whenIdle()
    expect(outcomes(life)).toEqual(['ok'])
    await atRest(life)
  })

  it.each([null, 7, 'x', { turn: 1 }])(
    'goes on beside an event of others that holds %j',
    async (data) => {
      const dead = await first()
      const foreign = { seq: dead.agent.log.length, time: 0, type: 'acme/note', data }
      const life = await next([...dead.agent.log.read(), foreign as unknown as StoredEvent])
      life.agent.approve('c1', 'allow')
      await life.agent.whenIdle()
      expect(life.ends()).toEqual(['turn/end 1 completed'])
      await atRest(life)
    },
  )

  it('of which an answer was cut stays cut', async () => {
    const dead = await first({
      calls: ['text "cut", finish length', 'call c1 p'],
      gates: { continuation: ({ step }) => (step === 1 ? 'continue' : 'default') },
    })
    const life = await next(dead.agent.log.read())
    life.agent.approve('c1', 'allow')
    await life.agent.whenIdle()
    expect(life.ends()).toEqual(['turn/end 1 max-tokens'])
    await atRest(life)
  })

  it('and not cut is completed', async () => {
    const life = await next((await first()).agent.log.read())
    life.agent.approve('c1', 'allow')
    await life.agent.whenIdle()
    expect(life.ends()).toEqual(['turn/end 1 completed'])
    await atRest(life)
  })

  it('tells the model of a denial without a word as the first process would have', async () => {
    const dead = await first({ calls: ['call c1 p + call c2 p'] })
    dead.agent.approve('c2', 'deny', { by: 'ann' })
    const life = await next(dead.agent.log.read())
    life.agent.approve('c1', 'allow')
    await life.agent.whenIdle()
    expect(outcomes(life)).toEqual(['ok', 'ann: not approved'])
    await atRest(life)
  })

  it('watches the time of questions that have one, and of no others', async () => {
    const clock = virtualClock({ now: 0 })
    const after = vi.spyOn(clock, 'after')
    const plain = await next((await first()).agent.log.read(), { clock, streamIdleMs: 0 })
    expect(after).not.toHaveBeenCalled()
    const timed = await next(
      (await first({ own: { prompt: 'Sure?', expiresMs: 100 } })).agent.log.read(),
    )
    expect(timed.agent.approvals.open[0]?.question).toMatchObject({ prompt: 'Sure?' })
    await timed.clock.advance(100)
    expect(outcomes(timed)[0]).toBe('turnwise: nobody answered in time')
    for (const life of [plain, timed]) {
      life.agent.cancel()
      await atRest(life)
    }
  })

  it('is over when its end is durable', async () => {
    const dead = await first()
    const log = new SlowLog([...dead.agent.log.read()])
    const life = await next([], { log })
    life.agent.approve('c1', 'deny')
    await settle(10)
    for (let i = 0; log.at(log.length - 1)?.type !== 'turn/end' && i < 9; i += 1) {
      log.release()
      await settle(10)
    }
    expect([life.ends(), life.agent.status]).toEqual([['turn/end 1 completed'], 'running'])
    log.heal()
    await atRest(life)
  })
})

describe('an agent that has just taken a turn over', () => {
  it('may be suspended in the same tick, and writes nothing but that it was there', async () => {
    const dead = await first()
    dead.agent.followup('more')
    const log = createMemoryLog({ header: HEADER, events: [...dead.agent.log.read()] })
    const { agent, trace, diagnostics } = rig({ log, keepApprovals: true })
    expect(agent.status).toBe('running')
    const { length } = log
    await agent.dispose({ keepInbox: true })
    expect(log.length).toBe(length)
    expect(trace.slice(-3)).toEqual(['status idle', 'status disposed', 'agent/disposed'])
    expect(diagnostics).toEqual([])
  })

  it('later leaves what waits behind it as it is, too', async () => {
    const dead = await first()
    dead.agent.followup('more')
    const { length } = dead.agent.log
    await dead.agent.dispose({ keepInbox: true })
    expect(dead.agent.log.length).toBe(length)
  })

  it('is told nothing more once it is gone', async () => {
    const warn = vi.spyOn(console, 'warn')
    const dead = await first()
    const log = createMemoryLog({ header: HEADER, events: [...dead.agent.log.read()] })
    const { promise: startAfter, resolve: start } = deferred<void>()
    const agent = createAgent({ log, keepApprovals: true, residence: { startAfter } })
    await agent.dispose({ keepInbox: true })
    start()
    await settle()
    expect([warn.mock.calls, agent.status]).toEqual([[], 'disposed'])
    warn.mockRestore()
  })
})
