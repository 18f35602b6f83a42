/**
 * What the server of the viewer and its page say to each other: types, and the few numbers both must know.
 *
 * It runs in a browser too, so it imports types only. Everything that comes from a log is untrusted text.
 *
 * W1 Events keep their shape: a shortened one still folds as the whole one would, but its long texts end early.
 * W2 `header` begins a log anew: what was held from its `from` on is forgotten.
 *
 * @module
 */
import type { LogHeader, StoredEvent } from '../../events/event.ts'

/** Payloads of more characters than this, as JSON, are shortened in batches. */
export const WHOLE_UP_TO = 16 * 1024
/** Most events of one batch. */
export const BATCH_EVENTS = 500
/** Characters after which a batch takes no further event. */
export const BATCH_CHARACTERS = 64 * 1024

/** An event as a batch carries it. */
export type WireEvent = StoredEvent & {
  /** Characters of the whole payload; present where texts were cut. `GET …/events/SEQ` gives the whole event. */
  readonly shortened?: number
}

/** Who has the log of a file open: a process that runs, one that is gone without giving it back, or nobody. */
export type LogOwner = 'alive' | 'gone' | 'none'

/** What a live agent may spend on one turn; absent numbers are no limit. */
export interface TurnBudgets {
  readonly steps: number
  /** Of one step. */
  readonly attempts: number
  readonly stops: number
  readonly tokens?: number
  readonly ms?: number
}

/** One agent, or one log in a file. */
export interface AgentSummary {
  /** Names it in addresses; encode it. */
  readonly id: string
  readonly kind: 'live' | 'file'
  /** Of a file. */
  readonly path?: string
  readonly title?: string
  /** Events known so far. */
  readonly events: number
  /** Of a file: bytes of its whole lines. */
  readonly bytes?: number
  /** Of a file: `running` and `idle` by its last turn; `unknown` where a turn is open and no process holds the log. */
  readonly status: 'idle' | 'running' | 'disposed' | 'unknown'
  /** May it be commanded from the page? */
  readonly control: boolean
  /** What is wrong with the log, in words. */
  readonly trouble?: string
  /** Of a file. */
  readonly owner?: LogOwner
  /** Of a live agent. */
  readonly budgets?: TurnBudgets
}

/** Answer of `GET /api/agents`. */
export interface AgentList {
  readonly agents: readonly AgentSummary[]
  /** Were commands allowed when the viewer was started? */
  readonly control: boolean
}

/** One state of a chart. */
export interface ChartState {
  /** Names from the outermost state inwards, joined by dots. */
  readonly path: string
  readonly tags: readonly string[]
  /** Its cancel window, such as `W09`. */
  readonly window?: string
  readonly description?: string
  /** Has it states inside? */
  readonly compound: boolean
  readonly initial: boolean
  readonly final: boolean
}

/** One way between two states. */
export interface ChartTransition {
  readonly from: string
  readonly event: string
  readonly to: string
  readonly guard?: string
}

/** One chart; `GET /api/charts` answers with all three, outermost first. */
export interface Chart {
  readonly id: 'agent' | 'turn' | 'step'
  readonly mermaid: string
  readonly states: readonly ChartState[]
  readonly transitions: readonly ChartTransition[]
}

/** Data of the SSE event `header`. */
export interface StreamHeader {
  readonly header: LogHeader
  /** Seq of the first event that follows. */
  readonly from: number
  /**
   * Changes when the file was replaced. A stream that was resumed and names another generation than the one held is to be
   * opened again with `?from=0`.
   */
  readonly generation: string
}

/** Data of the SSE event `live`: what only the living agent knows. */
export interface LiveState {
  readonly status: 'idle' | 'running' | 'disposed'
  readonly activity: 'idle' | 'turn' | 'maintenance'
  /** What is open; calls by their keys. */
  readonly open: {
    readonly turn: number | null
    readonly step: number | null
    readonly attempt: number | null
    readonly calls: readonly string[]
  }
}

/** Data of the SSE event `trouble`: reading has stopped in front of damage, or cannot go on. */
export interface Trouble {
  readonly code: string
  readonly message: string
}

/** Data of the SSE event `caughtup`: everything that is known was sent; sent once after each `header`. */
export interface CaughtUp {
  /** Events of the log. */
  readonly length: number
}

/** Body of `POST /api/agents/ID/commands`. */
export type ViewerCommand =
  | { readonly do: 'followup' | 'steer' | 'inject'; readonly text: string }
  | { readonly do: 'cancel'; readonly keepInbox?: boolean; readonly turn?: number }
  | { readonly do: 'approve' | 'deny'; readonly call: string; readonly text?: string }

/** Receipt of a command: of a message its id, of a cancel what it did, of an answer the call. */
export type CommandReceipt =
  | { readonly id: string }
  | {
      readonly effect: 'aborted' | 'discarded' | 'none' | 'queued'
      readonly turn?: number
      readonly discarded: readonly string[]
      readonly code?: 'TURN_FINISHED'
    }
  | { readonly call: string; readonly answer: 'allow' | 'deny' }

/** Body of every answer that is no success. */
export interface Refusal {
  readonly error: {
    /** An error code of the library, or `READ_ONLY`, `TOKEN`, `FOREIGN`, `NOT_FOUND`, `BAD_REQUEST`, `TOO_MANY`. */
    readonly code: string
    readonly message: string
  }
}
