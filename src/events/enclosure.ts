/**
 * May this event follow this log? One incremental checker, used by every log on append, by tests and by `doctor`.
 *
 * Checking never changes the ledger; applying takes an event that was checked. An `EnclosureError` carries the name of
 * the broken rule:
 *
 * - E1  `no-open-turn`: turns, sessions and compactions of their own open while no turn is open; a session also over a
 *       turn that does nothing but wait for an approval.
 * - E2  `next-turn-number`: turns count from 1 without gaps.
 * - E3  `open-turn`: what belongs to a turn names the open one.
 * - E4  `no-open-step`: claims, decisions, context messages, steps and turn ends stand outside a step.
 * - E5  `next-step-number`: steps count from 1 in their turn.
 * - E6  `open-step`: what belongs to a step names the open one.
 * - E7  `batch-first`: a user message stands directly behind `step/start` or another user message.
 * - E8  `one-message`: a step has one assistant message at most.
 * - E9  `attempt-order`: chunks and failures belong to the current attempt and come before the message.
 * - E10 `open-attempt`: a step that closed over a streamed attempt, neither committed nor recorded as failed, is the
 *       last one, and its turn ends aborted, in error or interrupted.
 * - E11 `call-order`: calls are numbered and recorded in the model's order.
 * - E12 `call-known`: a call stands in the message, or behind a truncated one, and is answered once.
 * - E13 `called-first`: what settles was called before, unless the outcome says that it never started.
 * - E14 `settled-once`: a call settles once, before its result.
 * - E15 `unanswered-call`: a step does not close over a call without a result.
 * - E16 `injection-turn`: a turn holds either a context message or steps.
 * - E17 `pending-id`: what is claimed, discarded, moved or replaced is pending where the event says, and named once.
 * - E18 `index-range`: an index lies within its list, a range within the log.
 * - E19 `uncommitted-ids`: a turn end names exactly the claimed ids that were not committed, in claim order.
 * - E20 `question-pairs`: an approval is asked, then decided.
 * - E21 `cancel-names`: what a cancel names as discarded is not pending.
 * - E22 `compaction-pairs`: a compaction starts, then ends, over one range.
 * - E23 `earlier-cites`: an event cites earlier ones.
 * - E24 `interrupted-calls`: an interrupted message holds no calls.
 *
 * An id that is in use is refused with DUPLICATE_ID instead: pending, claimed by the open turn, or committed.
 *
 * Two exceptions make crashed logs readable. While loading, brackets left open are noted instead of refused (`strayTurns`,
 * `straySteps`). And what a repair appends (`tool/result`, an interrupted `assistant/message`, `approval/decided`,
 * `step/end`, `turn/end`) may stand anywhere behind its stray turn or step.
 *
 * @module
 */
import { EnclosureError, LogCorruptError, TurnwiseError } from '../errors.ts'
import type { CoreType, InboxList, NewEvent, StoredEvent } from './event.ts'
import type { CallRef, MessageId, Outcome } from './message.ts'
import { Books } from './rules/books.ts'
import { callRules } from './rules/call.rules.ts'
import { freeRules } from './rules/free.rules.ts'
import { inboxRules } from './rules/inbox.rules.ts'
import { messageRules } from './rules/message.rules.ts'
import { refuse } from './rules/rule.ts'
import type { RulesOf } from './rules/rule.ts'
import { turnRules } from './rules/turn.rules.ts'

/** A call of the open step that has no result yet. */
export interface OpenCall {
  readonly call: CallRef
  readonly name: string
  /** Does a `tool/call` exist? */
  readonly called: boolean
  readonly settled?: Outcome
}

const RULES: RulesOf<CoreType> = {
  ...inboxRules,
  ...turnRules,
  ...messageRules,
  ...callRules,
  ...freeRules,
}
/** A rule without its type: the event of that type, which is all it is asked about, may have any payload. */
interface AnyRule {
  check(books: Books, data: unknown, loading: boolean): void
  apply(books: Books, data: unknown): void
}
/** By type; a map, so that a foreign type named like a property of objects finds nothing. */
const ruleOf = new Map(Object.entries(RULES) as [string, AnyRule][])

