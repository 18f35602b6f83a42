/** Goals: what gates, logs, processes and other work make of a reserved round, by the ids of the contract's cases. */
import { expect, test } from 'vitest'
import { createGoals } from '../../../src/sessions/goals/goals.ts'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { createRegistry } from '../../../src/sessions/registry.ts'
import { parseScript } from '../../../src/testing/parse-script.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import { settle } from '../../../src/testing/virtual-clock.ts'
import {
  atRest,
  ends,
  goalBatch,
  goalRig,
  linesOf,
  sent,
  setOff,
  standing,
  watchedLog,
} from './rig.ts'

test('a preStep gate behind the fence rejects the round: the goal is blocked with prompt-rejected', async () => {
  const rig = goalRig(['text "never"'], {
    gates: {
      preStep: ({ batch }, next) =>
        goalBatch(batch) ? { kind: 'reject', reason: 'not now' } : next(),
    },
  })
  setOff(rig)
  await atRest(rig)
  expect(standing(rig)).toEqual({
    phase: 'blocked',
    code: 'prompt-rejected',
    started: 0,
    armed: false,
  })
  expect(rig.goal.state?.reason).toBe('not now')
})

test('a gate that leaves the message of the round out has rejected it', async () => {
  const rig = goalRig(['text "never"'], {
    gates: { preStep: () => ({ kind: 'enter', messages: [] }) },
  })
  setOff(rig)
  await atRest(rig)
  expect(standing(rig)).toMatchObject({ phase: 'blocked', code: 'prompt-rejected' })
})

test('a gate may rewrite a round: it still counts', async () => {
  const rig = goalRig(['text x2'], {
    maxGoalRounds: 2,
    gates: {
      preStep: ({ batch }) => ({
        kind: 'enter',
        messages: batch.map(({ id }) => ({ id, content: 'rewritten' })),
      }),
    },
  })
  setOff(rig)
  await atRest(rig)
  expect(sent(rig)).toEqual(['1@1', '2@1'])
  expect(rig.model.requests[0]?.history).toEqual(['user<goal>:rewritten'])
})

test('GO-09 a round that the log refuses blocks the goal with queue-failed; nothing is pending and no turn opens', async () => {
  const log = watchedLog({ refuses: (type) => type === 'inbox/inserted' })
  const rig = goalRig(['text "never"'], { log })
  setOff(rig)
  await atRest(rig)
  expect(standing(rig)).toMatchObject({ phase: 'blocked', code: 'queue-failed', armed: false })
  expect(rig.agent.inbox.nextTurn).toEqual([])
  expect(linesOf(rig.agent.log).filter((line) => line.startsWith('turn'))).toEqual([])
})

test('GO-10 a gate that throws releases the reservation and disarms; after a resume round 1 is reserved again', async () => {
  let thrown = false
  const rig = goalRig(['text x1'], {
    maxGoalRounds: 1,
    gates: {
      preStep(_question, next) {
        if (thrown) return next()
        thrown = true
        throw new Error('boom')
      },
    },
  })
  setOff(rig)
  await atRest(rig)
  expect(standing(rig)).toMatchObject({ phase: 'active', started: 0, armed: false })
  expect(ends(rig)).toEqual(['error'])
  rig.goal.resume()
  await atRest(rig)
  expect(sent(rig)).toEqual(['1@1', '1@1'])
  expect(ends(rig)).toEqual(['error', 'completed'])
})

test.each(['disposed', 'crashed'])(
  'GO-11 arming is process-local: %s in a round, nothing runs after the resume until the goal is resumed',
  async (way) => {
    const store = memoryStore()
    const model = scriptedModel(['hang "x"', 'text "two"'].map((entry) => parseScript(entry)))
    const goals = createGoals({ maxGoalRounds: 2 })
    const registry = createRegistry({ store, factory: () => ({ model }) })
    const first = await registry.create({ id: 's1' })
    const goal = goals.attach(first)
    goal.set('Reach it.')
    const streams = new Promise<void>((resolve) => {
      first.subscribe({}, ({ type }) => {
        if (type === 'assistant/chunk') resolve()
      })
    })
    goal.arm()
    await streams
    const copy = structuredClone(first.log.read())
    await first.dispose({ keepInbox: true })
    expect(goal.armed).toBe(false)

    const other = memoryStore()
    if (way === 'crashed') await (await other.create(first.log.header, copy)).close()
    const again = createRegistry({
      store: way === 'crashed' ? other : store,
      factory: () => ({ model }),
    })
    const agent = await again.resume('s1', { wake: true })
    const resumed = createGoals({ maxGoalRounds: 2 }).attach(agent)
    await agent.whenIdle()
    await settle()
    expect(resumed.armed).toBe(false)
    expect(model.requests).toHaveLength(1)
    expect(resumed.state).toMatchObject({ phase: 'active', started: 1 })
    resumed.resume()
    await agent.whenIdle()
    expect(model.requests).toHaveLength(2)
    expect(resumed.state).toMatchObject({ phase: 'blocked', code: 'round-limit', started: 2 })
    await again.close()
  },
)

