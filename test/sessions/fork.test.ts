/**
 * A fork copies its parent up to a boundary and takes nothing from it.
 */
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../src/events/event.ts'
import { checkLog } from '../../src/events/enclosure.ts'
import { inbox } from '../../src/projections/inbox.ts'
import { fold } from '../../src/projections/projection.ts'
import { forkOf } from '../../src/sessions/fork.ts'
import { printLog } from '../../src/testing/print-event.ts'
import { AT, HEADER, openStep } from '../support/crashed.ts'
import { LogScript } from '../support/log-script.ts'

const CHILD = { id: 'c1', createdAt: 9000 }
const parentOf = (events: readonly StoredEvent[]) => ({
  header: { ...HEADER, cwd: '/w', depth: 2 },
  events,
})

/** A turn, then a steer that waits. */
function withPending(): LogScript {
  const log = new LogScript()
  log.turn('A', 'one')
  log.steer('S')
  return log
}

describe('forkOf', () => {
  it('F1: copies every event as it stands; the header names the parent and the length', () => {
    const parent = parentOf(withPending().events)
    const before = JSON.stringify(parent)
    const child = forkOf(parent, CHILD)
    expect(child.header).toEqual({
      id: 'c1',
      formatVersion: 1,
      createdAt: 9000,
      cwd: '/w',
      parent: 's1',
      inheritedLength: parent.events.length,
      depth: 2,
    })
    expect(child.events.slice(0, -1)).toEqual(parent.events)
    expect(child.events.at(-1)).toEqual({
      seq: parent.events.length,
      time: 9000,
      type: 'session/opened',
      data: { how: 'fork', inherited: parent.events.length, wake: false, inheritInbox: false },
    })
    expect(JSON.stringify(parent)).toBe(before)
  })

  it('F3: pending input stays with the parent, unless it is inherited: parked then', () => {
    const parent = parentOf(withPending().events)
    expect(fold(inbox, forkOf(parent, CHILD).events).nextStep).toEqual([])
    const state = fold(inbox, forkOf(parent, CHILD, { inheritInbox: true }).events)
    expect(state.nextStep.map((entry) => entry.message.id)).toEqual(['S'])
    expect(state.parked).toEqual({ reason: 'resume', ids: ['S'] })
  })

  it.each([
    'completed',
    'max-tokens',
    'blocked',
    'aborted',
    'error',
    'limit',
    'interrupted',
  ] as const)(
    'FK-05: forks behind a turn that ended %s, and at every other closed position',
    (kind) => {
      const log = new LogScript()
      log.followup('A')
      log.claim(log.start(), ['A'])
      log.end(kind)
      const parent = parentOf(log.events)
      expect(forkOf(parent, CHILD, { at: 3 }).events).toHaveLength(5)
      expect(forkOf(parent, CHILD, { at: 0 }).header.inheritedLength).toBe(1)
    },
  )

  it.each([1, 2, 3, 4])('F2: refuses position %d inside a turn', (at) => {
    const parent = parentOf(openStep().events)
    expect(() => forkOf(parent, CHILD, { at })).toThrow(
      expect.objectContaining({ code: 'OPEN_TURN' }),
    )
  })

  it('F2: closes what is open as interrupted in the child when asked, at the time of the last copied event', () => {
    const { events } = openStep()
    const child = forkOf(parentOf(events), CHILD, { closeOpen: true })
    expect(printLog(child.events.slice(events.length))).toEqual([
      'step/end 1.1',
      'turn/end 1 interrupted',
      'session/opened fork',
    ])
    expect(child.events.at(-2)?.time).toBe(events.at(-1)?.time)
    expect(child.header.inheritedLength).toBe(events.length)
    checkLog(child.events)
  })

  it('F2: what an open turn has claimed is put back only where the inbox is inherited', () => {
    const log = new LogScript()
    log.followup('A')
    log.claim(log.start(), ['A'])
    const lines = (inheritInbox: boolean): string[] =>
      printLog(
        forkOf(parentOf(log.events), CHILD, { closeOpen: true, inheritInbox }).events.slice(3),
      )
    expect(lines(false)).toEqual([
      'turn/end 1 interrupted uncommitted ["A"]',
      'session/opened fork',
    ])
    expect(lines(true)).toEqual([
      'turn/end 1 interrupted uncommitted ["A"]',
      'inbox next-turn @0 +["A"] recovered',
      'session/opened fork',
    ])
  })

  it('refuses a log with an open bracket further up like one with an open turn', () => {
    const log = openStep()
    log.start()
    log.end('completed')
    const parent = parentOf(log.events)
    expect(() => forkOf(parent, CHILD)).toThrow(expect.objectContaining({ code: 'OPEN_TURN' }))
    checkLog(forkOf(parent, CHILD, { closeOpen: true }).events)
  })

  it.each([-1, 5, 0.5, Number.NaN])('refuses the boundary %d', (at) => {
    const parent = parentOf(openStep().events)
    expect(() => forkOf(parent, CHILD, { at })).toThrow(
      expect.objectContaining({ code: 'INVALID_BOUNDARY' }),
    )
  })

  it('forks an empty session', () => {
    expect(forkOf(parentOf([]), CHILD)).toMatchObject({
      header: { inheritedLength: 0 },
      events: [{ seq: 0, type: 'session/opened' }],
    })
  })

  it('keeps an interrupted prefix in the child', () => {
    const log = openStep()
    const chunk = { kind: 'text-delta', block: 0, text: 'partial' } as const
    log.put('assistant/chunk', { ...AT, attempt: 1, chunk })
    const child = forkOf(parentOf(log.events), CHILD, { closeOpen: true })
    expect(printLog(child.events)).toContain('assistant/message 1.1 "partial" [interrupted]')
  })
})