/** Types of this library's own events. */
export const CORE_TYPES = Object.keys(RULES) as readonly CoreType[]
/** Is `type` one of this library's own? */
export const isCoreType = (type: string): type is CoreType => ruleOf.has(type)

const NO_CALLS: readonly OpenCall[] = []

/** What is open, pending and committed: the state of the enclosure rules. */
export class Ledger extends Books {
  /** The list in which a message is pending. */
  pendingIn(id: MessageId): InboxList | undefined {
    const fate = this.fate(id)
    return fate === 'next-turn' || fate === 'next-step' ? fate : undefined
  }

  isCommitted(id: MessageId): boolean {
    return this.fate(id) === 'committed'
  }

  /** Calls of the open step without a result, in the model's order. */
  openCalls(): readonly OpenCall[] {
    const step = this.step
    return step === null || step.unanswered === 0
      ? NO_CALLS
      : step.calls.filter((call) => !call.answered)
  }

  /** Does nothing wait for a repair but what is open at the end? */
  get balanced(): boolean {
    return this.strayTurns.length === 0 && this.straySteps.length === 0
  }

  /**
   * @param loading - the event is stored already: brackets left open are noted, not refused.
   * @throws EnclosureError when `event` may not follow; DUPLICATE_ID for an id that is in use.
   */
  check(event: NewEvent, loading = false): void {
    if (event.cites !== undefined) checkCites(event.cites, this.length)
    ruleOf.get(event.type)?.check(this, event.data, loading)
  }

  /** Takes an event that {@link check} has passed. */
  apply(event: NewEvent): void {
    ruleOf.get(event.type)?.apply(this, event.data)
    this.length++
    this.lastType = event.type
  }

  /** Starts again and takes `events`, which were checked before. Costs as much as their number. */
  rebuild(events: Iterable<NewEvent>): void {
    Object.assign(this, new Books())
    for (const event of events) this.apply(event)
  }
}

function checkCites(cites: readonly number[], length: number): void {
  for (const seq of cites) {
    if (!(seq >= 0 && seq < length))
      refuse('earlier-cites', `expected a seq below ${length}, found ${seq}`)
  }
}

/**
 * Folds a stored log through all rules.
 *
 * @returns the ledger at its end; what is open there, or was left open before, is found in it.
 * @throws LogCorruptError with the position of the first event that may not stand there.
 */
export function loadLedger(events: Iterable<StoredEvent>): Ledger {
  const ledger = new Ledger()
  for (const event of events) loadInto(ledger, event)
  return ledger
}

/** Takes one stored event into `ledger`. @throws LogCorruptError with its position. */
export function loadInto(ledger: Ledger, event: StoredEvent): void {
  const position = ledger.length
  if (event.seq !== position) {
    throw new LogCorruptError(
      position,
      `expected seq ${position}, found ${event.seq}: the log has a gap. Restore it.`,
    )
  }
  try {
    ledger.check(event, true)
  } catch (error) {
    if (!(error instanceof TurnwiseError)) throw error
    throw new LogCorruptError(
      position,
      `event ${position} (${event.type}) may not stand there: ${error.summary}`,
      {
        cause: error,
      },
    )
  }
  ledger.apply(event)
}

/**
 * Is this a whole, well-formed log? Only what is open at its end may be open.
 *
 * @throws LogCorruptError with a position; its cause is the broken rule.
 */
export function checkLog(events: Iterable<StoredEvent>): void {
  const ledger = loadLedger(events)
  if (ledger.balanced) return
  const step = ledger.straySteps[0]
  const at =
    step === undefined ? `turn ${ledger.strayTurns[0]?.turn}` : `step ${step.turn}.${step.step}`
  const cause = new EnclosureError('unanswered-call', `${at} was left open and never repaired`)
  throw new LogCorruptError(ledger.length, `${cause.summary}. Repair the log.`, { cause })
}
