/**
 * What a cancel answers and records, where nothing, something or everything is left for it to do.
 */
import { describe, expect, it } from 'vitest'
import type { Agent, CancelOptions, CancelReceipt } from '../../src/actors/agent-handle.ts'
import type { Cause } from '../../src/events/message.ts'
import { doorOf } from '../../src/actors/service-door.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { inside, none, requests } from './cancel-rig.ts'
import { finish, ofType, type Rig, rig, say } from './rig.ts'

const finished: CancelReceipt = { ...none, code: 'TURN_FINISHED' }

const KEPT: CancelOptions = { keepInbox: true }

describe('a cancel of an idle agent', () => {
  it.each<[CancelOptions, CancelReceipt]>([
    [{}, none],
    [KEPT, none],
    [{ turn: 0 }, finished],
    [{ turn: 5 }, finished],
  ])('with %j and nothing pending answers %j, and writes nothing', async (options, receipt) => {
    const { agent } = rig()
    expect(agent.cancel('user', options)).toStrictEqual(receipt)
    expect(agent.log.length).toBe(0)
    await finish(agent)
  })

  it.each<[CancelOptions, CancelReceipt]>([
    [{}, { effect: 'discarded', discarded: ['A', 'B'] }],
    [{ resume: true }, { effect: 'discarded', discarded: ['A', 'B'] }],
    [KEPT, none],
    [{ turn: 5 }, finished],
  ])('with %j and pending input answers %j', async (options, receipt) => {
    const { agent } = rig()
    agent.inbox.append('next-turn', say('B'))
    agent.inbox.append('next-step', say('A'))
    expect(agent.cancel('user', options)).toStrictEqual(receipt)
    expect(agent.log.length).toBe(receipt.effect === 'none' ? 2 : 4)
    await finish(agent)
  })

  it('records who asked for what, and why', async () => {
    const made = rig()
    made.agent.inbox.append('next-turn', say('A'))
    made.agent.cancel({ kind: 'hook', why: 'late' }, { actor: 'ann' })
    expect(ofType(made.agent, 'inbox/discarded').map(({ data }) => data)).toStrictEqual([
      { ids: ['A'], reason: 'cleared', actor: 'ann' },
    ])
    expect(requests(made)).toStrictEqual([
      {
        cause: { kind: 'hook', why: 'late' },
        actor: 'ann',
        keepInbox: false,
        resume: false,
        turn: null,
        discarded: ['A'],
      },
    ])
    await finish(made.agent)
  })
})

describe('a cancel of what runs', () => {
  it('names the turn; the second one has nothing left to do', async () => {
    const made = await inside()
    expect(made.agent.cancel()).toStrictEqual({ effect: 'aborted', discarded: [], turn: 1 })
    expect(made.agent.cancel()).toStrictEqual(none)
    expect(requests(made)).toStrictEqual([
      {
        cause: { kind: 'user' },
        actor: 'caller',
        keepInbox: false,
        resume: false,
        turn: 1,
        discarded: [],
      },
    ])
    await made.clock.advance(10_000)
    await finish(made.agent)
  })

  it('that is an abort without a word keeps the queue going', async () => {
    const made = await inside()
    expect(made.agent.abort()).toStrictEqual({ effect: 'aborted', discarded: [], turn: 1 })
    expect(requests(made)[0]).toStrictEqual({
      cause: { kind: 'user' },
      actor: 'caller',
      keepInbox: true,
      resume: true,
      turn: 1,
      discarded: [],
    })
    await made.clock.advance(10_000)
    await finish(made.agent)
  })

  it('that is maintenance names no turn', async () => {
    const { agent } = rig()
    const task = agent.runMaintenance(
      (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            resolve(signal.reason)
          })
        }),
    )
    await settle()
    expect(agent.cancel('user')).toStrictEqual({ effect: 'aborted', discarded: [] })
    expect(await task).toStrictEqual({ kind: 'user' })
    await finish(agent)
  })
})

/** What the call that `cancel` makes answers in a callback of the second turn: at its start, and behind its end. */
async function inTurnTwo(cancel: (agent: Agent) => CancelReceipt): Promise<CancelReceipt[]> {
  const { agent } = rig({ model: ['text "one"', 'text "two"'] })
  const receipts: CancelReceipt[] = []
  agent.subscribe({}, ({ type, data }) => {
    if (type === 'turn/start' && data.turn === 2) receipts.push(cancel(agent))
  })
  agent.listen((notice) => {
    if (notice.type === 'status' && notice.status === 'idle') receipts.push(cancel(agent))
  })
  agent.followup(say('A'))
  agent.followup(say('B'))
  await agent.whenIdle()
  await finish(agent)
  return receipts
}

it.each<[number | undefined, readonly CancelReceipt[]]>([
  [1, [finished, finished]],
  [2, [{ effect: 'queued', discarded: [] }, finished]],
  [
    3,
    [
      { effect: 'queued', discarded: [] },
      { effect: 'queued', discarded: [] },
    ],
  ],
  [
    undefined,
    [
      { effect: 'queued', discarded: [] },
      { effect: 'queued', discarded: [] },
    ],
  ],
])(
  'a cancel of turn %s in callbacks of turn 2 is answered at once only if it is of the past',
  async (turn, receipts) => {
    const options = turn === undefined ? {} : { turn }
    expect(await inTurnTwo((agent) => agent.cancel('user', options))).toStrictEqual(receipts)
  },
)

describe('services hear of a cancel', () => {
  it.each<[string, () => Promise<Rig>, CancelOptions, readonly Cause[]]>([
    ['that hits a turn', inside, {}, [{ kind: 'user' }]],
    ['that hits a turn and keeps the inbox', inside, KEPT, [{ kind: 'user' }]],
    ['of an idle agent', () => Promise.resolve(rig()), {}, [{ kind: 'user' }]],
    ['but not of one that hits nothing and keeps all', () => Promise.resolve(rig()), KEPT, []],
    ['and not of one that is aimed elsewhere', inside, { turn: 7 }, []],
  ])('%s', async (_, make, options, heard) => {
    const { agent, clock } = await make()
    const causes: Cause[] = []
    const leave = doorOf(agent).onCancel((cause) => causes.push(cause))
    agent.cancel('user', options)
    leave()
    expect(causes).toStrictEqual(heard)
    agent.cancel()
    await clock.advance(10_000)
    await finish(agent)
  })
})
