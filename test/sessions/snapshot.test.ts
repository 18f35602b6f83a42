/**
 * A snapshot of projections plus the tail of the log equals a full replay.
 */
import { assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { approvals } from '../../src/projections/approvals.ts'
import { cancels } from '../../src/projections/cancels.ts'
import { consumed } from '../../src/projections/consumed-work.ts'
import { history, historyView } from '../../src/projections/history.ts'
import { inbox } from '../../src/projections/inbox.ts'
import { openWork } from '../../src/projections/open-work.ts'
import { fold } from '../../src/projections/projection.ts'
import { requestHeader } from '../../src/projections/request-header.ts'
import { sessionState } from '../../src/projections/session-state.ts'
import { status } from '../../src/projections/status.ts'
import { transcript } from '../../src/projections/transcript.ts'
import { turns } from '../../src/projections/turns.ts'
import { usage } from '../../src/projections/usage.ts'
import {
  checkSnapshot,
  foldFrom,
  type Snapshot,
  takeSnapshot,
} from '../../src/sessions/snapshot.ts'
import { HEADER } from '../support/crashed.ts'
import { LogScript } from '../support/log-script.ts'
import { anyLog } from '../support/random-log.ts'

const ALL = [
  approvals,
  cancels,
  consumed,
  history,
  inbox,
  openWork,
  requestHeader,
  sessionState,
  status,
  transcript,
  turns,
  usage,
]

const logOf = (events: Parameters<typeof fold>[1]) =>
  createMemoryLog({ header: HEADER, events: [...events] })

/** What goes through a file. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

describe('snapshots', () => {
  it('NW-15: at every event, snapshot and tail give what a full replay gives, for every projection', () => {
    assert(
      property(anyLog(90), ({ events }) => {
        const whole = logOf(events)
        for (let length = 0; length <= events.length; length += 1) {
          const snapshot = stored(takeSnapshot(logOf(events.slice(0, length)), ALL))
          expect(checkSnapshot(snapshot, ALL, whole)).toEqual([])
        }
      }),
      { numRuns: 25 },
    )
  })

  it('NW-15: a snapshot may be made of an earlier one and the events since', () => {
    assert(
      property(anyLog(150), integer({ min: 0, max: 150 }), ({ events }, cut) => {
        const earlier = stored(takeSnapshot(logOf(events.slice(0, cut)), ALL))
        expect(takeSnapshot(logOf(events), ALL, earlier)).toEqual(takeSnapshot(logOf(events), ALL))
      }),
      { numRuns: 60 },
    )
  })

  it('the history from a snapshot is what requests are made of', () => {
    const script = new LogScript()
    script.turn('A', 'one')
    const snapshot = stored(takeSnapshot(logOf(script.events), [history]))
    script.turn('B', 'two')
    const state = foldFrom(snapshot, history, logOf(script.events))
    expect(historyView(state)).toEqual(historyView(fold(history, script.events)))
  })

  it('keeps payloads that look like its own marks', () => {
    const script = new LogScript()
    const metadata = { $list: [1], inner: { $plain: { $list: [] } } }
    const message = {
      id: 'A',
      role: 'user',
      content: [],
      source: { kind: 'user' },
      metadata,
    } as const
    script.insert('next-turn', 0, message, { wake: true })
    const log = logOf(script.events)
    const state = foldFrom(stored(takeSnapshot(log, [inbox])), inbox, log)
    expect(state.nextTurn[0]?.message.metadata).toEqual(metadata)
  })

  describe('Z2: is passed over', () => {
    const script = new LogScript()
    script.turn('A', 'one')
    const log = logOf(script.events)
    const snapshot = takeSnapshot(log, [inbox])
    const poisoned = {
      ...snapshot,
      states: { inbox: stored({ ...inbox.initial, claimed: true }) },
    } as never as Snapshot

    it('by nothing when it fits', () => {
      expect(foldFrom(poisoned, inbox, log)).toMatchObject({ nextTurn: [], claimed: true })
    })

    it('by nothing when it fits, and a check finds what is wrong with it', () => {
      const wrong = { ...snapshot, states: { inbox: stored({ ...inbox.initial, nextTurn: [1] }) } }
      expect(checkSnapshot(wrong as never, [inbox], log)).toEqual(['inbox'])
      expect(checkSnapshot(snapshot, [inbox], log)).toEqual([])
    })

    it.each([
      ['of another session', { session: 's2' }],
      ['of another version', { version: 2 }],
      ['longer than the log', { length: 99 }],
      ['with another event at its place', { last: { time: 1, type: 'turn/end' } }],
      ['without the projection', { states: {} }],
    ])('%s', (_what, other) => {
      expect(foldFrom({ ...poisoned, ...other }, inbox, log)).toEqual(fold(inbox, script.events))
    })
  })
})
