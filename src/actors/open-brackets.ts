/**
 * The events that close what a refused log has left open, before another turn opens.
 *
 * @module
 */
import type { Ledger } from '../events/enclosure.ts'
import type { NewEvent } from '../events/event.ts'
import type { Outcome } from '../events/message.ts'

/** Outcome of a call of which nobody knows whether it ran. */
export const unknownOutcome = (repeatable: boolean): Outcome =>
  Object.freeze({
    kind: 'error',
    code: 'OUTCOME_UNKNOWN',
    content: Object.freeze([
      Object.freeze({
        type: 'text',
        text: repeatable
          ? 'The outcome is unknown: the call may have run. Calling this tool again is safe.'
          : 'The outcome is unknown: the call may have run. Check its effect before calling it again.',
      } as const),
    ]),
    ...(repeatable ? { repeatable: true as const } : {}),
  })

/** Closes the open step and turn of `ledger` as interrupted; empty if nothing is open. */
export function closingEvents(ledger: Ledger): NewEvent[] {
  const { openTurn: turn, openStep: step } = ledger
  if (turn === null) return []
  const events: NewEvent[] = []
  if (step !== null) {
    for (const { call, name, called } of ledger.openCalls()) {
      if (!called)
        events.push({ type: 'tool/call', data: { turn, step, call, name, arguments: '' } })
      events.push({
        type: 'tool/result',
        data: { turn, step, call, outcome: unknownOutcome(false) },
      })
    }
    events.push({ type: 'step/end', data: { turn, step } })
  }
  events.push({
    type: 'turn/end',
    data: { turn, reason: { kind: 'interrupted' }, uncommitted: [...(ledger.turn?.claimed ?? [])] },
  })
  return events
}
