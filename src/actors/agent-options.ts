/**
 * What an agent is created with: its parts, its policies and its budgets.
 *
 * @module
 */
import type { RequestConfig } from '../events/event.ts'
import type { MessageInput } from '../events/message.ts'
import type { EventLog } from '../log/event-log.ts'
import type { InspectionEvent } from 'xstate'
import type { Approval } from './approval.port.ts'
import type { Clock } from './clock.ts'
import type { GateAt, Gates } from './gates.port.ts'
import type { Model } from './model.port.ts'
import type { ToolSet } from './tool.port.ts'
import type { ToolDispatch } from './tool-dispatch.port.ts'

/** One part of a sectioned system prompt; an empty text leaves it out. */
export interface SystemSection {
  readonly name: string
  readonly text: string | ((at: GateAt) => string | Promise<string>)
}

/** The system prompt: fixed, computed at each step under the turn's signal, or in ordered sections. */
export type SystemPrompt =
  | string
  | ((at: GateAt) => string | Promise<string>)
  | readonly SystemSection[]

/** Gives a text about the surroundings; a message is added whenever the text differs from its last visible copy. */
export interface ContextProvider {
  readonly name: string
  readonly text: (at: GateAt) => string | undefined | Promise<string | undefined>
}

/** When and how often failed attempts are repeated. */
export interface RetryPolicy {
  /** Retries of one turn, one step and one provider each. Default 5. `always` mode has no such budget. */
  readonly retries?: number
  /** First delay in ms; doubled each time. Default 500. */
  readonly baseMs?: number
  /** Longest delay in ms, also for a `retry-after` of the provider. Default 10 000. */
  readonly maxMs?: number
  /** Codes that are retried. Default: EMPTY_RESPONSE, RATE_LIMIT, SERVER, TIMEOUT, TRANSPORT. */
  readonly codes?: readonly string[]
  /** `always` retries every code; `maxAttempts` still holds. Default `normal`. */
  readonly mode?: 'normal' | 'always'
  /** Random part of a delay, 0–1: the delay is `d × (1 − jitter × random)`. Default 0.25. */
  readonly jitter?: number
  /** Random numbers in [0, 1). Default `Math.random`. */
  readonly random?: () => number
}

/** Ends a turn whose calls repeat. */
export interface RepeatGuard {
  /** Longest period in calls that is recognised. Default 3. */
  readonly maxPeriod?: number
  /** Repetitions of one period that are too many. Default 3. */
  readonly repeats?: number
  /** `end` ends the turn as `blocked {by: repeat-guard}`; `ask` asks for approval of the repeated call. Default `end`. */
  readonly action?: 'end' | 'ask'
}

/**
 * What becomes of streamed chunks: an event `each`; neighbours joined to one event (`coalesce`); or told to listeners and
 * recorded nowhere (`live`), so that a crash in mid-stream leaves no prefix.
 */
export type ChunkPolicy = 'each' | 'coalesce' | 'live'

/** How deltas are joined. */
export interface CoalesceOptions {
  readonly policy: 'coalesce'
  /** Ms after which what was joined is recorded. Default 50. */
  readonly everyMs?: number
  /** Characters at which it is recorded at once. Default 4096. */
  readonly maxChars?: number
}

/** How many of the durability barriers are waited for. */
export type Durability = 'strict' | 'turn' | 'none'

/** Everything an agent is created with. */
export interface AgentOptions {
  /** Session id; default: that of the log. */
  readonly id?: string
  /** The opened log; default: a new log in memory. */
  readonly log?: EventLog
  /** On a log that already holds a session: pending waking work starts by itself. Default false: it is parked. */
  readonly wake?: boolean
  readonly model?: Model
  readonly tools?: ToolSet
  readonly gates?: Gates
  readonly system?: SystemPrompt
  readonly context?: readonly ContextProvider[]

