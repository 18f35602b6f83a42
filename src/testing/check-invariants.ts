/**
 * Is a log whole and true? The invariants that hold for every run, whatever was commanded, checked on what it recorded.
 *
 * V1 Each breach names the event that broke a rule. What follows an event that may not stand where it stands cannot be
 *    judged and is left out.
 * V2 Brackets that are open at the end are no breach, unless the run has come to rest: a process may be at work.
 *
 * @module
 */
import type { StoredEvent } from '../events/event.ts'
import { AuthorityWatch } from './invariants/authority-watch.ts'
import { DerivationWatch } from './invariants/derivation-watch.ts'
import { EnclosureWatch } from './invariants/enclosure-watch.ts'
import { FateWatch } from './invariants/fate-watch.ts'
import { checkRecord, type RunRecord } from './invariants/run-record.ts'
import type { Invariant, Violation } from './invariants/violation.ts'

export type { Invariant, RunRecord, Violation }

/**
 * Checks a log, and what else was seen of the run.
 *
 * @returns the breaches, by the event that broke a rule; empty if all holds.
 */
export function checkInvariants(
  log: Iterable<StoredEvent> | { read(): readonly StoredEvent[] },
  record: RunRecord = {},
): readonly Violation[] {
  const events = 'read' in log ? log.read() : [...log]
  const found: Violation[] = []
  const report = (violation: Violation): void => {
    found.push(violation)
  }
  const enclosure = new EnclosureWatch(report)
  const watches = [new DerivationWatch(report), new FateWatch(report), new AuthorityWatch(report)]
  for (const event of events) {
    enclosure.take(event)
    if (enclosure.broken) break
    for (const watch of watches) watch.take(event)
  }
  if (!enclosure.broken) {
    enclosure.finish()
    if (record.atRest === true) checkRest(enclosure, report)
  }
  checkRecord(events, record, report)
  return found.toSorted((a, b) => (a.seq ?? events.length) - (b.seq ?? events.length))
}

function checkRest({ ledger }: EnclosureWatch, report: (violation: Violation) => void): void {
  const { openTurn, openStep, length } = ledger
  if (openTurn === null) return
  const what = openStep === null ? `turn ${openTurn}` : `step ${openTurn}.${openStep}`
  report({
    invariant: 'I-BRACKET',
    rule: 'at-rest',
    seq: length - 1,
    message: `the run has come to rest, but ${what} is open`,
  })
}
