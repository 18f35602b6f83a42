/**
 * A policy that keeps the history short: the oldest part of it is replaced by a summary.
 *
 * It works before a step whose request would be too long, after a request that was too long, and by hand while the agent
 * is idle.
 *
 * P1 Nothing is replaced but whole units: a message goes with the outcomes of its calls.
 * P2 After an overflow there is one more attempt, and only if the history really changed.
 * P3 A summary that fails leaves the history as it was; before a step the turn goes on without it, and asks no further.
 *
 * @module
 */
import type { Agent, Summarize } from '../actors/agent-handle.ts'
import type { Gates } from '../actors/gates.port.ts'
import type { SeqRange } from '../events/event.ts'
import type { HistoryEntry } from '../events/history-entry.ts'
import { history, historyView } from '../projections/history.ts'

export interface CompactionOptions {
  /** The agent it works for; asked when it is needed, since the agent takes the gates of the policy. */
  readonly agent: () => Agent
  /** Says what stands instead of the entries. */
  readonly summarize: Summarize
  /** Tokens of the history above which it is replaced before a step. Default: 80 % of the context window, if known. */
  readonly above?: number
  /** Latest entries that stay, at least. Default 6. */
  readonly keep?: number
  /** Estimates the tokens of a history. Default: a quarter of its characters as JSON. */
  readonly tokens?: (entries: readonly HistoryEntry[]) => number
}

/** The policy of one agent. */
export interface CompactionPolicy {
  /** For `createAgent`; put your own gates beside them. */
  readonly gates: {
    readonly preStep: Extract<NonNullable<Gates['preStep']>, (...args: never) => unknown>
    readonly requestError: Extract<NonNullable<Gates['requestError']>, (...args: never) => unknown>
  }
  /**
   * Replaces now, as maintenance.
   *
   * @returns whether the history changed.
   * @throws TurnwiseError AGENT_BUSY; what `summarize` throws.
   */
  compact(): Promise<boolean>
}

const SHARE = 0.8
const CHARACTERS_A_TOKEN = 4
const KEEP = 6

const estimate = (entries: readonly HistoryEntry[]): number =>
  JSON.stringify(entries).length / CHARACTERS_A_TOKEN

/** Makes the policy; give its gates to the agent. */
export function compactionPolicy(options: CompactionOptions): CompactionPolicy {
  const { summarize, keep = KEEP, tokens = estimate } = options
  /** The turn in which a summary has failed. */
  let failedIn = 0
  /** The step that got its one more attempt. */
  let retriedIn = ''

  const compact = async (): Promise<boolean> => {
    const agent = options.agent()
    const range = oldest(agent, keep)
    return range !== undefined && agent.compact(range, summarize)
  }
  const isLong = (): boolean => {
    const agent = options.agent()
    const window = agent.options.model?.contextWindow ?? Infinity
    return tokens(historyView(agent.read(history))) > (options.above ?? window * SHARE)
  }
  const preStep: CompactionPolicy['gates']['preStep'] = async ({ turn }, next) => {
    if (turn !== failedIn && isLong()) {
      await compact().catch(() => {
        failedIn = turn
      })
    }
    return next()
  }
  const requestError: CompactionPolicy['gates']['requestError'] = async (question, next) => {
    const { turn, step, failure } = question
    const at = `${turn}.${step}`
    if (failure.code !== 'CONTEXT_OVERFLOW' || at === retriedIn) return next()
    retriedIn = at
    const changed = await compact().catch(() => false)
    return changed ? { action: 'retry' } : next()
  }
  return { gates: { preStep, requestError }, compact }
}

/** The range of the oldest entries, up to a unit behind which at least `keep` stay; undefined if that is nothing. */
function oldest(agent: Agent, keep: number): SeqRange | undefined {
  const state = agent.read(history)
  const entries = historyView(state)
  const seqs = state.seqs.toArray()
  for (let cut = entries.length - keep; cut > 1; cut -= 1) {
    if (entries[cut]?.role === 'tool') continue
    const range = { from: Math.min(...seqs.slice(0, cut)), to: Math.max(...seqs.slice(0, cut)) }
    // A summary stands where its entries stood, and has a later seq than some that follow it.
    if (seqs.slice(cut).every((seq) => seq > range.to)) return range
  }
  return undefined
}