  /** Route of a new agent; default: that of the model. */
  readonly provider?: string
  readonly modelId?: string
  /** Positive integer. */
  readonly maxTokens?: number
  readonly settings?: RequestConfig['settings']

  /** Next-turn messages one turn takes. Default `one`. */
  readonly claim?: 'one' | 'all'
  /** Does waking work go on after such a turn? Default both true. */
  readonly continueAfter?: { readonly blocked?: boolean; readonly error?: boolean }
  /** Steps per turn. Default 200. */
  readonly maxSteps?: number
  /** Objections of `turnStopping` per turn. Default 25. */
  readonly maxStops?: number
  /** Input and output tokens per turn. Default: no limit. */
  readonly maxTurnTokens?: number
  /** Ms per turn. Default: no limit. */
  readonly maxTurnMs?: number
  /** Attempts per step. Default 8. */
  readonly maxAttempts?: number
  /** Turns without a model request in a row, before the queue is parked. Default 25. */
  readonly maxBarrenTurns?: number
  /** Retries of failed attempts. Default: none. `true` takes the defaults of the policy. */
  readonly retry?: RetryPolicy | boolean
  /** Ms of silence that fail an attempt with TIMEOUT; 0 switches it off. Default 300 000. */
  readonly streamIdleMs?: number
  /** Ms that bodies and streams get after an abort; may be Infinity. Default 10 000. */
  readonly drainGraceMs?: number
  /** An empty completion is a failed attempt EMPTY_RESPONSE. Default false. */
  readonly rejectEmpty?: boolean
  /** Ms until the outcome of a call is TIMEOUT. Default: no limit. */
  readonly toolTimeoutMs?: number
  /** Size of the pool of parallel calls, positive integer, or a function that is read at each decision. Default 10. */
  readonly maxParallelToolCalls?: number | (() => number)
  readonly repeatGuard?: RepeatGuard | boolean
  /** Must somebody allow calls of tools that do not say so themselves? Default `never`. */
  readonly approval?: Approval
  /**
   * A turn that waits for an approval outlives this process: suspending the agent leaves it open, and an agent that is made
   * on such a log takes it over, with the question as it was. Default false: the question is closed as cancelled.
   */
  readonly keepApprovals?: boolean
  /** What a second `run()` does while one is under way. Default `queue`. */
  readonly concurrentRuns?: 'queue' | 'reject'
  /** What becomes of streamed chunks. Default `each`. */
  readonly chunks?: ChunkPolicy | CoalesceOptions
  /** Default `strict`; a log in memory never waits. */
  readonly durability?: Durability

  /** Default: the clock of this machine. */
  readonly clock?: Clock
  /** Makes ids of messages. Default: random UUIDs. */
  readonly ids?: () => string
  /** Runs bodies; default: right here. A failure of its own breaks the dispatch, not the tool. */
  readonly dispatch?: ToolDispatch
  /** XState's inspection events of all three machines; wrapped, so that a throwing observer harms nothing. */
  readonly inspect?: (event: InspectionEvent) => void
  /** Told of contained faults. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
  /** Set by the registry that the agent lives in. */
  readonly residence?: Residence
}

/** What a registry asks of an agent that lives in it. */
export interface Residence {
  /** Resumed waking work starts when this has settled. Default: in the next microtask. */
  readonly startAfter?: PromiseLike<unknown>
  /** Awaited while disposing, once the agent's own work has drained: what lives inside it ends first. */
  readonly beforeDisposed?: () => Promise<void> | undefined
  /** Called once the log is closed, or could not be, before the promise of `dispose` settles. */
  readonly afterClosed?: () => void
}

/** A contained fault: nothing changed because of it. */
export interface Diagnostic {
  /** What went wrong, such as `listener` or `refused-append`. */
  readonly kind:
    | 'observer'
    | 'listener'
    | 'inspect'
    | 'command'
    | 'append'
    | 'durability'
    | 'late'
    | 'drain'
  readonly message: string
  readonly error?: unknown
}

export type { MessageInput }
