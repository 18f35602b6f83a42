/**
 * What is known of the open turn beside the log: a plain record that dies with it.
 *
 * @module
 */
import type { ActorName, InboxList } from '../events/event.ts'
import type { Failure, Message, MessageId, TurnReason, Usage } from '../events/message.ts'
import type { StepEnd } from '../machines/turn.gates.ts'
import type { InboxEntry } from '../projections/inbox.ts'
import type { Insertion } from './inbox-desk.ts'

/** A claimed message with the place it came from. */
export interface ClaimedEntry {
  readonly entry: InboxEntry
  readonly list: InboxList
}

/** How far the way from a claim into a step has come. */
export interface Boundary {
  assembled: boolean
  secured: boolean
  asked: boolean
  /** The batch before the gates, the runtime context first. */
  batch: readonly Message[]
  /** The runtime context in it. */
  context: Message | undefined
  /** What failed, or the answer of the gates. */
  verdict: 'enter' | 'empty' | 'reject' | 'fail' | undefined
}

/** The open turn. */
export interface TurnRecord {
  readonly turn: number
  /** Message of an injection turn. */
  readonly injection: { readonly message: Message; readonly actor: ActorName } | undefined
  readonly startedAt: number
  /** Number of the last opened step. */
  step: number
  readonly claimed: ClaimedEntry[]
  boundary: Boundary
  /** Exactly what the next step commits. */
  batch: readonly Message[]
  system: string | undefined
  /** How the last step ended. */
  end: StepEnd
  /** A step of this turn was truncated: sticky. */
  truncated: boolean
  /** Answer of the continuation gate for the last step; undefined before it was asked. */
  decision: 'continue' | 'stop' | 'default' | undefined
  decidedBy: string
  stops: number
  tokens: number
  /** Outcome, once one is fixed that is stronger than `completed`. */
  reason: TurnReason | undefined
  failure: Failure | undefined
  announced: boolean
  /** Claimed ids that a rejecting gate gives back. */
  restore: readonly MessageId[]
  /** What goes back to the inbox and is not recorded yet. */
  left: Insertion[]
  refusals: number
  abandoned: boolean
}

export const newBoundary = (): Boundary => ({
  assembled: false,
  secured: false,
  asked: false,
  batch: [],
  context: undefined,
  verdict: undefined,
})

/** A record for turn number `turn`. */
export const newTurn = (
  turn: number,
  injection: TurnRecord['injection'],
  startedAt: number,
): TurnRecord => ({
  turn,
  injection,
  startedAt,
  step: 0,
  claimed: [],
  boundary: newBoundary(),
  batch: [],
  system: undefined,
  end: { kind: 'done', owes: false, truncated: false },
  truncated: false,
  decision: undefined,
  decidedBy: 'continuation',
  stops: 0,
  tokens: 0,
  reason: undefined,
  failure: undefined,
  announced: false,
  restore: [],
  left: [],
  refusals: 0,
  abandoned: false,
})

/** Tokens that count against the budget of a turn. */
export const tokensOf = (usage: Usage | undefined): number =>
  usage === undefined
    ? 0
    : (usage.totalTokens ?? (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0))
