/**
 * Repair: the events that close what a crash has left open. It runs on cold logs only, and runs nothing itself.
 *
 * R1 It scans the whole log, not its tail, and only appends.
 * R2 Deterministic and idempotent: a repaired log needs nothing, and a repair that was cut by another crash is gone on
 *    with where it stopped, as if it had not been cut.
 * R3 What the log then says is true: a call that may have run is answered as unknown, and no call is answered as run.
 * R4 Nothing is lost: what the user saw is in the history, and what was claimed and not committed is pending again,
 *    without a wake.
 *
 * @module
 */
import { unknownOutcome } from '../actors/open-brackets.ts'
import { RESTORED } from '../actors/restoring.ts'
import { ARGUMENTS_CUT, denied, NOT_STARTED } from '../actors/synthetic.ts'
import type { Ledger } from '../events/enclosure.ts'
import type { NewEvent, StoredEvent } from '../events/event.ts'
import type { Outcome } from '../events/message.ts'
import type { CallBook, StepBook, TurnBook } from '../events/rules/books.ts'
import type { EventLog } from '../log/event-log.ts'
import { CrashBooks, type Decision, type PlacedMessage, type RecordedCall } from './crash-books.ts'

/** What a repair leaves as it is. */
export interface RepairOptions {
  /** A turn that waits for an approval stays open, with its questions. Default false: they are closed as cancelled. */
  readonly keepApprovals?: boolean
}

/**
 * The events that repair a log; empty if it needs none.
 *
 * @param events - the whole log.
 * @throws LogCorruptError when it is no well-formed log.
 */
export function repairEvents(
  events: Iterable<StoredEvent>,
  options: RepairOptions = {},
): NewEvent[] {
  const books = new CrashBooks([...events])
  const back = new PuttingBack(books)
  const repair = back.events(books.owed.values())
  const kept = options.keepApprovals === true && books.ledger.asks ? books.ledger.openTurn : null
  for (const turn of turnsOf(books)) {
    if (turn === kept) {
      repair.push(...waitingEvents(books))
      continue
    }
    for (const step of stepsOf(books, turn)) repair.push(...stepEvents(books, step))
    const open = openTurnOf(books, turn)
    if (open !== undefined) repair.push(...turnEvents(books, open, back))
  }
  return repair
}

/**
 * Appends what repairs `log`, at the time of its last event.
 *
 * @returns the number of appended events.
 * @throws whatever the log refuses with; nothing is recorded then.
 */
export function repairLog(log: EventLog, options: RepairOptions = {}): number {
  const last = log.at(log.length - 1)
  if (last === undefined || !mayNeedRepair(log, last)) return 0
  const events = repairEvents(log.read(), options)
  if (events.length > 0) log.append(events, last.time)
  return events.length
}

/** Is a turn or a step open, at the end or further up? */
export const needsClosing = ({ openTurn, balanced }: Ledger): boolean =>
  openTurn !== null || !balanced

/** Answers most logs without reading them again. */
function mayNeedRepair({ ledger }: EventLog, last: StoredEvent): boolean {
  if (needsClosing(ledger)) return true
  if (last.type === 'turn/end') return last.data.reason.kind === 'interrupted'
  return last.type === 'inbox/inserted' && last.data.mark === 'recovered'
}

/** Numbers of the turns in which something is open. */
function turnsOf({ ledger }: CrashBooks): number[] {
  const { strayTurns, straySteps, openTurn } = ledger
  const turns = [...strayTurns, ...straySteps].map((book) => book.turn)
  if (openTurn !== null) turns.push(openTurn)
  return [...new Set(turns)].toSorted((a, b) => a - b)
}

function stepsOf({ ledger }: CrashBooks, turn: number): StepBook[] {
  const steps = ledger.straySteps.filter((step) => step.turn === turn)
  if (ledger.step !== null && ledger.step.turn === turn) steps.push(ledger.step)
  return steps.toSorted((a, b) => a.step - b.step)
}

const openTurnOf = ({ ledger }: CrashBooks, turn: number): TurnBook | undefined =>
  ledger.openTurn === turn
    ? (ledger.turn ?? undefined)
    : ledger.strayTurns.find((stray) => stray.turn === turn)