test('GO-12 a forged message with the source of a goal is rejected without touching the reservation', async () => {
  const rig = goalRig(['text x1'], { maxGoalRounds: 1 })
  const source = { kind: 'goal', goal: 'g', revision: 1, round: 7 } as const
  rig.agent.followup({ content: 'forged', source })
  await atRest(rig)
  expect(ends(rig)).toEqual(['blocked'])
  expect(rig.model.requests).toEqual([])
  setOff(rig)
  await atRest(rig)
  expect(standing(rig)).toMatchObject({ phase: 'blocked', code: 'round-limit', started: 1 })
})

test('GO-12 a forged message that a turn claims with the reserved round leaves the round queued, and it runs', async () => {
  const rig = goalRig(['text x1'], { maxGoalRounds: 1 })
  const source = { kind: 'goal', goal: 'g', revision: 1, round: 1 } as const
  let forged = false
  rig.agent.subscribe({}, ({ type }) => {
    if (type !== 'inbox/inserted' || forged) return
    forged = true
    rig.agent.steer({ content: 'forged', source })
  })
  setOff(rig)
  await atRest(rig)
  expect(ends(rig)).toEqual(['blocked', 'completed'])
  expect(sent(rig)).toHaveLength(2)
  expect(rig.model.requests).toHaveLength(1)
})

test('a round that is turned away gives back what was claimed beside it, wake flags and all', async () => {
  const rig = goalRig(['text x2'], { maxGoalRounds: 1 })
  let steered = false
  rig.agent.subscribe({}, ({ type }) => {
    if (type !== 'inbox/inserted' || steered) return
    steered = true
    rig.agent.inject('context')
    rig.agent.steer('H')
  })
  setOff(rig)
  await atRest(rig)
  expect(ends(rig)).toEqual(['blocked', 'completed', 'completed'])
  expect(rig.model.requests[0]?.history).toEqual(['user<plugin>:context', 'user:H'])
})

test('what arrives during the checkpoint is looked at: it runs first', async () => {
  const open: (() => void)[] = []
  let flushes = 0
  const log = watchedLog({
    onFlush: () => {
      flushes += 1
      return flushes > 1
        ? undefined
        : new Promise((resolve) => {
            open.push(resolve)
          })
    },
  })
  const rig = goalRig(['text x2'], { maxGoalRounds: 1, log })
  setOff(rig)
  await settle()
  rig.agent.followup('H')
  for (const release of open) release()
  await atRest(rig)
  expect(rig.model.requests[0]?.history).toEqual(['user:H'])
  expect(ends(rig)).toEqual(['completed', 'completed'])
  expect(flushes).toBeGreaterThan(1)
})

test('a goal that is paused during the checkpoint sends nothing', async () => {
  const open: (() => void)[] = []
  const log = watchedLog({
    onFlush: () =>
      new Promise((resolve) => {
        open.push(resolve)
      }),
  })
  const rig = goalRig(['text "never"'], { log })
  setOff(rig)
  await settle()
  rig.goal.pause()
  for (const release of open) release()
  await atRest(rig)
  expect(sent(rig)).toEqual([])
  expect(standing(rig)).toMatchObject({ phase: 'paused', armed: false })
})

test('GO-15 a retried model call inside a round counts once', async () => {
  const rig = goalRig(['error SERVER', 'text "x"'], {
    maxGoalRounds: 1,
    gates: { requestError: () => ({ action: 'retry' }) },
  })
  setOff(rig)
  await atRest(rig)
  expect(rig.goal.state?.started).toBe(1)
  expect(sent(rig)).toEqual(['1@1'])
})

test.each([true, false])(
  'GO-16 a failed round disarms; a queued human prompt runs by itself, or is parked (continueAfter.error %s)',
  async (error) => {
    const rig = goalRig(['stream "x" then error SERVER', 'text "h"'], { continueAfter: { error } })
    let queued = false
    rig.agent.subscribe({}, ({ type }) => {
      if (type !== 'assistant/chunk' || queued) return
      queued = true
      rig.agent.followup('H')
    })
    setOff(rig)
    await atRest(rig)
    expect(standing(rig)).toMatchObject({ phase: 'active', armed: false })
    expect(ends(rig)).toEqual(error ? ['error', 'completed'] : ['error'])
    expect(rig.agent.parked?.reason).toBe(error ? undefined : 'error')
  },
)
