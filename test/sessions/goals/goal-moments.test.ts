/** Goals at every moment: whatever comes between, an armed goal goes on, and a resumed one comes to its end. */
import { expect, test } from 'vitest'
import { createGoals } from '../../../src/sessions/goals/goals.ts'
import { settle } from '../../../src/testing/virtual-clock.ts'
import { atRest, goalRig, type GoalRig, setOff, standing, watchedLog } from './rig.ts'

/** Microtasks that two rounds take, and some more. */
const MOMENTS = 40

const microtasks = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await Promise.resolve()
}

const END = { phase: 'blocked', code: 'round-limit', started: 2 }

const ACTS: Readonly<Record<string, (rig: GoalRig) => unknown>> = {
  'a cancel': ({ agent }) => agent.cancel('user'),
  'an abort': ({ agent }) => agent.abort('user'),
  'a cancel that keeps the inbox': ({ agent }) => agent.cancel('user', { keepInbox: true }),
  'a cancel that restores': ({ agent }) => agent.cancel('user', { restoreClaimed: true }),
  'a prompt': ({ agent }) => agent.followup('H'),
  'a steering message': ({ agent }) => agent.steer('S'),
  'an edit': ({ goal }) => goal.edit('Reach it better.'),
  'a pause and a resume': ({ goal }) => {
    goal.pause()
    goal.resume()
  },
  'another goal': ({ goal }) => {
    goal.set('Reach another one.', { id: 'g2' })
    goal.arm()
  },
}

test.each(Object.entries(ACTS))('%s at any moment strands no goal', async (_name, act) => {
  for (let moment = 0; moment < MOMENTS; moment += 1) {
    const rig = goalRig(['text x30'], { maxGoalRounds: 2 })
    setOff(rig)
    await microtasks(moment)
    // A goal that has come to its end allows less.
    if (rig.goal.state?.phase === 'active') act(rig)
    await atRest(rig)
    expect({ moment, armed: rig.goal.armed }).toEqual({ moment, armed: false })
    if (rig.goal.state?.phase !== 'blocked') rig.goal.resume()
    await atRest(rig)
    expect({ moment, ...standing(rig) }).toMatchObject({ moment, ...END })
    expect(rig.agent.inbox.nextTurn).toEqual([])
  }
})

test('what joins a round at a later step leaves the round what it is', async () => {
  const rig = goalRig(['text x9'], { maxGoalRounds: 2 })
  let steered = false
  rig.agent.subscribe({}, ({ type }) => {
    if (type !== 'step/start' || steered) return
    steered = true
    rig.agent.steer('S')
  })
  setOff(rig)
  await atRest(rig)
  expect(standing(rig)).toMatchObject(END)
})

test('a cancelled round of a former goal leaves the present one active', async () => {
  const rig = goalRig(['hang "x"'])
  setOff(rig)
  await settle()
  rig.goal.set('Reach another one.', { id: 'g2' })
  rig.goal.arm()
  rig.agent.cancel('user')
  await atRest(rig)
  expect(standing(rig)).toEqual({ phase: 'active', started: 0, armed: false })
  expect(rig.goal.disarmed).toBe('aborted')
})

test('a round whose turn the log refused is taken back, and sent anew after a resume', async () => {
  let refuses = true
  const log = watchedLog({ refuses: (type) => type === 'turn/start' && refuses })
  const rig = goalRig(['text x9'], { maxGoalRounds: 2, log })
  setOff(rig)
  await atRest(rig)
  expect(standing(rig)).toEqual({ phase: 'active', started: 0, armed: false })
  expect(rig.agent.inbox.nextTurn).toEqual([])
  refuses = false
  rig.goal.resume()
  await atRest(rig)
  expect(standing(rig)).toMatchObject(END)
})

test('a round that was parked behind a cancelled human turn is taken back, and sent anew after a resume', async () => {
  const rig = goalRig(['hang "h"', 'text x9'], { maxGoalRounds: 2 })
  rig.agent.subscribe({}, ({ type, data }) => {
    if (type === 'inbox/inserted' && data.message.source.kind === 'goal' && data.index === 0)
      rig.agent.inbox.prepend('next-turn', 'H')
  })
  setOff(rig)
  await settle()
  rig.agent.cancel('user', { keepInbox: true })
  await atRest(rig)
  expect(standing(rig)).toEqual({ phase: 'active', started: 0, armed: false })
  expect(rig.agent.inbox.nextTurn).toEqual([])
  rig.goal.resume()
  await settle()
  await atRest(rig)
  expect(standing(rig)).toMatchObject(END)
})

test('a tool that cannot end the goal says so to the model', async () => {
  const rig = goalRig(['call c1 complete_goal', 'text "done"'])
  rig.agent.followup('H')
  await atRest(rig)
  const result = rig.agent.log.read().find(({ type }) => type === 'tool/result')
  expect(result?.data).toMatchObject({ outcome: { kind: 'error', code: 'GOAL_CONFLICT' } })
  expect(rig.diagnostics).toEqual([])
})

test('a second service is refused until the first one is unloaded', async () => {
  const rig = goalRig(['text x9'])
  const other = createGoals({ maxGoalRounds: 2 })
  expect(() => other.attach(rig.agent)).toThrow('another one is attached')
  await rig.goals.unload()
  const goal = other.attach(rig.agent)
  goal.set('Reach it.')
  goal.arm()
  await atRest(rig)
  expect(standing({ ...rig, goal })).toMatchObject(END)
})
