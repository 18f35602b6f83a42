/**
 * Real runs of real agents, of every kind that matters to a reader of logs, watched through the stock machines.
 */
import { createAgent } from '../../../src/actors/agent.ts'
import type { Agent } from '../../../src/actors/agent-handle.ts'
import type { AgentOptions } from '../../../src/actors/agent-options.ts'
import { defineTool } from '../../../src/adapters/define-tool.ts'
import { script, type ScriptItem } from '../../../src/testing/script.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import { settle, virtualClock, type VirtualClock } from '../../../src/testing/virtual-clock.ts'

/** What a run is made of. */
export interface Run {
  readonly name: string
  readonly model: readonly (readonly ScriptItem[])[]
  readonly options?: AgentOptions
  /** What is done to it; by default it gets a prompt and runs to its end. */
  readonly act?: (agent: Agent, clock: VirtualClock) => Promise<void>
}

const echo = defineTool({ name: 'echo', run: () => 'done' })
const slow = defineTool({
  name: 'slow',
  run: (_, { signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve('stopped'))
    }),
})
const deaf = defineTool({ name: 'deaf', run: () => new Promise(() => {}) })

/** A gate that takes its time and leaves the answer to the next one. */
const waiting = async <T>(_: unknown, next: () => Promise<T>): Promise<T> => {
  await settle(1)
  return next()
}
const PATIENT: NonNullable<AgentOptions['gates']> = {
  preStep: waiting,
  request: waiting,
  requestError: waiting,
  stepResult: waiting,
  continuation: waiting,
  turnStopping: waiting,
  toolPre: waiting,
  toolPost: waiting,
}
const patient = async (): Promise<string> => {
  await settle(1)
  return 'Be good.'
}

/** A failed attempt, tools that wait for their approval or for an abort, and a second step. */
const EVERYTHING: Run['model'] = [
  [script.text('on'), script.fail('SERVER')],
  [script.call('c1', 'echo'), script.call('c2', 'echo')],
  [script.text('one')],
]

async function withTimers(agent: Agent, clock: VirtualClock): Promise<void> {
  agent.followup('A')
  for (let round = 0; agent.status === 'running' && round < 100; round += 1) {
    await settle(5)
    if (clock.timers > 0) await clock.advance(600)
  }
  await agent.whenIdle()
}

const prompt = (agent: Agent): Promise<unknown> => agent.run('A')

/** Starts a prompt, lets everything run that can, and cancels. */
const cancelled = async (agent: Agent): Promise<void> => {
  agent.followup('A')
  await settle(10)
  agent.cancel('user')
  await agent.whenIdle()
}

const CALL = script.call('c1', 'echo')

export const RUNS: readonly Run[] = [
  { name: 'an answer', model: [[script.text('one')]] },
  { name: 'a tool', model: [[CALL], [script.text('one')]] },
  {
    name: 'two tools and a broken one',
    model: [[CALL, script.call('c2', 'nobody')], [script.text('one')]],
  },
  { name: 'two turns', model: [[script.text('one')], [script.text('two')]], act: twoTurns },
  {
    name: 'a retry',
    model: [[script.fail('SERVER')], [script.text('one')]],
    options: { retry: { retries: 1, jitter: 0 } },
    act: async (agent, clock) => {
      const run = agent.run('A')
      await settle(10)
      await clock.advance(500)
      await run
    },
  },
  { name: 'a failure', model: [[script.fail('AUTH')]] },
  { name: 'a throw', model: [[script.throw('boom')]] },
  { name: 'a cut answer', model: [[CALL, script.finish('length')]] },
  {
    name: 'gates everywhere',
    model: EVERYTHING,
    options: { gates: PATIENT, system: patient, retry: { retries: 1, baseMs: 0 } },
    act: withTimers,
  },
  {
    name: 'a rejected batch',
    model: [],
    options: { gates: { preStep: () => ({ kind: 'reject', reason: 'no' }) } as never },
  },
  {
    name: 'an approval that is given',
    model: [[CALL], [script.text('one')]],
    options: { gates: { toolPre: () => ({ kind: 'ask' }) } as never },
    act: async (agent) => {
      agent.followup('A')
      await settle(10)
      agent.approve('c1', 'allow')
      await agent.whenIdle()
    },
  },
  {
    name: 'an approval that is cancelled',
    model: [[CALL]],
    options: { gates: { toolPre: () => ({ kind: 'ask' }) } as never },
    act: cancelled,
  },
  { name: 'a cancelled stream', model: [[script.text('on'), script.stall()]], act: cancelled },
  { name: 'a cancelled tool', model: [[script.call('c1', 'slow'), CALL]], act: cancelled },
  {
    name: 'a cancelled tool that does not listen',
    model: [[script.call('c1', 'deaf')]],
    act: async (agent, clock) => {
      agent.followup('A')
      await settle(10)
      agent.cancel('user', { keepInbox: true })
      await settle(10)
      await clock.advance(10_000)
      await agent.whenIdle()
    },
  },
  {
    name: 'a cancel before the step, put back',
    model: [],
    options: { gates: { preStep: () => new Promise(() => {}) } as never },
    act: async (agent) => {
      agent.followup('A')
      await settle(10)
      agent.cancel('user', { restoreClaimed: true })
      await agent.whenIdle()
    },
  },
  {
    name: 'an injection turn',
    model: [],
    act: async (agent) => {
      agent.inject('A', { turn: true })
      await agent.whenIdle()
    },
  },
  {
    name: 'a limit',
    model: [[CALL], [CALL]],
    options: { maxSteps: 1 },
  },
]

async function twoTurns(agent: Agent): Promise<void> {
  agent.followup('A')
  agent.followup('B')
  await agent.whenIdle()
}

/** Where a chart was seen, and what the log held then. */
export interface Sight {
  readonly chart: (typeof CHARTS)[number]
  readonly state: string
  readonly length: number
}

const CHARTS = ['agent', 'turn', 'step'] as const

/** The run with everything in it, cancelled from the observer of the event at `seq`. */
export const cancelledAt = (seq: number): Run => ({
  name: `cancelled at event ${seq}`,
  model: EVERYTHING,
  options: { gates: PATIENT, system: patient, retry: { retries: 1, baseMs: 0 } },
  act: async (agent, clock) => {
    agent.subscribe({}, (event) => {
      if (event.seq === seq) agent.cancel('user')
    })
    await withTimers(agent, clock)
  },
})

/** Runs it, and tells every state that was seen on the way. */
export async function watched({ model, options = {}, act }: Run): Promise<{
  readonly agent: Agent
  readonly sights: readonly Sight[]
}> {
  const clock = virtualClock()
  const sights: Sight[] = []
  const agent: Agent = createAgent({
    ...options,
    model: scriptedModel(model, { clock }),
    tools: [echo, slow, deaf],
    clock,
    inspect: (event) => {
      if (event.type !== '@xstate.snapshot') return
      const { snapshot, actorRef } = event
      const chart = CHARTS.find(
        (name) => name === (actorRef as { logic?: { id?: string } }).logic?.id,
      )
      if (chart === undefined || !('value' in snapshot)) return
      sights.push({ chart, state: pathOf(snapshot.value), length: agent.log.length })
    },
  })
  await (act ?? prompt)(agent, clock)
  await settle(5)
  await agent.dispose()
  return { agent, sights }
}

function pathOf(value: unknown): string {
  if (typeof value === 'string') return value
  const [[name, below] = ['', '']] = Object.entries(value as Record<string, unknown>)
  return `${name}.${pathOf(below)}`
}
