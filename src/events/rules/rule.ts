/**
 * What a rule is, and the questions that several rules ask.
 *
 * @module
 */
import { EnclosureError, TurnwiseError } from '../../errors.ts'
import type { CoreEvents, CoreType, StepAt } from '../event.ts'
import type { MessageId } from '../message.ts'
import type { Books, StepBook, TurnBook } from './books.ts'

/** The names of the rules; `enclosure.ts` says what each one means. */
export type RuleName =
  | 'attempt-order'
  | 'batch-first'
  | 'call-known'
  | 'call-order'
  | 'called-first'
  | 'cancel-names'
  | 'compaction-pairs'
  | 'earlier-cites'
  | 'index-range'
  | 'injection-turn'
  | 'interrupted-calls'
  | 'next-step-number'
  | 'next-turn-number'
  | 'no-open-step'
  | 'no-open-turn'
  | 'one-message'
  | 'open-attempt'
  | 'open-step'
  | 'open-turn'
  | 'pending-id'
  | 'question-pairs'
  | 'settled-once'
  | 'unanswered-call'
  | 'uncommitted-ids'

/** May an event of this type stand here, and what does it change? `check` never changes the books. */
export interface Rule<T extends CoreType> {
  /** @param loading - the event is already stored: brackets left open are noted, not refused. */
  check(books: Books, data: CoreEvents[T], loading: boolean): void
  apply(books: Books, data: CoreEvents[T]): void
}

export type RulesOf<T extends CoreType> = { readonly [K in T]: Rule<K> }

/** @throws EnclosureError always. */
export function refuse(rule: RuleName, text: string): never {
  throw new EnclosureError(rule, `${text}. Nothing was recorded.`)
}

/** The open turn, which must be `turn`. */
export function openTurn(books: Books, turn: number): TurnBook {
  const open = books.turn
  if (open === null || open.turn !== turn) {
    refuse('open-turn', `expected the open turn (${books.openTurn ?? 'none'}), found turn ${turn}`)
  }
  return open
}

/** The open step, which must be `at`. */
export function openStep(books: Books, at: StepAt): StepBook {
  const open = books.step
  if (open === null || open.turn !== at.turn || open.step !== at.step) {
    const found = open === null ? 'none' : `${open.turn}.${open.step}`
    refuse('open-step', `expected the open step (${found}), found step ${at.turn}.${at.step}`)
  }
  return open
}

/** The open step if it is `at`, or one that only a repair may still touch. */
export function openOrStrayStep(books: Books, at: StepAt): StepBook {
  const open = books.step
  if (open !== null && open.turn === at.turn && open.step === at.step) return open
  const stray = books.straySteps.find((step) => step.turn === at.turn && step.step === at.step)
  return stray ?? openStep(books, at)
}

export function noOpenTurn(books: Books, what: string): void {
  if (books.turn !== null)
    refuse('no-open-turn', `${what} needs no open turn, but turn ${books.turn.turn} is open`)
}

export function noOpenStep(books: Books, what: string): void {
  if (books.step !== null) {
    refuse(
      'no-open-step',
      `${what} needs no open step, but step ${books.step.turn}.${books.step.step} is open`,
    )
  }
}

/**
 * The id of a message that enters: neither pending, nor claimed by the open turn, nor committed.
 *
 * @throws TurnwiseError DUPLICATE_ID
 */
export function freshId(books: Books, id: MessageId): void {
  const fate = books.fate(id)
  if (fate !== undefined)
    duplicate(id, fate === 'claimed' || fate === 'committed' ? fate : `pending in ${fate}`)
}

/** @throws TurnwiseError DUPLICATE_ID always. */
export function duplicate(id: MessageId, found: string): never {
  throw new TurnwiseError(
    'DUPLICATE_ID',
    `expected an id that is not in use, found ${JSON.stringify(id)}, which is ${found}; nothing was recorded. Treat the message as already delivered.`,
  )
}
