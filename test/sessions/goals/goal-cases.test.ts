/** Goals: the cases of the contract by their ids, and what section 25 says beside them. */
import { expect, test } from 'vitest'
import {
  atRest,
  ends,
  goalRig,
  type GoalRig,
  linesOf,
  sent,
  setOff,
  standing,
  watchedLog,
} from './rig.ts'

test('GO-01 rounds are admitted one by one at idle until the cap, each behind a checkpoint; then the goal is blocked with round-limit', async () => {
  const order: string[] = []
  const log = watchedLog({
    onFlush: () => {
      order.push('checkpoint')
      return undefined
    },
  })
  const rig = goalRig(['text x10'], { maxGoalRounds: 3, log })
  rig.agent.listen((notice) => {
    if (notice.type === 'inserted')
      order.push(`round ${JSON.stringify(notice.message.source['round'])}`)
    if (notice.type === 'status') order.push(notice.status)
  })
  setOff(rig)
  await rig.agent.whenIdle()
  expect(standing(rig)).toEqual({ phase: 'blocked', code: 'round-limit', started: 3, armed: false })
  expect(sent(rig)).toEqual(['1@1', '2@1', '3@1'])
  expect(order).toEqual([
    ...[1, 2, 3].flatMap((n) => ['checkpoint', `round ${n}`, 'running', 'idle']),
    'checkpoint',
  ])
  await atRest(rig)
  expect(rig.model.requests).toHaveLength(3)
})

test('GO-02 the next round is derived from the durable goal: completed in a round, there is no further one', async () => {
  const rig = goalRig(['call c1 complete_goal', 'text "done"', 'text "never"'])
  setOff(rig)
  await atRest(rig)
  expect(sent(rig)).toEqual(['1@1'])
  expect(standing(rig)).toEqual({ phase: 'complete', started: 1, armed: false })
})

test('GO-03 a gate behind the fence edits the goal: the round of the old revision is turned away, one of the new follows', async () => {
  let edited = false
  const rig: GoalRig = goalRig(['text x1'], {
    maxGoalRounds: 1,
    gates: {
      preStep(_question, next) {
        if (!edited) rig.goal.edit('Reach it better.')
        edited = true
        return next()
      },
    },
  })
  setOff(rig)
  await atRest(rig)
  expect(sent(rig)).toEqual(['1@1', '1@2'])
  expect(ends(rig)).toEqual(['blocked', 'completed'])
  expect(linesOf(rig.agent.log).filter((line) => line.startsWith('step/start'))).toEqual([
    'step/start 2.1',
  ])
})

test('GO-03 an edit before the other gates are asked turns the round away as well: they are not asked', async () => {
  let asked = 0
  const rig = goalRig(['text x1'], {
    maxGoalRounds: 1,
    gates: {
      preStep(_question, next) {
        asked += 1
        return next()
      },
    },
  })
  let edited = false
  rig.agent.listen((notice) => {
    if (notice.type !== 'claimed' || edited) return
    edited = true
    rig.goal.edit('Reach it better.')
  })
  setOff(rig)
  await atRest(rig)
  expect(ends(rig)).toEqual(['blocked', 'completed'])
  expect(asked).toBe(1)
})

test('GO-04 human work queued behind a reservation makes it stale: it runs first, then a fresh round', async () => {
  const rig = goalRig(['text x2'], { maxGoalRounds: 1 })
  let queued = false
  rig.agent.subscribe({}, ({ type, data }) => {
    if (type !== 'inbox/inserted' || data.message.source.kind !== 'goal' || queued) return
    queued = true
    rig.agent.followup('H')
  })
  setOff(rig)
  await atRest(rig)
  expect(ends(rig)).toEqual(['blocked', 'completed', 'completed'])
  expect(rig.model.requests[0]?.history).toEqual(['user:H'])
  expect(sent(rig)).toEqual(['1@1', '1@1'])
})

