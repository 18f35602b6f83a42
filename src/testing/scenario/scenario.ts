/**
 * What a scenario is, and what running it answers.
 *
 * @module
 */
import type { RunResult } from '../../actors/agent-handle.ts'
import type { StoredEvent } from '../../events/event.ts'

/** One case in the notation of the scenarios, as parsed from YAML. */
export interface Scenario {
  readonly id: string
  readonly title?: string
  readonly setup?: {
    /** A phrase such as `maxSteps: 2; rejectEmpty: true`, or the options themselves. */
    readonly options?: string | Readonly<Record<string, unknown>>
    /** One entry a request; by session where several have scripts of their own. */
    readonly model?: readonly unknown[] | Readonly<Record<string, readonly unknown[]>>
    readonly tools?: readonly unknown[]
    readonly hooks?: readonly unknown[]
    readonly prefix?: readonly string[]
  }
  readonly commands?: readonly { readonly when: unknown; readonly do: unknown }[]
  readonly expect?: Readonly<Record<string, unknown>>
}

/** Pending messages by list: `A`, `X<plugin>`. */
export interface PrintedInbox {
  readonly 'next-turn': readonly string[]
  readonly 'next-step': readonly string[]
}

/** What one run of a scenario showed. */
export interface ScenarioResult {
  readonly id: string
  readonly title: string
  /** Everything was understood, and nothing differs. */
  readonly ok: boolean
  /** What differs from the expectation. */
  readonly diffs: readonly string[]
  /** Phrases of setup, commands and expectation that nobody could read; none of them counts as passed. */
  readonly notUnderstood: readonly string[]
  /** Prose of `also` and `never` that no rule checks: for a reader. */
  readonly unchecked: readonly string[]
  /** The log, as far as the expectation shows its kinds of lines. */
  readonly log: readonly string[]
  readonly trace: readonly string[]
  readonly status: string | Readonly<Record<string, string>>
  readonly statusTrace: readonly string[]
  readonly requests: readonly (readonly string[])[]
  readonly inbox: PrintedInbox
  readonly liveErrors: readonly string[]
  /** What the probe read, for the keys that were expected. */
  readonly observed: Readonly<Record<string, unknown>>
  readonly runs: Readonly<Record<string, RunResult>>
  readonly diagnostics: readonly string[]
  /** Durable events by session. */
  readonly events: Readonly<Record<string, readonly StoredEvent[]>>
}

/** Thrown while a scenario is read: a phrase that says nothing the harness can do. */
export class PhraseError extends Error {
  override readonly name = 'PhraseError'
}
