/**
 * One line of a trace: who did what towards whom, and where in the log it stands.
 *
 * @module
 */

/** Who takes part in a run. `caller` is everybody outside: people, services, other agents. */
export type TraceParty = 'caller' | 'agent' | 'model' | 'tools'

/** One thing that happened. All texts are on one line, bounded, and free of control characters. */
export interface TraceEntry {
  /** Of the event that tells it; two entries may be told by one event. */
  readonly seq: number
  /** Ms since the epoch. */
  readonly time: number
  readonly turn: number | null
  readonly step: number | null
  /** `ask` begins something that an `answer` ends; `tell` wants no answer; a `note` concerns `from` alone. */
  readonly kind: 'ask' | 'answer' | 'tell' | 'note'
  readonly from: TraceParty
  /** The same as `from` for a note. */
  readonly to: TraceParty
  /** What happened, without anything that a person, a model or a tool said. */
  readonly what: string
  /** What was said; empty unless it was asked for, and where nothing was. */
  readonly said: string
}