test.each([
  ['from the running listener', 'running'],
  ['while preStep waits', 'preStep'],
  ['while the model streams', 'streaming'],
])(
  'GO-06 a cancel of its round %s pauses the goal at idle, and nothing is tried again',
  async (_name, at) => {
    const rig: GoalRig = goalRig(['hang "x"', 'text "again"'], {
      maxGoalRounds: 1,
      gates:
        at === 'preStep'
          ? {
              preStep: (question, next) =>
                question.turn === 1
                  ? new Promise((resolve) => {
                      rig.agent.cancel('user')
                      resolve(next())
                    })
                  : next(),
            }
          : {},
    })
    let done = false
    rig.agent.listen((notice) => {
      if (at !== 'running' || notice.type !== 'status' || done) return
      done = true
      rig.agent.cancel('user')
    })
    rig.agent.subscribe({}, ({ type }) => {
      if (at !== 'streaming' || type !== 'assistant/chunk') return
      rig.agent.cancel('user')
    })
    setOff(rig)
    await atRest(rig)
    expect(standing(rig)).toMatchObject({ phase: 'paused', code: 'cancelled', armed: false })
    expect(sent(rig)).toHaveLength(1)
    expect(rig.agent.inbox.nextTurn).toEqual([])
  },
)

test('GO-06 a paused goal goes on when it is resumed', async () => {
  const rig = goalRig(['hang "x"', 'text "again"'], { maxGoalRounds: 2 })
  const chunked = rig.agent.subscribe({}, ({ type }) => {
    if (type !== 'assistant/chunk') return
    rig.agent.cancel('user')
  })
  setOff(rig)
  await atRest(rig)
  chunked()
  rig.goal.resume()
  await atRest(rig)
  expect(sent(rig)).toEqual(['1@1', '2@3'])
  expect(standing(rig)).toMatchObject({ phase: 'blocked', code: 'round-limit' })
})

test('GO-06 a cancel that keeps the inbox pauses too, and its round is withdrawn', async () => {
  const rig = goalRig(['text "never"'])
  let done = false
  rig.agent.listen((notice) => {
    if (notice.type !== 'status' || done) return
    done = true
    rig.agent.cancel('user', { keepInbox: true })
  })
  setOff(rig)
  await atRest(rig)
  expect(standing(rig)).toMatchObject({ phase: 'paused', armed: false })
  expect(rig.agent.inbox.nextTurn).toEqual([])
  expect(rig.model.requests).toEqual([])
})

test('GO-06 a queued round that is removed by hand pauses the goal', async () => {
  const rig = goalRig(['text "never"'])
  rig.agent.listen((notice) => {
    if (notice.type === 'inserted') rig.agent.inbox.remove(notice.message.id)
  })
  setOff(rig)
  await atRest(rig)
  expect(standing(rig)).toMatchObject({ phase: 'paused', armed: false })
  expect(sent(rig)).toHaveLength(1)
})

test('GO-07 a human turn that is cancelled disarms: the phase stays active', async () => {
  const rig = goalRig(['hang "x"', 'text "never"'])
  rig.agent.followup('H')
  setOff(rig)
  rig.agent.subscribe({}, ({ type }) => {
    if (type === 'assistant/chunk') rig.agent.cancel('user')
  })
  await atRest(rig)
  expect(standing(rig)).toMatchObject({ phase: 'active', armed: false })
  expect(sent(rig)).toEqual([])
  expect(rig.goal.disarmed).toBe('aborted')
})

test.each([
  ['errors', 'error SERVER', 'error'],
  ['hits max-tokens', 'text "x" finishing max-tokens', 'max-tokens'],
])('GO-07 a round that %s disarms: the phase stays active', async (_name, entry, why) => {
  const rig = goalRig([entry, 'text "never"'])
  setOff(rig)
  await atRest(rig)
  expect(standing(rig)).toMatchObject({ phase: 'active', armed: false })
  expect(rig.goal.disarmed).toBe(why)
  expect(sent(rig)).toHaveLength(1)
})

test('GO-07 a checkpoint that rejects disarms: no round is sent', async () => {
  const log = watchedLog({ onFlush: () => Promise.reject(new Error('store broke')) })
  const rig = goalRig(['text "never"'], { log })
  setOff(rig)
  await atRest(rig)
  expect(standing(rig)).toMatchObject({ phase: 'active', armed: false })
  expect(rig.goal.disarmed).toBe('checkpoint')
  expect(sent(rig)).toEqual([])
  expect(rig.diagnostics).toEqual(['store broke'])
})

test('GO-07 an error notification disarms, also where no turn opened', async () => {
  let refusing = false
  const log = watchedLog({ refuses: (type) => refusing && type === 'turn/start' })
  const rig = goalRig(['text "never"'], { log })
  rig.goal.set('Reach it.')
  refusing = true
  rig.goal.arm()
  await rig.agent.whenIdle()
  expect(standing(rig)).toMatchObject({ phase: 'active', armed: false })
  expect(rig.goal.disarmed).toBe('error')
})
