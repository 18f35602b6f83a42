/**
 * Agents in the Stately inspector, end to end: the receivers are those of the package, over real sockets.
 */
import { describe, expect, it } from 'vitest'
import type { InspectionEvent } from 'xstate'
import type { Agent } from '../../../src/actors/agent-handle.ts'
import { machineDefinition } from '../../../src/inspect/definition.ts'
import { lifecycleMachines } from '../../../src/inspect/lifecycle-machines.ts'
import { MOST_AGENTS } from '../../../src/inspect/stately/actor-book.ts'
import { inspectWithStately } from '../../../src/inspect/stately/inspect-with-stately.ts'
import { script } from '../../../src/testing/script.ts'
import { finish, rig } from '../../actors/rig.ts'
import {
  disposed,
  drive,
  inspecting,
  SECRET,
  useInspection,
  Viewer,
  watching,
} from './stately-rig.ts'

useInspection()

describe('a run with tools, a cancel and a second turn', () => {
  it('arrives at a receiver: three machines with their definitions, events and snapshots', async () => {
    const stately = await inspecting({ server: true })
    const viewer = await watching(stately)
    const { agent } = await drive(stately.inspect)
    await finish(agent)
    await viewer.until(disposed)

    expect(new Set(viewer.actors().map(({ name }) => name))).toEqual(
      new Set(['a1', 'turn', 'step']),
    )
    for (const machine of lifecycleMachines) {
      const actor = viewer
        .actors()
        .find(({ name }) => name === (machine.id === 'agent' ? 'a1' : machine.id))
      // Order included: readers lay states out in it.
      expect(actor?.definition).toBe(JSON.stringify(machineDefinition(machine)))
    }
    expect(viewer.states()).toEqual(
      expect.arrayContaining([
        'a1 {"running":"turning"}',
        'turn {"open":"stepping"}',
        'step {"calling":"running"}',
        'step {"draining":"waiting"}',
        'turn {"open":"closing"}',
        'a1 "idle"',
        'a1 "disposed"',
      ]),
    )
    const events = viewer.got.flatMap((event) =>
      event.type === '@xstate.event' ? [event.event.type] : [],
    )
    expect(events).toEqual(
      expect.arrayContaining([
        'agent.wake',
        'turn.open',
        'step.abort',
        'tool.settled',
        'model.ended',
      ]),
    )
    expect(new Set(viewer.got.map(({ rootId }) => rootId)).size).toBe(1)
    const [root] = viewer.actors()
    const turn = viewer.actors().find(({ name }) => name === 'turn')
    expect(turn?.parentId).toBe(root?.sessionId)
  })

  it('has messages of the same sizes, whatever was said, and none of it', async () => {
    const sizes: string[] = []
    for (const said of [SECRET, SECRET.repeat(50_000)]) {
      const stately = await inspecting({ server: true })
      const viewer = await watching(stately)
      const { agent } = await drive(stately.inspect, said)
      await finish(agent)
      await viewer.until(disposed)
      const texts = viewer.got.map((event) => JSON.stringify(event))
      expect(texts.filter((text) => text.includes(SECRET))).toEqual([])
      const others = viewer.got.filter(({ type }) => type !== '@xstate.actor')
      expect(Math.max(...others.map((event) => JSON.stringify(event).length))).toBeLessThan(500)
      sizes.push(JSON.stringify(viewer.states()))
    }
    expect(sizes[0]).toBe(sizes[1])
  })
})

describe('a viewer that comes late', () => {
  it('gets every definition, where each machine stands, and what happened last', async () => {
    const stately = await inspecting({ server: true })
    const { agent } = rig({
      id: 'long',
      model: Array.from({ length: 30 }, () => 'text "x"'),
      inspect: stately.inspect,
    })
    for (let turn = 0; turn < 30; turn += 1) agent.followup(`m${turn}`)
    await agent.whenIdle()
    await finish(agent)
    const viewer = new Viewer(stately.url)
    await viewer.until(disposed)
    expect(viewer.actors().map(({ name }) => name)).toEqual(['long', 'turn', 'step'])
    expect(viewer.actors().every(({ definition }) => (definition?.length ?? 0) > 1000)).toBe(true)
    expect(viewer.actors()[0]?.snapshot).toMatchObject({ value: 'disposed', status: 'done' })
    expect(viewer.got.length).toBeLessThan(520)
  })

  it('is told only of the agents that moved last', async () => {
    const stately = await inspecting({ server: true })
    for (let index = 0; index < MOST_AGENTS + 3; index += 1) {
      const { agent } = rig({ id: `n${index}`, model: [], inspect: stately.inspect })
      await finish(agent)
    }
    const viewer = new Viewer(stately.url)
    await viewer.until(({ type }) => type === '@xstate.snapshot')
    expect(viewer.actors().map(({ name }) => name)).toEqual(
      Array.from({ length: MOST_AGENTS }, (_, index) => `n${index + 3}`),
    )
  })
})

