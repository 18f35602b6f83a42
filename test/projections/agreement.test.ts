/**
 * On random logs the projections agree with each other, with the enclosure rules, and with plain counting.
 *
 * @module
 */
import { assert, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Ledger } from '../../src/events/enclosure.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import type { MessageId, Usage } from '../../src/events/message.ts'
import { inbox, pendingEntries, type InboxEntry } from '../../src/projections/inbox.ts'
import { lineage } from '../../src/projections/lineage.ts'
import { openWork } from '../../src/projections/open-work.ts'
import { fold, type Projection } from '../../src/projections/projection.ts'
import { sessionState } from '../../src/projections/session-state.ts'
import { status } from '../../src/projections/status.ts'
import { turns, turnsView } from '../../src/projections/turns.ts'
import { usage, usageByTurn } from '../../src/projections/usage.ts'
import { anyLog } from '../support/random-log.ts'

const RUNS = { numRuns: 100 }

const idsOf = (entries: readonly InboxEntry[]): MessageId[] =>
  entries.map((entry) => entry.message.id)

/** The state after each event. */
const states = <S>(projection: Projection<S>, events: readonly StoredEvent[]): S[] => {
  let state = projection.initial
  return events.map((event) => {
    state = projection.evolve(state, event)
    return state
  })
}

const wakes = (event: StoredEvent): boolean =>
  (event.type === 'inbox/inserted' && event.data.wake && event.data.mark === undefined) ||
  (event.type === 'session/opened' && event.data.wake)

describe('inbox', () => {
  it('holds exactly what a plain model of the lists holds', () => {
    assert(
      property(anyLog(), ({ events, lists }) => {
        const state = fold(inbox, events)
        expect(idsOf(state.nextTurn)).toEqual(lists['next-turn'])
        expect(idsOf(state.nextStep)).toEqual(lists['next-step'])
      }),
      RUNS,
    )
  })

  it('parks only what is pending, each id once, and is not parked when nothing is', () => {
    assert(
      property(anyLog(), ({ events }) => {
        const faulty = states(inbox, events).filter(({ parked, ...state }) => {
          if (parked === null) return false
          const pending = idsOf(pendingEntries({ parked, ...state }))
          const ids = new Set(parked.ids)
          return (
            ids.size === 0 ||
            ids.size < parked.ids.length ||
            parked.ids.some((id) => !pending.includes(id))
          )
        })
        expect(faulty).toEqual([])
      }),
      RUNS,
    )
  })

  it('is not parked right behind a wake', () => {
    assert(
      property(anyLog(), ({ events }) => {
        const woken = states(inbox, events).filter((_, seq) => wakes(events[seq] as StoredEvent))
        expect(woken.filter(({ parked }) => parked !== null)).toEqual([])
      }),
      RUNS,
    )
  })
})

describe('numbers and brackets', () => {
  it('agree with the enclosure rules', () => {
    assert(
      property(anyLog(), ({ events, ledger }) => {
        const state = fold(sessionState, events)
        expect(state.turn).toBe(ledger.lastTurn)
        expect(state.step).toBe(ledger.lastStep)
        expect(state.openTurn).toBe(ledger.openTurn !== null)
        const open = fold(openWork, events)
        expect(open.turn).toBe(ledger.openTurn)
        expect(open.step).toBe(ledger.openStep)
      }),
      RUNS,
    )
  })

  it('open calls agree with the enclosure rules at every prefix', () => {
    assert(
      property(anyLog(), ({ events }) => {
        const ledger = new Ledger()
        const expected = events.map((event) => {
          ledger.apply(event)
          return ledger.openCalls().map(({ call, called }) => ({ key: call.key, called }))
        })
        const found = states(openWork, events).map(({ calls }) =>
          calls.map(({ call, state }) => ({ key: call.key, called: state !== 'named' })),
        )
        expect(found).toEqual(expected)
      }),
      RUNS,
    )
  })

  it('status is never idle between turn/start and turn/end', () => {
    assert(
      property(anyLog(), ({ events }) => {
        let open: number | null = null
        const expected = events.map((event) => {
          if (event.type === 'turn/start') open = event.data.turn
          if (event.type === 'turn/end' && event.data.turn === open) open = null
          return open === null ? 'idle' : 'running'
        })
        expect(states(status, events).map((state) => state.status)).toEqual(expected)
      }),
      RUNS,
    )
  })
})

const tokens = (part: Usage | null | undefined): number =>
  (part?.inputTokens ?? 0) + (part?.outputTokens ?? 0)

const reportOf = ({ type, data }: StoredEvent): Usage | null =>
  type === 'assistant/chunk' && data.chunk.kind === 'usage' ? data.chunk.usage : null

const ENDS_ATTEMPT = new Set(['assistant/message', 'request/failed', 'step/end'])

/** Tokens by plain counting: each attempt once, by what ended it. */
function countTokens(events: readonly StoredEvent[]): number {
  let sum = 0
  const reported = new Map<string, number>()
  for (const event of events) {
    const { type, data } = event
    const step = 'step' in data ? `${data.turn}.${data.step}` : ''
    const said = reportOf(event)
    if (said !== null) reported.set(step, tokens(said))
    if (!ENDS_ATTEMPT.has(type)) continue
    sum += 'usage' in data ? tokens(data.usage) : (reported.get(step) ?? 0)
    reported.delete(step)
  }
  return sum
}

describe('usage and turns', () => {
  it('sum what messages, failures and cut attempts report, in all and by turn', () => {
    assert(
      property(anyLog(), ({ events }) => {
        const state = fold(usage, events)
        const counted = countTokens(events)
        expect(tokens(state.total)).toBe(counted)
        const byTurn = usageByTurn(state)
        expect(byTurn.reduce((sum, record) => sum + tokens(record.usage), 0)).toBe(counted)
        const listed = turnsView(fold(turns, events))
        expect(listed.map((record) => ({ turn: record.turn, usage: record.usage }))).toEqual(byTurn)
      }),
      RUNS,
    )
  })

  it('name what each turn claimed, and how it ended where its turn/end says so', () => {
    assert(
      property(anyLog(), ({ events }) => {
        for (const record of turnsView(fold(turns, events))) {
          const end = events[record.to ?? -1]
          const reason = end?.type === 'turn/end' ? end.data.reason : null
          expect(record.reason).toEqual(reason)
          expect(record.claimed).toEqual(expect.arrayContaining([...record.uncommitted]))
        }
      }),
      RUNS,
    )
  })
})

describe('lineage', () => {
  it('stands where the enclosure rules say, for every id', () => {
    assert(
      property(anyLog(), ({ events, ledger }) => {
        const ids = [...(ledger.fates?.keys() ?? [])]
        const fates = ids.map((id) => ledger.fate(id))
        expect(ids.map((id) => fold(lineage(id), events).standing)).toEqual(
          fates.map((fate) => (fate?.startsWith('next-') === true ? 'pending' : fate)),
        )
      }),
      RUNS,
    )
  })
})
