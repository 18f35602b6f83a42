/**
 * Every projection is pure, incremental and equal to a full replay, on random logs.
 *
 * Each law is tried through the text of the states, taken when a state was new and again when the whole log was folded.
 *
 * @module
 */
import { assert, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../src/events/event.ts'
import { AppendList } from '../../src/projections/append-list.ts'
import { approvals } from '../../src/projections/approvals.ts'
import { cancels } from '../../src/projections/cancels.ts'
import { consumed } from '../../src/projections/consumed-work.ts'
import { history } from '../../src/projections/history.ts'
import { inbox } from '../../src/projections/inbox.ts'
import { lineage } from '../../src/projections/lineage.ts'
import { openWork } from '../../src/projections/open-work.ts'
import { fold, type Projection } from '../../src/projections/projection.ts'
import { requestHeader } from '../../src/projections/request-header.ts'
import { runInterval } from '../../src/projections/run-interval.ts'
import { sessionState } from '../../src/projections/session-state.ts'
import { status } from '../../src/projections/status.ts'
import { transcript } from '../../src/projections/transcript.ts'
import { turns } from '../../src/projections/turns.ts'
import { usage } from '../../src/projections/usage.ts'
import { anyLog } from '../support/random-log.ts'

const PROJECTIONS: readonly Projection<unknown>[] = [
  approvals,
  cancels,
  consumed,
  history,
  inbox,
  lineage('m1'),
  openWork,
  requestHeader,
  runInterval('m1'),
  sessionState,
  status,
  transcript,
  turns,
  usage,
] as Projection<unknown>[]

/** Freezes all that can be reached, through parts that are frozen already. */
function freezeAll(value: unknown, seen: WeakSet<object>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  if (value instanceof AppendList) return
  Object.freeze(value)
  for (const part of Object.values(value)) freezeAll(part, seen)
}

/** The states of a fold, and what each of them said when it was new. */
function watch(projection: Projection<unknown>, events: readonly StoredEvent[]) {
  const seen = new WeakSet<object>()
  const states = [projection.initial]
  const texts = [JSON.stringify(projection.initial)]
  for (const event of events) {
    freezeAll(states.at(-1), seen)
    const state = projection.evolve(states.at(-1), event)
    states.push(state)
    texts.push(JSON.stringify(state))
  }
  return { states, texts }
}

describe.each(PROJECTIONS.map((projection) => ({ name: projection.name, projection })))(
  '$name',
  ({ projection }) => {
    it('says the same when it is read late, when it is replayed, and when an old state is folded on', () => {
      assert(
        property(anyLog(250), ({ events }) => {
          const { states, texts } = watch(projection, events)
          const late = states.map((state) => JSON.stringify(state))
          expect(late.filter((text, seq) => text !== texts[seq])).toEqual([])
          const replayed = states.map((_, seq) => fold(projection, events.slice(0, seq)))
          expect(replayed.filter((state, seq) => JSON.stringify(state) !== texts[seq])).toEqual([])
          const ends = states.map((state, seq) => fold(projection, events.slice(seq), state))
          expect(ends.filter((state) => JSON.stringify(state) !== late.at(-1))).toEqual([])
        }),
        { numRuns: 40 },
      )
    })

    it('P3 an event of an unknown type changes nothing, whatever it is called', () => {
      for (const type of ['acme/note', 'toString', 'constructor', '__proto__']) {
        const event = { seq: 0, time: 0, type, data: {} } as unknown as StoredEvent
        expect(projection.evolve(projection.initial, event)).toBe(projection.initial)
      }
    })

    it('answers the same object where nothing changed', () => {
      assert(
        property(anyLog(250), ({ events }) => {
          const { states, texts } = watch(projection, events)
          const idle = events.filter(
            (_, seq) => texts[seq] === texts[seq + 1] && states[seq] !== states[seq + 1],
          )
          expect(idle).toEqual([])
        }),
        { numRuns: 40 },
      )
    })
  },
)
