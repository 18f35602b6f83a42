/**
 * On random logs: what the model is shown is well formed, and the transcript tells it from what was said.
 *
 * @module
 */
import { assert, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Ledger } from '../../src/events/enclosure.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import type { HistoryEntry } from '../../src/events/history-entry.ts'
import { history, historyView, type History } from '../../src/projections/history.ts'
import { fold } from '../../src/projections/projection.ts'
import { transcript, transcriptPage, type ShownEntry } from '../../src/projections/transcript.ts'
import { anyLog } from '../support/random-log.ts'

const RUNS = { numRuns: 100 }

const callsOf = (entry: HistoryEntry): string[] =>
  entry.role === 'assistant'
    ? entry.content.flatMap((block) => (block.type === 'tool-call' ? [block.call.key] : []))
    : []

/** Outcomes that do not stand behind the message of their call. */
function strayOutcomes(entries: readonly HistoryEntry[]): HistoryEntry[] {
  let calls: string[] = []
  return entries.filter((entry) => {
    if (entry.role === 'tool') return !calls.includes(entry.call.key)
    calls = callsOf(entry)
    return false
  })
}

/** Does each event belong to the step that is open then? */
function inOpenStep(events: readonly StoredEvent[]): boolean[] {
  const ledger = new Ledger()
  return events.map((event) => {
    const { data } = event
    const own = 'step' in data && data.step === ledger.openStep && data.turn === ledger.openTurn
    ledger.apply(event)
    return own
  })
}

describe('history', () => {
  it('holds each outcome behind the message of its call, and no outcome without one', () => {
    assert(
      property(anyLog(), ({ events }) => {
        let state = history.initial
        for (const event of events) {
          state = history.evolve(state, event)
          expect(strayOutcomes(historyView(state))).toEqual([])
        }
      }),
      RUNS,
    )
  })

  it('holds no call without an outcome where no step waits for one', () => {
    assert(
      property(anyLog(), ({ events, ledger }) => {
        const entries = historyView(fold(history, events))
        const answered = entries.flatMap((entry) => (entry.role === 'tool' ? [entry.call.key] : []))
        const waits = ledger.openCalls().map(({ call }) => call.key)
        expect([...answered, ...waits].toSorted()).toEqual(entries.flatMap(callsOf).toSorted())
      }),
      RUNS,
    )
  })

  it('grows only at its end, unless it is replaced or repaired', () => {
    assert(
      property(anyLog(), ({ events }) => {
        const open = inOpenStep(events)
        let state = history.initial
        for (const [seq, event] of events.entries()) {
          const before = historyView(state)
          state = history.evolve(state, event)
          const late = event.type === 'tool/result' && open[seq] === false
          if (event.type === 'compaction/summary' || late) continue
          expect(historyView(state).slice(0, before.length)).toEqual(before)
        }
      }),
      RUNS,
    )
  })
})

/** Empty messages and cut calls are said and never shown. */
function isNeverShown({ seq }: ShownEntry, events: readonly StoredEvent[]): boolean {
  const event = events[seq]
  if (event?.type === 'assistant/message') return event.data.message.content.length === 0
  if (event?.type !== 'tool/result' || event.data.outcome.kind !== 'error') return false
  return event.data.outcome.code === 'ARGUMENTS_CUT'
}

/** Does the history hold what the entry says? An outcome may say the text of a summary instead of its own. */
function isShown(shown: History, entry: ShownEntry, events: readonly StoredEvent[]): boolean {
  const entries = historyView(shown)
  if (entry.kind === 'summary' && entry.of !== null) {
    return entries.some(
      (one) => one.role === 'tool' && one.outcome.content === entry.message.content,
    )
  }
  const held = entries[shown.seqs.toArray().indexOf(entry.seq)]
  const event = events[entry.seq]
  if (held?.role !== 'tool' || event?.type !== 'tool/result') return held !== undefined
  return held.outcome === event.data.outcome
}

describe('transcript', () => {
  it('XR-12 never shortens, and keeps the order of the log', () => {
    assert(
      property(anyLog(), ({ events }) => {
        let state = transcript.initial
        for (const event of events) {
          const before = state.entries.toArray()
          state = transcript.evolve(state, event)
          expect(state.entries.toArray().slice(0, before.length)).toEqual(before)
          expect(state.length - before.length).toBeLessThanOrEqual(1)
        }
        const seqs = state.entries.toArray().map(({ seq }) => seq)
        expect(seqs).toEqual(seqs.toSorted((left, right) => left - right))
      }),
      RUNS,
    )
  })

  it('XR-12 flags exactly what the history has lost', () => {
    assert(
      property(anyLog(), ({ events }) => {
        const shown = fold(history, events)
        const page = transcriptPage(fold(transcript, events)).filter(
          (entry) => !isNeverShown(entry, events),
        )
        expect(page.filter((entry) => entry.replaced).map(({ seq }) => seq)).toEqual(
          page.filter((entry) => !isShown(shown, entry, events)).map(({ seq }) => seq),
        )
      }),
      RUNS,
    )
  })
})
