/**
 * A living agent as the viewer shows it. It only reads: commands go through the handle (`commands.ts`).
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import type { Agent } from '../../actors/agent-handle.ts'
import { resolveSettings } from '../../actors/settings.ts'
import { openWork } from '../../projections/open-work.ts'
import { BatchText } from './batch-text.ts'
import type { Batch, LogSource, LogState } from './log-source.ts'
import { wireJson } from './shortened.ts'
import { BATCH_EVENTS, type AgentSummary, type LiveState, type TurnBudgets } from './wire.ts'

/** Shows `agent` under `id`. */
export class LiveSource implements LogSource {
  readonly id: string
  readonly agent: Agent
  private readonly generation = randomUUID()

  constructor(id: string, agent: Agent) {
    this.id = id
    this.agent = agent
  }

  get state(): LogState {
    const { log } = this.agent
    const { generation } = this
    return { header: log.header, length: log.length, generation, trouble: undefined }
  }

  async refresh(): Promise<void> {}

  summary(control: boolean): AgentSummary {
    const { agent, id } = this
    return {
      id,
      kind: 'live',
      title: agent.id,
      events: agent.log.length,
      status: agent.status,
      control: control && agent.status !== 'disposed',
      budgets: budgetsOf(agent),
    }
  }

  batch(from: number): Promise<Batch | undefined> {
    const text = new BatchText()
    for (const event of this.agent.log.read(from, from + BATCH_EVENTS)) {
      if (!text.add(event.seq, wireJson(event))) break
    }
    return Promise.resolve(text.batch)
  }

  whole(seq: number): Promise<string | undefined> {
    const event = this.agent.log.at(seq)
    return Promise.resolve(event === undefined ? undefined : JSON.stringify(event))
  }

  live(): LiveState {
    const { agent } = this
    const { turn, step, attempt, calls } = agent.read(openWork)
    const keys = calls.map(({ call }) => call.key)
    return {
      status: agent.status,
      activity: agent.activity,
      open: { turn, step, attempt, calls: keys },
    }
  }

  watch(listener: () => void): () => void {
    const stops = [this.agent.log.observe(listener), this.agent.listen(listener)]
    return () => {
      for (const stop of stops) stop()
    }
  }
}

/** What the agent was created with, and the defaults for the rest. */
function budgetsOf({ options }: Agent): TurnBudgets {
  const { maxSteps, maxAttempts, maxStops, maxTurnTokens, maxTurnMs } = resolveSettings(options)
  return {
    steps: maxSteps,
    attempts: maxAttempts,
    stops: maxStops,
    ...(maxTurnTokens !== Infinity && { tokens: maxTurnTokens }),
    ...(maxTurnMs !== Infinity && { ms: maxTurnMs }),
  }
}
