/**
 * The enclosure rules as invariants. Brackets that were left open are told of only if nothing has closed them since.
 *
 * @module
 */
import { EnclosureError, TurnwiseError } from '../../errors.ts'
import { Ledger } from '../../events/enclosure.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { StepBook, TurnBook } from '../../events/rules/books.ts'
import type { RuleName } from '../../events/rules/rule.ts'
import { placeOf } from '../../projections/place-of.ts'
import type { Invariant, Report } from './violation.ts'

const OF_RULE: { readonly [rule in RuleName]: Invariant } = {
  'attempt-order': 'I-BRACKET',
  'batch-first': 'I-BRACKET',
  'call-known': 'I-PAIR',
  'call-order': 'I-EFFECT',
  'called-first': 'I-PAIR',
  'cancel-names': 'I-ONCE',
  'compaction-pairs': 'I-BRACKET',
  'earlier-cites': 'I-DERIVE',
  'index-range': 'I-DERIVE',
  'injection-turn': 'I-BRACKET',
  'interrupted-calls': 'I-PAIR',
  'next-step-number': 'I-BRACKET',
  'next-turn-number': 'I-BRACKET',
  'no-open-step': 'I-BRACKET',
  'no-open-turn': 'I-BRACKET',
  'one-message': 'I-BRACKET',
  'open-attempt': 'I-BRACKET',
  'open-step': 'I-BRACKET',
  'open-turn': 'I-BRACKET',
  'pending-id': 'I-ONCE',
  'question-pairs': 'I-PAIR',
  'settled-once': 'I-PAIR',
  'unanswered-call': 'I-PAIR',
  'uncommitted-ids': 'I-ONCE',
}

/** Follows the ledger and stops at the first event that may not stand there. */
export class EnclosureWatch {
  readonly ledger = new Ledger()
  /** An event was refused: what follows cannot be judged. */
  broken = false
  private readonly report: Report
  /** Seq of the event that left a bracket open. */
  private readonly left = new Map<TurnBook | StepBook, number>()

  constructor(report: Report) {
    this.report = report
  }

  take(event: StoredEvent): void {
    try {
      this.ledger.check(event, true)
    } catch (error) {
      if (!(error instanceof TurnwiseError)) throw error
      this.broken = true
      this.refused(event, error)
      return
    }
    this.ledger.apply(event)
    for (const book of [...this.ledger.strayTurns, ...this.ledger.straySteps])
      if (!this.left.has(book)) this.left.set(book, event.seq)
  }

  private refused(event: StoredEvent, error: TurnwiseError): void {
    const rule = error instanceof EnclosureError ? (error.rule as RuleName) : 'duplicate-id'
    const invariant = rule === 'duplicate-id' ? 'I-ONCE' : OF_RULE[rule]
    const late = (rule === 'open-turn' || rule === 'open-step') && this.isOver(event)
    this.report({
      invariant: late ? 'I-TERMINAL' : invariant,
      rule,
      seq: event.seq,
      message: error.summary,
    })
  }

  /** Does it belong to a turn that has ended? */
  private isOver(event: StoredEvent): boolean {
    const { turn } = placeOf(event)
    const { lastTurn, openTurn } = this.ledger
    return turn !== null && turn <= lastTurn && turn !== openTurn
  }

  /** Tells what was left open, and nobody has closed. */
  finish(): void {
    for (const turn of this.ledger.strayTurns) {
      this.leftOpen(turn, 'I-BRACKET', 'no-open-turn', `turn ${turn.turn} was left open here`)
    }
    for (const step of this.ledger.straySteps) {
      const at = `step ${step.turn}.${step.step}`
      if (step.open) this.leftOpen(step, 'I-BRACKET', 'no-open-step', `${at} was left open here`)
      else {
        const names = step.calls.filter((call) => !call.answered).map((call) => call.call.key)
        const message = `${at} closed over calls without a result: ${names.join(', ')}`
        this.leftOpen(step, 'I-PAIR', 'unanswered-call', message)
      }
    }
  }

  private leftOpen(
    book: TurnBook | StepBook,
    invariant: Invariant,
    rule: RuleName,
    message: string,
  ): void {
    const seq = this.left.get(book) ?? null
    this.report({ invariant, rule, seq, message: `${message}, and nothing has closed it since` })
  }
}