/** A step is closed like an aborted one: the seen prefix, the open questions, the unanswered calls, the end. */
function stepEvents(books: CrashBooks, step: StepBook): NewEvent[] {
  const { turn, step: number, open } = step
  const end: NewEvent[] = open ? [{ type: 'step/end', data: { turn, step: number } }] : []
  return [...prefixEvents(books, step), ...questionEvents(step), ...callEvents(books, step), ...end]
}

/** A turn that goes on waiting: what was called and is not asked about gets its outcome, because it may have run. */
function waitingEvents(books: CrashBooks): NewEvent[] {
  const { step } = books.ledger
  if (step === null) return []
  const owed = step.calls.filter((call) => call.called && !step.asks(call))
  return callEvents(books, step, owed)
}

/** What was visible stays; calls of an attempt that was not committed never existed. */
function prefixEvents(books: CrashBooks, { turn, step, open, answered }: StepBook): NewEvent[] {
  const attempt = books.attemptOf({ turn, step })
  if (!open || answered || attempt === undefined || attempt.failed) return []
  const message = attempt.blocks.prefix()
  if (message === undefined) return []
  const usage = attempt.usage === undefined ? {} : { usage: attempt.usage }
  const data = { turn, step, message, ...usage, interrupted: true as const }
  return [{ type: 'assistant/message', data, cites: attempt.cites }]
}

function questionEvents({ turn, step, questions, calls }: StepBook): NewEvent[] {
  return calls
    .filter(({ call }) => questions?.get(call.key) === 'open')
    .map(({ call }) => ({
      type: 'approval/decided',
      data: { turn, step, call, answer: 'cancelled', by: RESTORED },
    }))
}

function callEvents(books: CrashBooks, step: StepBook, calls = step.calls): NewEvent[] {
  const { turn, step: number } = step
  return calls
    .filter((call) => !call.answered)
    .map((book) => {
      const recorded = books.callOf(step, book.call.key)
      const decision = books.decisionOf(step, book.call.key)
      const outcome = outcomeOf(step, book, { recorded, decision })
      const data = { turn, step: number, call: book.call, outcome }
      return { type: 'tool/result', data, ...(recorded && { cites: [recorded.seq] }) }
    })
}

/** What is known of a call: the most telling fact first. */
function outcomeOf(step: StepBook, { settled }: CallBook, known: KnownOfCall): Outcome {
  if (settled !== undefined) return settled
  const denial = denialOf(known.decision)
  if (denial !== undefined) return denial
  // Calls of a truncated step are recorded to be answered, never to be run.
  if (step.cut) return ARGUMENTS_CUT
  return known.recorded === undefined ? NOT_STARTED : unknownOutcome(known.recorded.repeatable)
}

interface KnownOfCall {
  readonly recorded: RecordedCall | undefined
  readonly decision: Decision | undefined
}

/** A cancelled question denies nothing: it says that nobody has answered. */
function denialOf(decision: Decision | undefined): Outcome | undefined {
  if (decision?.answer !== 'deny' && decision?.answer !== 'expired') return undefined
  return denied(decision.by, decision.reason ?? 'not approved')
}

function turnEvents(books: CrashBooks, { turn, claimed }: TurnBook, back: PuttingBack): NewEvent[] {
  const uncommitted = [...claimed]
  const placed = uncommitted.flatMap((id) => books.messages.get(id) ?? [])
  const end: NewEvent = {
    type: 'turn/end',
    data: { turn, reason: { kind: 'interrupted' }, uncommitted },
  }
  return [end, ...back.events(placed)]
}

/** Claimed messages on their way back to the heads of their lists, in the order of their claims. */
class PuttingBack {
  private readonly next: CrashBooks['putBack']

  constructor({ putBack }: CrashBooks) {
    this.next = { ...putBack }
  }

  events(messages: Iterable<PlacedMessage>): NewEvent[] {
    return Array.from(messages, ({ message, list }) => ({
      type: 'inbox/inserted',
      data: {
        target: list,
        index: this.next[list]++,
        message,
        wake: false,
        actor: RESTORED,
        mark: 'recovered',
      },
    }))
  }
}
