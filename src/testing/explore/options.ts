/**
 * What an exploration is given and what it answers: the agent of the user, the bound, the moves, the findings.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { AgentOptions } from '../../actors/agent-options.ts'
import type { Clock } from '../../actors/clock.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { RunRecord } from '../invariants/run-record.ts'
import type { Violation } from '../invariants/violation.ts'
import type { ScriptItem } from '../script.ts'

/** Answers by name: what the promise of a decision resolves to, or the `Error` it rejects with. */
export type Answers<T> = { readonly [answer: string]: T | Error }

export interface DecideOptions {
  /** The decision is given up when it aborts, as polite code does. Without it the decision is deaf. */
  readonly signal?: AbortSignal
  /** Keeps waiting although `signal` aborts; the signal is still watched. Default false. */
  readonly deaf?: boolean
  /** How often an answer may be given on one path, by its name. Default: no bound. */
  readonly times?: { readonly [answer: string]: number }
}

/** What the explorer hands to the code it explores: whatever is decided through these is tried in every way. */
export interface Hands {
  /** Waits until the explorer settles it, at any later move, with each of `answers` in turn. */
  readonly decide: <T>(name: string, answers: Answers<T>, options?: DecideOptions) => Promise<T>
  /** A clock for code of your own, moved with the clock of the agent. */
  readonly clock: Clock
  /** Keeps a word of this run for `invariants` and `distinguish`. */
  readonly note: (word: string) => void
  /** Names a place in your own code from which commands may be issued. */
  readonly visit: (place: string) => void
}

/** What the model may say: a phrase of the script notation, with how often on one path (default: calls once). */
export type ModelWord =
  | string
  | {
      readonly say: string | readonly ScriptItem[]
      readonly name?: string
      readonly times?: number
    }

/** The commands that every exploration knows. */
export type CommandName =
  | 'followup'
  | 'steer'
  | 'inject'
  | 'inject a turn'
  | 'send without wake'
  | 'cancel'
  | 'cancel, keep'
  | 'cancel, restore'
  | 'cancel, resume'
  | 'abort'
  | 'abort, restore'
  | 'dispose'
  | 'dispose, keep'
  | 'maintain'
  | 'clear'
  | 'remove'
  | 'replace'
  | 'move'

/** How often each kind of move may be made on one path. What is not named is 0. */
export type Budgets = { readonly [command in CommandName]?: number } & {
  /** Commands issued inside callbacks. Default 1. */
  readonly inside?: number
  /** Throws of observers, listeners, gates, tools and models. Default 0. */
  readonly throw?: number
  /** Refused appends. Default 0. */
  readonly refuse?: number
  /** Timers that fire. Default 3. */
  readonly timer?: number
}

/** A command of your own. */
export interface OwnCommand {
  /** How often on one path. Default 1. */
  readonly times?: number
  readonly issue: (agent: Agent, hands: Hands) => void
}

/** A run as it stands at a quiet point. */
export interface ExploredRun {
  readonly agent: Agent
  readonly log: readonly StoredEvent[]
  readonly record: RunRecord
  /** Words of `note`, in order. */
  readonly notes: readonly string[]
}

/** Everything that an exploration is given. It holds for `replay` too. */
export interface ExploreOptions {
  /**
   * Makes the options of the agent, anew for every run: your tools, gates, policies, limits. Log and clock are the
   * explorer's. Default: a tool `work` that returns or fails.
   */
  readonly agent?: (hands: Hands) => AgentOptions
  /** Makes the agent, for code that wraps it. Default `createAgent`. */
  readonly create?: (options: AgentOptions) => Agent
  /** What the model may say at every request, unless `agent` brings a model. Default: a text, or a call of the first tool. */
  readonly model?: readonly ModelWord[]
  /** Default: one followup, steer, cancel and dispose, one of them inside a callback. */
  readonly budgets?: Budgets
  readonly commands?: { readonly [name: string]: OwnCommand }
  /** Commands that may be issued inside callbacks. Default: all that have a budget. */
  readonly inside?: readonly string[]
  /** Places inside which commands are issued, by the beginning of their names. Default: all. */
  readonly places?: readonly string[]
  /**
   * `memory`: appends are durable at once. `acknowledged`: each barrier waits for the explorer to acknowledge the write,
   * or to let it fail (`times` as often on one path, default 1). Default `memory`.
   */
  readonly log?: 'memory' | { readonly acknowledged: true; readonly failures?: number }
  /** Types of events whose append may be refused. Default: all. */
  readonly refusals?: readonly string[]
  /** Rules of your own: each says what is wrong with a run. */
  readonly invariants?: { readonly [rule: string]: (run: ExploredRun) => string | undefined }
  /** What makes states differ beside what the explorer looks at; must be a JSON value. */
  readonly distinguish?: (run: ExploredRun) => unknown
}

/** Where a search ends. It looks between batches of moves, so that it may go somewhat further. */
export interface ExploreLimits {
  /** Default 10 000. */
  readonly maxStates?: number
  /** Moves on one path. Default: no limit. */
  readonly maxDepth?: number
  /** Moves in all. Default: no limit. */
  readonly maxMoves?: number
  /** Of real time. Default: no limit. */
  readonly seconds?: number
  /** Breaches of different rules that are looked for before the search stops. Default 1. */
  readonly counterexamples?: number
  readonly onProgress?: (progress: Progress) => void
  /** The name under which a printed test imports these options, and where from. Default: a placeholder to fill in. */
  readonly source?: { readonly name: string; readonly from: string }
}

export interface Progress {
  readonly states: number
  readonly moves: number
  readonly depth: number
  /** States that are known and not yet expanded. */
  readonly waiting: number
  readonly seconds: number
}

/** A command inside a callback. */
export interface Issued {
  /** The place: what is called there; ` #2` is its second time in this move. */
  readonly at: string
  /** A command, or `throw`. */
  readonly issue: string
}

/** One move: what is done at a quiet point, and what happens inside it. */
export type Move = (
  | { readonly command: string }
  /** A decision is settled: a word of the model, an answer of a gate, a tool, a write, an approval. */
  | { readonly settle: string; readonly answer: string }
  /** The time passes to the next timer. */
  | { readonly timer: true }
) & {
  /** Commands issued inside callbacks, in order. */
  readonly inside?: readonly Issued[]
  /** The append that the log refuses. */
  readonly refuse?: string
}

/** One breach: of an invariant of every run, or of a rule of your own. */
export interface Breach extends Omit<Violation, 'invariant'> {
  readonly invariant: Violation['invariant'] | 'own'
}

/** A shortest way to a breach. */
export interface Counterexample {
  readonly moves: readonly Move[]
  readonly breaches: readonly Breach[]
  /** A test for `node --test` that fails as long as the breach is there. */
  readonly test: string
  /** A Mermaid sequence diagram of what happened. */
  readonly diagram: string
}

/** What was found. */
export interface Exploration {
  /** Distinct states, the first included. */
  readonly states: number
  readonly moves: number
  /** Moves of the longest path that led to a new state. */
  readonly depth: number
  readonly seconds: number
  /** Every move of every state within the budgets was made. */
  readonly exhausted: boolean
  /** What ended the search. */
  readonly ended: 'exhausted' | 'maxStates' | 'maxDepth' | 'maxMoves' | 'seconds' | 'found'
  readonly counterexamples: readonly Counterexample[]
  /** Paths to all states, in the order in which they were found. */
  readonly paths: () => Iterable<readonly Move[]>
}
