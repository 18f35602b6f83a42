/**
 * An agent with the compaction policy and a scripted model.
 *
 * @module
 */
import type { Agent, Summarize } from '../../src/actors/agent-handle.ts'
import type { AgentOptions } from '../../src/actors/agent-options.ts'
import { createAgent } from '../../src/actors/agent.ts'
import { history, historyView } from '../../src/projections/history.ts'
import { compactionPolicy, type CompactionOptions } from '../../src/sessions/compaction.ts'
import { printLog } from '../../src/testing/print-event.ts'
import { printRequest } from '../../src/testing/print-request.ts'
import { scriptedModel, type ScriptedModel } from '../../src/testing/scripted-model.ts'

const summary: Summarize = (entries) => `sum of ${entries.length}`

interface Rig {
  readonly agent: Agent
  readonly model: ScriptedModel
  readonly compact: () => Promise<boolean>
  /** Printed events of compactions. */
  readonly compactions: () => string[]
  readonly history: () => string[]
}

export function rig(
  script: readonly string[],
  options: Partial<CompactionOptions> = {},
  more: AgentOptions = {},
): Rig {
  const model = scriptedModel(script)
  const policy = compactionPolicy({ agent: () => agent, summarize: summary, keep: 1, ...options })
  const agent: Agent = createAgent({ model, gates: policy.gates, ...more })
  return {
    agent,
    model,
    compact: () => policy.compact(),
    compactions: () => printLog(agent.log.read()).filter((line) => line.startsWith('compaction')),
    history: () => printRequest(historyView(agent.read(history))),
  }
}
