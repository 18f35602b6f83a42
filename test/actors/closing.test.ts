/**
 * The end of a turn: one group with what goes back, written again when the log refuses it, never written twice.
 */
import { describe, expect, it } from 'vitest'
import type { EventType } from '../../src/events/event.ts'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, rig, type RigOptions, say } from './rig.ts'

/** A log that refuses the first `times` appends of a type. */
function refusing(type: EventType, times: number) {
  let left = times
  return createMemoryLog({
    id: 'refusing',
    intercept: (event) => {
      if (event.type !== type || left === 0) return
      left -= 1
      throw new Error('disk full')
    },
  })
}

/** The log without its first lines, which insert and claim. */
const later = (log: readonly string[]): string[] => log.slice(3)

describe('what an abort gives back', () => {
  it('stands in the log before the observer of turn/end is told', async () => {
    const { agent } = rig({ model: ['text "never"'] })
    const seen: (string | undefined)[] = []
    agent.subscribe({}, ({ type, seq }) => {
      if (type === 'turn/end') seen.push(agent.log.at(seq + 1)?.type)
    })
    agent.followup(say('A'))
    agent.cancel('user', { restoreClaimed: true })
    await agent.whenIdle()
    expect(seen).toEqual(['inbox/inserted'])
    expect(agent.inbox.nextTurn.map(({ message, wake, mark }) => [message.id, wake, mark])).toEqual(
      [['A', true, 'restored']],
    )
    expect(agent.parked).toEqual({ reason: 'cancel', ids: ['A'] })
    await finish(agent)
  })

  it('is found by a cancel from that observer', async () => {
    const { agent, ends } = rig({ model: ['text "never"'] })
    agent.subscribe({}, ({ type }) => {
      if (type === 'turn/end') agent.cancel()
    })
    agent.followup(say('A'))
    agent.abort('user', { restoreClaimed: true })
    await agent.whenIdle()
    expect(agent.inbox.nextTurn).toEqual([])
    expect(ends()).toHaveLength(1)
    await finish(agent)
  })

  it('keeps the order in which it was taken, in front of what came later', async () => {
    const { agent } = rig({ model: ['text "never"'], claim: 'all' })
    agent.inbox.append('next-turn', say('A'))
    agent.inbox.append('next-turn', say('B'))
    agent.followup(say('C'))
    agent.followup(say('D'))
    agent.cancel('user', { restoreClaimed: true })
    await agent.whenIdle()
    expect(agent.inbox.nextTurn.map(({ message }) => message.id)).toEqual(['A', 'B', 'C', 'D'])
    await finish(agent)
  })

  it('does not go back once a step was entered', async () => {
    const { agent } = rig({ model: ['hang "half"'] })
    agent.followup(say('A'))
    await settle()
    agent.cancel('user', { restoreClaimed: true })
    await agent.whenIdle()
    expect(agent.inbox.nextTurn).toEqual([])
    await finish(agent)
  })
})

/** How often a gate that rejects and gives back is asked; it stops giving back before it could ask for ever. */
async function rejections(options: RigOptions): Promise<[asked: number, pending: string[]]> {
  let asked = 0
  const { agent } = rig({
    model: ['text "never"'],
    gates: {
      preStep: ({ batch }) => {
        asked += 1
        const restore = asked > 20 ? [] : batch.map(({ id }) => id)
        return { kind: 'reject', reason: 'not yet', restore }
      },
    },
    ...options,
  })
  agent.followup(say('A'))
  await agent.whenIdle()
  const pending = agent.inbox.nextTurn.map(({ message }) => message.id)
  await finish(agent)
  return [asked, pending]
}

describe('what a rejecting gate gives back', () => {
  it('goes on by itself until too many turns were barren', async () => {
    expect(await rejections({ maxBarrenTurns: 3 })).toEqual([3, ['A']])
  })

  it('waits where nothing goes on after a rejection', async () => {
    expect(await rejections({ continueAfter: { blocked: false } })).toEqual([1, ['A']])
  })
})

describe('a turn/end that the log refuses', () => {
  it('once is announced and written again as an error', async () => {
    const { agent, log, trace } = rig({ log: refusing('turn/end', 1), model: ['text "one"'] })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(later(log()).slice(-1)).toEqual(['turn/end 1 error:UNKNOWN "disk full"'])
    expect(trace.filter((line) => line.startsWith('error'))).toEqual([
      'error 1.1 UNKNOWN: disk full',
    ])
    await finish(agent)
  })

  it('of an aborted turn is written again without an announcement', async () => {
    const { agent, ends, trace } = rig({ log: refusing('turn/end', 1), model: ['text "never"'] })
    agent.followup(say('A'))
    agent.cancel()
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 aborted:user uncommitted ["A"]'])
    expect(trace.filter((line) => line.startsWith('error'))).toEqual([])
    await finish(agent)
  })

  it('twice leaves the turn open until the next one, which first closes it as interrupted', async () => {
    const { agent, ends } = rig({
      log: refusing('turn/end', 2),
      model: ['text "one"', 'text "two"'],
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect([agent.status, ends()]).toEqual(['idle', []])
    agent.followup(say('B'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 interrupted', 'turn/end 2 completed'])
    await finish(agent)
  })

  it('twice leaves the turn open until the log heals: disposal closes it as interrupted', async () => {
    const { agent, ends } = rig({ log: refusing('turn/end', 2), model: ['text "one"'] })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual([])
    await agent.dispose()
    expect(ends()).toEqual(['turn/end 1 interrupted'])
  })

  it('for good leaves the turn to repair, and the agent is disposed all the same', async () => {
    const { agent, ends } = rig({ log: refusing('turn/end', Infinity), model: ['text "one"'] })
    agent.followup(say('A'))
    await agent.whenIdle()
    await agent.dispose()
    expect([agent.status, ends()]).toEqual(['disposed', []])
  })
})

describe('a turn that the log refuses to open', () => {
  it('claims nothing, is announced outside of any turn, and parks the queue until the next wake', async () => {
    const { agent, log, trace } = rig({
      log: refusing('turn/start', 1),
      model: ['text "one"', 'text "two"'],
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(log()).toEqual(['inbox next-turn @0 +["A"]'])
    expect(trace).toContain('error 0.0 UNKNOWN: disk full')
    expect(agent.parked).toEqual({ reason: 'log', ids: ['A'] })
    agent.followup(say('B'))
    await agent.whenIdle()
    expect(agent.parked).toBeNull()
    expect(log().filter((line) => line.startsWith('turn/end'))).toHaveLength(2)
    await finish(agent)
  })

  it('with a refused claim errs, loses nothing, and parks the queue', async () => {
    const { agent, ends } = rig({ log: refusing('inbox/claimed', 1), model: ['text "one"'] })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 error:UNKNOWN "disk full"'])
    expect(agent.parked).toEqual({ reason: 'log', ids: ['A'] })
    await finish(agent)
  })
})
