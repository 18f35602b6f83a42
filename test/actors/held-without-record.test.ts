/**
 * What goes on, and what is told, where the log refuses to record what a cancel or an agent at rest asks of it.
 */
import { describe, expect, it } from 'vitest'
import { refusing } from './refusing-log.ts'
import { finish, ofType, rig, say } from './rig.ts'

const told = ({ diagnostics }: Pick<ReturnType<typeof rig>, 'diagnostics'>) =>
  diagnostics.map(({ kind, message }) => [kind, message])

it('what goes back after a cancel that lets it go on runs, though a later one holds the rest without a record', async () => {
  const made = rig({ log: refusing('inbox/discarded'), model: ['text "again"'] })
  made.agent.followup(say('A'))
  made.agent.followup(say('B'))
  made.agent.abort('user', { restoreClaimed: true })
  expect(made.agent.cancel('user', { resume: true })).toStrictEqual({
    effect: 'discarded',
    discarded: [],
  })
  expect(told(made)).toEqual([['append', 'disk full']])
  await made.agent.whenIdle()
  expect(ofType(made.agent, 'inbox/claimed').map(({ data }) => data)).toEqual([
    { turn: 1, nextStep: [], nextTurn: ['A'] },
    { turn: 2, nextStep: [], nextTurn: ['A'] },
  ])
  expect(made.agent.parked).toEqual({ reason: 'cancel', ids: ['B'] })
  await finish(made.agent)
})

describe('an injection whose turn will not open', () => {
  it.each([
    ['waits as plain context', 0, ['X'], []],
    ['is lost where the log refuses it, which is told', 1, [], [['append', 'disk full']]],
  ] as const)('%s', async (_, refusals, left, faults) => {
    const made = rig({ log: refusing('inbox/inserted', refusals) })
    const leave = made.agent.listen((notice) => {
      if (notice.type !== 'status') return
      leave()
      void made.agent.dispose({ keepInbox: true })
    })
    made.agent.inject(say('X'), { turn: true })
    await made.agent.dispose()
    expect(told(made)).toEqual(faults)
    expect(ofType(made.agent, 'inbox/inserted').map(({ data }) => data)).toEqual(
      left.map((id) => ({
        target: 'next-step',
        index: 0,
        message: expect.objectContaining({ id }),
        wake: false,
        actor: 'caller',
      })),
    )
  })
})

it('turns without a request count anew when the agent runs again, also with waking work behind them', async () => {
  const { agent } = rig({
    gates: { preStep: () => ({ kind: 'reject', reason: 'no' }) },
    maxBarrenTurns: 2,
  })
  agent.followup(say('A'))
  await agent.whenIdle()
  agent.followup(say('B'))
  agent.followup(say('C'))
  agent.followup(say('D'))
  await agent.whenIdle()
  expect(ofType(agent, 'turn/end').map(({ data }) => [data.turn, data.parks])).toEqual([
    [1, undefined],
    [2, undefined],
    [3, 'loop'],
  ])
  expect(agent.parked).toEqual({ reason: 'loop', ids: ['D'] })
  await finish(agent)
})

describe('a contained fault', () => {
  it('is told to all that listen, once', async () => {
    const made = rig({ log: refusing('turn/start') })
    made.agent.followup(say('A'))
    await made.agent.whenIdle()
    expect(told(made)).toEqual([['append', 'disk full']])
    expect(made.trace.filter((line) => line.startsWith('diagnostic'))).toEqual([
      'diagnostic append',
    ])
    await finish(made.agent)
  })

  it('of a listener is told to diagnostics alone: listeners would hear of themselves for ever', async () => {
    const made = rig()
    made.agent.listen(() => {
      throw new Error('bad listener')
    })
    made.agent.inject(say('X'))
    expect(told(made)).toEqual([['listener', 'bad listener']])
    expect(made.trace).toEqual(['inbox next-step @0 +["X" <plugin>]', 'inserted X'])
    await finish(made.agent)
  })

  it('harms nobody where whoever is told of it throws', async () => {
    const { agent, trace } = rig({
      log: refusing('turn/start'),
      onDiagnostic: () => {
        throw new Error('bad listener of diagnostics')
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect([agent.status, trace.at(-1)]).toEqual(['idle', 'status idle'])
    await agent.dispose()
  })
})
