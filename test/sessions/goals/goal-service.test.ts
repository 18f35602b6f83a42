/** Goals: unloading the service, arming in one process, and what whenIdle waits for. */
import { expect, test } from 'vitest'
import { createAgent } from '../../../src/actors/agent.ts'
import { createGoals } from '../../../src/sessions/goals/goals.ts'
import { deferred } from '../../support/deferred.ts'
import { ends, goalBatch, goalRig, type GoalRig, atRest, sent, setOff, standing } from './rig.ts'

test('unloading the service fences, cancels its round and waits; human work goes on', async () => {
  const rig = goalRig(['hang "x"', 'text "h"'])
  const streams = new Promise<void>((resolve) => {
    rig.agent.subscribe({}, ({ type }) => {
      if (type === 'assistant/chunk') resolve()
    })
  })
  setOff(rig)
  await streams
  rig.agent.followup('H')
  await rig.goals.unload()
  expect(ends(rig)).toEqual(['aborted'])
  await atRest(rig)
  expect(ends(rig)).toEqual(['aborted', 'completed'])
  expect(rig.goal.state?.phase).toBe('active')
  expect(rig.goal.disarmed).toBe('unloaded')
  expect(rig.goals.of(rig.agent.id)).toBeUndefined()
  rig.goal.arm()
  await atRest(rig)
  expect(sent(rig)).toHaveLength(1)
})

test('unloading while a gate looks at the round takes the round back, and what was claimed with it runs', async () => {
  const asked = deferred<void>()
  const rig = goalRig(['text "h"'], {
    gates: {
      preStep: ({ batch }, next) => {
        if (!goalBatch(batch)) return next()
        asked.resolve()
        return new Promise(() => {})
      },
    },
  })
  rig.agent.inject('context')
  setOff(rig)
  await asked.promise
  await rig.goal.unload()
  await atRest(rig)
  expect(ends(rig)).toEqual(['aborted'])
  expect(rig.agent.inbox.nextTurn).toEqual([])
  rig.agent.followup('H')
  await atRest(rig)
  expect(rig.model.requests[0]?.history).toEqual(['user<plugin>:context', 'user:H'])
})

test('unloading inside the round itself is taken, and its promise rejects with SELF_WAIT', async () => {
  const refused: unknown[] = []
  const rig: GoalRig = goalRig(['call c1 leave', 'text "x"'], {
    tools: [
      {
        name: 'leave',
        async run() {
          await rig.goal.unload().catch((error: unknown) => refused.push(error))
          return 'left'
        },
      },
    ],
  })
  setOff(rig)
  await atRest(rig)
  expect(refused).toMatchObject([{ code: 'SELF_WAIT' }])
  expect(ends(rig)).toEqual(['aborted'])
  expect(rig.goal.disarmed).toBe('unloaded')
})

test('a gate that changes the goal every time cannot spin: after 25 stale rounds nothing more is tried', async () => {
  const rig: GoalRig = goalRig(['text "never"'], {
    gates: {
      preStep(_question, next) {
        rig.goal.edit('Reach it otherwise.')
        return next()
      },
    },
  })
  setOff(rig)
  await atRest(rig)
  expect(sent(rig)).toHaveLength(25)
  expect(rig.goal.disarmed).toBe('stale')
  expect(rig.goal.state?.phase).toBe('active')
})

test('a dispose in a round disarms and changes nothing', async () => {
  const rig = goalRig(['hang "x"'])
  const streams = new Promise<void>((resolve) => {
    rig.agent.subscribe({}, ({ type }) => {
      if (type === 'assistant/chunk') resolve()
    })
  })
  setOff(rig)
  await streams
  await rig.agent.dispose()
  expect(standing(rig)).toMatchObject({ phase: 'active', armed: false })
  expect(rig.goals.of(rig.agent.id)).toBeUndefined()
})

test('whenIdle and run last until the goal has come to rest', async () => {
  const rig = goalRig(['text "h"', 'text "r1"', 'text "r2"'], { maxGoalRounds: 2 })
  setOff(rig)
  const { turns, finalResponse } = await rig.agent.run('H')
  expect(turns.map(({ turn }) => turn)).toEqual([1, 2, 3])
  expect(finalResponse).toBe('r2')
  expect(rig.goal.state).toMatchObject({ phase: 'blocked', started: 2 })
})

test('an agent that nobody has made here is refused', () => {
  const agent = createAgent()
  expect(() => createGoals().attach({ ...agent })).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTION' }),
  )
  expect(() => createGoals({ maxGoalRounds: 0 })).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTION' }),
  )
})
