/**
 * The goal of a session, folded from what changed it and from the rounds that entered a step.
 */
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../src/events/event.ts'
import type { Json } from '../../src/events/json.ts'
import type { Source } from '../../src/events/message.ts'
import { goal, type GoalState } from '../../src/projections/goal.ts'
import { fold } from '../../src/projections/projection.ts'
import { textMessage } from '../support/log-writer.ts'
import { stored } from '../support/stored.ts'

const change = (revision: number, what: Json, id = 'g'): StoredEvent =>
  stored('goal/change', { goal: id, revision, change: what })
const round = (source: Partial<Source>): StoredEvent =>
  stored('user/message', {
    turn: 1,
    step: 1,
    message: { ...textMessage('m'), source: { kind: 'goal', goal: 'g', revision: 1, ...source } },
  })

const SET = change(1, { kind: 'set', objective: 'ship' })
const FIRST = round({ round: 1 })
const STATE: GoalState = {
  id: 'g',
  revision: 1,
  objective: 'ship',
  phase: 'active',
  code: null,
  reason: null,
  started: 0,
}
const BLOCKED = change(2, { kind: 'phase', phase: 'blocked', code: 'stuck', reason: 'no key' })

const CASES: readonly [name: string, events: readonly StoredEvent[], state: GoalState | null][] = [
  ['is none at first', [], null],
  ['is set', [SET], STATE],
  ['counts the rounds in their order', [SET, FIRST, round({ round: 2 })], { ...STATE, started: 2 }],
  [
    'is edited, and keeps its phase and its rounds',
    [SET, FIRST, change(2, { kind: 'edit', objective: 'sail' })],
    { ...STATE, revision: 2, objective: 'sail', started: 1 },
  ],
  [
    'has a phase, with code and reason',
    [SET, BLOCKED],
    { ...STATE, revision: 2, phase: 'blocked', code: 'stuck', reason: 'no key' },
  ],
  [
    'forgets code and reason in the next phase',
    [SET, BLOCKED, change(3, { kind: 'phase', phase: 'active' })],
    { ...STATE, revision: 3 },
  ],
  [
    'takes no code and no reason that is no text',
    [SET, change(2, { kind: 'phase', phase: 'paused', code: 1, reason: ['x'] })],
    { ...STATE, revision: 2, phase: 'paused' },
  ],
  [
    'is complete',
    [SET, change(2, { kind: 'phase', phase: 'complete' })],
    { ...STATE, revision: 2, phase: 'complete' },
  ],
  [
    'begins anew with another one',
    [SET, FIRST, BLOCKED, change(3, { kind: 'set', objective: 'rest' }, 'h')],
    { ...STATE, id: 'h', revision: 3, objective: 'rest' },
  ],
  [
    'begins anew when it is set again',
    [SET, FIRST, change(2, { kind: 'set', objective: 'rest' })],
    { ...STATE, revision: 2, objective: 'rest' },
  ],
]

const UNREADABLE: readonly Json[] = [
  null,
  'phase',
  7,
  [],
  {},
  { kind: 'set' },
  { kind: 'set', objective: 5 },
  { kind: 'edit' },
  { kind: 'other', objective: 'x' },
  { kind: 'other', phase: 'paused' },
  { objective: 'x', phase: 'paused' },
  { kind: 'phase' },
  { kind: 'phase', phase: 7 },
  { kind: 'phase', phase: 'odd', code: 'x', reason: 'y' },
]

describe('a goal', () => {
  it.each(CASES)('%s', (_name, events, state) => {
    expect(fold(goal, events)).toEqual(state)
  })

  it.each(UNREADABLE.map((what) => ({ what })))(
    'G2 has another revision, and nothing else, through $what',
    ({ what }) => {
      const state = { ...STATE, revision: 2, started: 1 }
      expect(fold(goal, [SET, FIRST, change(2, what)])).toEqual(state)
    },
  )

  it.each<[string, StoredEvent]>([
    ['a message of a user', round({ kind: 'user', round: 2 })],
    ['a round of another goal', round({ goal: 'h', round: 2 })],
    ['a round of an earlier revision', round({ revision: 0, round: 2 })],
    ['a round that has started', FIRST],
    ['a round that is not the next', round({ round: 3 })],
    ['a round without a number', round({})],
    ['an edit of another goal', change(2, { kind: 'edit', objective: 'x' }, 'h')],
    ['a phase of another goal', change(2, { kind: 'phase', phase: 'paused' }, 'h')],
    ['a turn', stored('turn/start', { turn: 1 })],
  ])('stays the same object through %s', (_name, event) => {
    const state = fold(goal, [SET, FIRST])
    expect(goal.evolve(state, event)).toBe(state)
  })

  it.each<[string, StoredEvent]>([
    ['a round', FIRST],
    ['an edit', change(1, { kind: 'edit', objective: 'x' })],
    ['a phase', change(1, { kind: 'phase', phase: 'paused' })],
    ['what cannot be read', change(1, null)],
  ])('is not set by %s', (_name, event) => {
    expect(goal.evolve(null, event)).toBeNull()
  })

  it('has a name', () => {
    expect(goal.name).toBe('goal')
  })
})