describe('what is shown of the log', () => {
  it('is each durable event with its place, as a message to an actor of its own', async () => {
    const stately = await inspecting({ server: true })
    const viewer = await watching(stately)
    const { agent } = rig({ id: 'a1', model: [[script.text(SECRET)]], inspect: stately.inspect })
    const leave = stately.watch(agent)
    agent.followup(SECRET)
    await agent.whenIdle()
    leave()
    await finish(agent)
    await viewer.until(disposed)
    const [log] = viewer.actors().filter(({ name }) => name === 'log')
    const told = viewer.got.flatMap((event) =>
      event.type === '@xstate.event' && event.sessionId === log?.sessionId ? [event.event] : [],
    )
    expect(told.map(({ type }) => type)).toEqual(
      agent.log
        .read()
        .map(({ type }) => type)
        .filter((type) => type !== 'assistant/chunk'),
    )
    expect(told.at(-1)).toEqual({
      type: 'turn/end',
      seq: agent.log.length - 1,
      turn: 1,
      step: null,
    })
    expect(JSON.stringify(viewer.got)).not.toContain(SECRET)
  })

  it('holds what was said with reveal, within bounds', async () => {
    const stately = await inspecting({ server: true, reveal: true })
    const viewer = await watching(stately)
    const { agent } = rig({ id: 'a1', model: [[script.text(SECRET)]], inspect: stately.inspect })
    stately.watch(agent)
    agent.followup(`${SECRET} ${'long '.repeat(100_000)}`)
    await agent.whenIdle()
    await finish(agent)
    await viewer.until(disposed)
    expect(JSON.stringify(viewer.got)).toContain(SECRET)
    const others = viewer.got.filter(({ type }) => type !== '@xstate.actor')
    expect(Math.max(...others.map((event) => JSON.stringify(event).length))).toBeLessThan(20_000)
  })

  it('is nothing for an agent that is not inspected', async () => {
    const stately = await inspecting({ server: true })
    const viewer = await watching(stately)
    const { agent } = rig({ model: ['text "x"'] })
    const leave = stately.watch(agent)
    agent.followup('hello')
    await agent.whenIdle()
    leave()
    await finish(agent)
    const seen = rig({ id: 'second', inspect: stately.inspect })
    await finish(seen.agent)
    await viewer.until(disposed)
    expect(viewer.actors().map(({ name }) => name)).toEqual(['second'])
  })
})

const factsOf = (agent: Agent): unknown[] => agent.log.read().map(({ type, seq }) => [seq, type])

describe('whatever is given', () => {
  it('an observer never throws', async () => {
    const { inspect } = await inspecting({ server: true })
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no')
        },
      },
    )
    for (const event of [
      {},
      { type: '@xstate.actor' },
      { type: '@xstate.snapshot', actorRef: {}, event: {} },
      { type: '@xstate.event', actorRef: hostile, event: hostile },
    ]) {
      expect(() => inspect(event as unknown as InspectionEvent)).not.toThrow()
    }
  })

  it('a run writes the same log as one that nobody looks at', async () => {
    const stately = await inspecting({ server: true })
    const seen = (await drive(stately.inspect)).agent
    const alone = (await drive(undefined)).agent
    expect(factsOf(seen)).toEqual(factsOf(alone))
    await finish(seen)
    await finish(alone)
  })

  it.each([{}, { url: 'ws://localhost:1', server: true }])(
    'options %j are refused',
    async (options) => {
      await expect(inspectWithStately(options as never)).rejects.toMatchObject({
        code: 'INVALID_OPTION',
      })
    },
  )
})
