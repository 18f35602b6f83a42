/** An agent with a goal service, and what is to be seen of its rounds. */
import { expect } from 'vitest'
import type { Agent } from '../../../src/actors/agent-handle.ts'
import type { AgentOptions } from '../../../src/actors/agent-options.ts'
import { createAgent } from '../../../src/actors/agent.ts'
import type { EventLog } from '../../../src/log/event-log.ts'
import { createMemoryLog } from '../../../src/log/memory-log.ts'
import type { AgentGoal, GoalOptions, Goals } from '../../../src/sessions/goals/goal-port.ts'
import { createGoals } from '../../../src/sessions/goals/goals.ts'
import { checkInvariants } from '../../../src/testing/check-invariants.ts'
import { parseScript } from '../../../src/testing/parse-script.ts'
import { printLog } from '../../../src/testing/print-event.ts'
import { settle } from '../../../src/testing/virtual-clock.ts'
import { scriptedModel, type ScriptedModel } from '../../../src/testing/scripted-model.ts'

export interface GoalRig {
  readonly agent: Agent
  readonly goals: Goals
  readonly goal: AgentGoal
  readonly model: ScriptedModel
  /** Faults that were contained. */
  readonly diagnostics: string[]
}

/** An agent on `log` whose model follows `script`. */
export function goalRig(
  script: readonly string[],
  options: AgentOptions & GoalOptions = {},
): GoalRig {
  const { maxGoalRounds, prompt, ...rest } = options
  const model = scriptedModel(script.map((entry) => parseScript(entry)))
  const goals = createGoals({
    ...(maxGoalRounds === undefined ? {} : { maxGoalRounds }),
    ...(prompt === undefined ? {} : { prompt }),
  })
  const diagnostics: string[] = []
  let made = 0
  const agent = createAgent({
    model,
    ids: () => `m${(made += 1)}`,
    tools: goals.tools,
    onDiagnostic: ({ message }) => diagnostics.push(message),
    ...rest,
  })
  return { agent, goals, goal: goals.attach(agent), model, diagnostics }
}

/** Sets a goal and arms it. */
export function setOff({ goal }: GoalRig): void {
  goal.set('Reach it.', { id: 'g' })
  goal.arm()
}

/** The sources of the rounds that were sent, as `round@revision`. */
export const sent = ({ agent }: GoalRig): string[] =>
  agent.log.read().flatMap((event) => {
    if (event.type !== 'inbox/inserted' || event.data.message.source.kind !== 'goal') return []
    const { round, revision } = event.data.message.source
    return event.data.mark === undefined
      ? [`${JSON.stringify(round)}@${JSON.stringify(revision)}`]
      : []
  })

/** How the turns have ended. */
export const ends = ({ agent }: GoalRig): string[] =>
  agent.log.read().flatMap((event) => (event.type === 'turn/end' ? [event.data.reason.kind] : []))

/** Phase, code, and whether it goes on by itself. */
export const standing = ({ goal }: GoalRig) => ({
  phase: goal.state?.phase,
  code: goal.state?.code ?? undefined,
  started: goal.state?.started,
  armed: goal.armed,
})

export const linesOf = (log: EventLog): readonly string[] => printLog(log.read())

/** A memory log whose flushes and appends a test decides on. */
export function watchedLog(watch: {
  readonly onFlush?: () => Promise<void> | undefined
  readonly refuses?: (type: string) => boolean
}): EventLog {
  const log = createMemoryLog({ id: 's1' })
  return {
    header: log.header,
    get length() {
      return log.length
    },
    get ledger() {
      return log.ledger
    },
    append(events, time) {
      const list = Array.isArray(events) ? events : [events]
      if (list.some(({ type }) => watch.refuses?.(type) === true)) throw new Error('refused')
      return log.append(events, time)
    },
    at: (seq) => log.at(seq),
    read: (from, to) => log.read(from, to),
    observe: (observer) => log.observe(observer),
    durable: (seq) => log.durable(seq),
    flush: () => watch.onFlush?.(),
    close: () => log.close(),
  }
}

/** Is a round in this batch? */
export const goalBatch = (batch: readonly { source: { kind: string } }[]): boolean =>
  batch.some(({ source }) => source.kind === 'goal')

/** Waits for the end, and holds the log to the invariants. */
export async function atRest({ agent }: GoalRig): Promise<void> {
  await agent.whenIdle()
  await settle()
  expect(checkInvariants(agent.log, { atRest: true })).toEqual([])
}
