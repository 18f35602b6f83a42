/**
 * Faults that the seeded simulation found at the ends of turns and on refusing logs, each named by its reason.
 *
 * @module
 */
import { describe, expect, it } from 'vitest'
import { agentOf, firstOf, on, refusing, say, types } from './fuzz-regression-rig.ts'

describe('the end of a turn', () => {
  it('a cancel of the turn/end observer discards the queue and leaves the finished turn alone', async () => {
    const signals: AbortSignal[] = []
    const { agent, log } = agentOf({
      gates: {
        preStep(at, next) {
          signals.push(at.signal)
          return next()
        },
      },
    })
    on(log, 'turn/end', () => agent.cancel())
    agent.followup(say('A'))
    agent.followup(say('B'))
    await agent.whenIdle()
    expect(signals.map((signal) => signal.aborted)).toEqual([false])
    expect(log.read().filter((event) => event.type === 'turn/start')).toHaveLength(1)
    expect(log.read().at(-1)).toMatchObject({
      type: 'cancel/requested',
      data: { turn: null, discarded: ['B'] },
    })
    expect(agent.parked).toBeNull()
  })

  it('what an abort restores stands in the log with the turn end, so that a cancel there finds it', async () => {
    const { agent, log } = agentOf()
    on(log, 'turn/end', () => agent.cancel())
    agent.followup(say('A'))
    agent.abort('user', { restoreClaimed: true })
    await agent.whenIdle()
    const end = log.read().findIndex((event) => event.type === 'turn/end')
    expect(log.at(end + 1)).toMatchObject({ type: 'inbox/inserted', data: { mark: 'restored' } })
    expect(log.read().filter((event) => event.type === 'turn/start')).toHaveLength(1)
    expect(agent.inbox.nextTurn).toEqual([])
  })

  it('a later cancel that lets nothing go on parks what an earlier abort restores', async () => {
    const { agent, log } = agentOf()
    agent.followup(say('A'))
    agent.abort('user', { restoreClaimed: true })
    agent.cancel('user', { keepInbox: true })
    await agent.whenIdle()
    expect(log.read().filter((event) => event.type === 'turn/start')).toHaveLength(1)
    expect(agent.parked).toEqual({ reason: 'cancel', ids: ['A'] })
    agent.followup(say('B'))
    await agent.whenIdle()
    expect(agent.inbox.nextTurn).toEqual([])
  })

  it('the same holds where the log refuses to record the abort', async () => {
    const { agent, log } = agentOf({ log: refusing(firstOf('cancel/requested')) })
    agent.followup(say('A'))
    agent.abort('user', { restoreClaimed: true })
    agent.cancel('user', { keepInbox: true })
    await agent.whenIdle()
    expect(log.read().filter((event) => event.type === 'turn/start')).toHaveLength(1)
    expect(agent.parked?.ids).toEqual(['A'])
  })

  it('a message that goes back late finds its place in the list as it is then', async () => {
    const { agent, log } = agentOf({
      onDiagnostic({ message }) {
        if (message.includes('not in use')) agent.inbox.remove('A')
      },
    })
    on(log, 'turn/start', () => agent.steer(say('A')))
    agent.inject(say('A'), { turn: true })
    await agent.whenIdle()
    expect(agent.inbox.nextStep.map((entry) => entry.message.id)).toEqual(['A'])
  })

  it('the yield of a cut turn does not hurry the next one', async () => {
    const { agent, log } = agentOf()
    let since = { passed: 0 }
    let before = -1
    log.observe((event) => {
      if (event.type === 'step/start') before = since.passed
      if (event.type !== 'inbox/claimed') return
      const own = { passed: 0 }
      since = own
      queueMicrotask(() => {
        own.passed += 1
        queueMicrotask(() => {
          own.passed += 1
        })
      })
    })
    agent.followup('A')
    agent.cancel()
    agent.followup('B')
    await agent.whenIdle()
    expect(before).toBe(2)
  })
})

describe('injection turns', () => {
  it('the message of an injection is kept where the log refuses to open its turn', async () => {
    const { agent } = agentOf({ log: refusing(firstOf('turn/start')) })
    agent.inject(say('A'), { turn: true })
    await agent.whenIdle()
    expect(agent.inbox.nextStep.map((entry) => entry.message.id)).toEqual(['A'])
  })

  it('a cancel in the running notification opens no injection turn and discards its message', async () => {
    const { agent, log } = agentOf()
    agent.listen((notice) => {
      if (notice.type === 'status' && notice.status === 'running') agent.cancel()
    })
    agent.inject(say('A'), { turn: true })
    await agent.whenIdle()
    expect(types(log)).toEqual(['inbox/inserted', 'inbox/discarded', 'cancel/requested'])
  })
})

describe('a log that refuses', () => {
  it('a cancel before a refused turn/start is answered names no turn and still discards', async () => {
    let told = 0
    const { agent, log } = agentOf({
      log: refusing(firstOf('turn/start')),
      onDiagnostic() {
        told += 1
        if (told === 1) agent.cancel()
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(types(log)).toEqual(['inbox/inserted', 'inbox/discarded', 'cancel/requested'])
    expect(log.read().at(-1)).toMatchObject({ data: { turn: null, discarded: ['A'] } })
  })

  it('what is parked without a record follows its messages', async () => {
    const { agent } = agentOf({ log: refusing(firstOf('turn/start')) })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(agent.parked).toEqual({ reason: 'log', ids: ['A'] })
    agent.inbox.replace('A', say('B'))
    expect(agent.parked).toEqual({ reason: 'log', ids: ['B'] })
    agent.inbox.remove('B')
    expect(agent.parked).toBeNull()
  })
})

describe('a replacement of the history that nobody waits for', () => {
  it('ends as aborted before the turn of its gate does', async () => {
    let asked: Promise<boolean> | undefined
    const { agent, log } = agentOf({
      gates: {
        preStep(_, next) {
          if (agent.log.ledger.lastTurn === 2)
            asked = agent.compact({ from: 0, to: 5 }, () => new Promise(() => {}))
          return next()
        },
      },
    })
    agent.followup('A')
    await agent.whenIdle()
    agent.followup('B')
    await agent.whenIdle()
    expect(asked).toBeInstanceOf(Promise)
    const ends = types(log).filter((type) => type === 'compaction/end' || type === 'turn/end')
    expect(ends).toEqual(['turn/end', 'compaction/end', 'turn/end'])
  })

  it('is refused while another one is under way', async () => {
    const asked: Promise<boolean>[] = []
    const { agent, log } = agentOf({
      gates: {
        async preStep(_, next) {
          if (agent.log.ledger.lastTurn === 2)
            for (const to of [4, 5]) asked.push(agent.compact({ from: 0, to }, () => 'summed up'))
          await Promise.allSettled(asked)
          return next()
        },
      },
    })
    agent.followup('A')
    await agent.whenIdle()
    agent.followup('B')
    await agent.whenIdle()
    const settled = await Promise.allSettled(asked)
    expect(settled).toMatchObject([
      { status: 'fulfilled', value: true },
      { status: 'rejected', reason: { code: 'AGENT_BUSY' } },
    ])
    expect(types(log).filter((type) => type.startsWith('compaction/'))).toEqual([
      'compaction/start',
      'compaction/summary',
      'compaction/end',
    ])
  })
})
