/**
 * The state of the enclosure rules: what is open, pending, claimed and committed.
 *
 * It keeps names and numbers only, never payloads, and makes its collections when they are first needed: an idle agent
 * costs one small object.
 *
 * @module
 */
import type { ApprovalAnswer, InboxList } from '../event.ts'
import type { CallRef, MessageId, Outcome } from '../message.ts'

/** What became of a message: pending in a list, claimed by the open turn, or committed for good. */
export type Fate = InboxList | 'claimed' | 'committed'

/** A call of a step. */
export interface CallBook {
  readonly call: CallRef
  readonly name: string
  /** Does a `tool/call` exist? */
  called: boolean
  settled?: Outcome
  answered: boolean
}

/** A step: open, or closed and still owed something by a repair. */
export class StepBook {
  readonly turn: number
  readonly step: number
  open = true
  /** The attempt that chunks belong to, from 1. */
  attempt = 1
  /** This attempt has streamed something. */
  streamed = false
  /** An attempt failed for good: no other follows. */
  failed = false
  /** The assistant message is recorded. */
  answered = false
  /** The message was cut: calls may follow that it does not hold. */
  cut = false
  /** In the model's order, by `call.index`. */
  calls: CallBook[] = NO_CALLS
  unanswered = 0
  /** Index of the next `tool/call`, at least. */
  nextCall = 0
  /** Approvals by the key of their call: open, or their answer. */
  questions: Map<string, 'open' | ApprovalAnswer> | undefined = undefined

  constructor(turn: number, step: number) {
    this.turn = turn
    this.step = step
  }

  /** Is the question about this call open? */
  asks({ call, answered }: CallBook): boolean {
    return !answered && this.questions?.get(call.key) === 'open'
  }
}

const NO_CALLS: CallBook[] = []

/** A turn: open, or left open by a process that died. */
export class TurnBook {
  readonly turn: number
  /** Claimed ids that are not committed, in the order of the claims. */
  claimed: MessageId[] = []
  /** It took a `context/message`: it may have no step. */
  injection = false
  /** Its last step closed over an attempt that was neither committed nor recorded as failed. */
  unfinished = false
  /** A cancel has hit it. */
  cancelled = false

  constructor(turn: number) {
    this.turn = turn
  }
}

/** What the rules read and change. */
export class Books {
  /** Number of events applied. */
  length = 0
  /** Type of the last event; empty before the first. */
  lastType = ''
  /** Number of the last turn that started; 0 before the first. */
  lastTurn = 0
  openTurn: number | null = null
  /** Number of the last step of the last turn. */
  lastStep = 0
  openStep: number | null = null
  /** The open turn. */
  turn: TurnBook | null = null
  /** The open step. */
  step: StepBook | null = null
  /** The open compaction. */
  compaction: { readonly turn: number | null; readonly from: number; readonly to: number } | null =
    null
  /** Sizes of the two lists. */
  nextTurn = 0
  nextStep = 0
  fates: Map<MessageId, Fate> | undefined = undefined
  /** Turns that were left open while a later one opened: only a repair closes them. */
  strayTurns: readonly TurnBook[] = NO_TURNS
  /** Steps that were left open, or closed over unanswered calls: only a repair closes them. */
  straySteps: readonly StepBook[] = NO_STEPS

  /** Is a call of the open turn asked about, in a turn that nobody has cancelled? */
  get asks(): boolean {
    const { step, turn } = this
    return turn?.cancelled === false && step?.calls.some((call) => step.asks(call)) === true
  }

  /** Does the open turn do nothing but wait for an approval? Every other call that was recorded has its result. */
  get standsStill(): boolean {
    const { step } = this
    const still = (call: CallBook): boolean =>
      !call.called || call.answered || step?.asks(call) === true
    return this.asks && step?.calls.every(still) === true
  }

  fate(id: MessageId): Fate | undefined {
    return this.fates?.get(id)
  }

  /** Takes `id` to its new fate; undefined forgets it. */
  setFate(id: MessageId, fate: Fate | undefined): void {
    this.fates ??= new Map()
    this.count(this.fates.get(id), -1)
    this.count(fate, 1)
    if (fate === undefined) this.fates.delete(id)
    else this.fates.set(id, fate)
  }

  /** Number of pending messages of a list. */
  size(list: InboxList): number {
    return list === 'next-turn' ? this.nextTurn : this.nextStep
  }

  private count(fate: Fate | undefined, by: 1 | -1): void {
    if (fate === 'next-turn') this.nextTurn += by
    else if (fate === 'next-step') this.nextStep += by
  }
}

const NO_TURNS: readonly TurnBook[] = []
const NO_STEPS: readonly StepBook[] = []
