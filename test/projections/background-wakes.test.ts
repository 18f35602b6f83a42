/**
 * How often work in the background has woken an idle owner since a user spoke.
 */
import { describe, expect, it } from 'vitest'
import type { EventMap, StoredEvent } from '../../src/events/event.ts'
import type { Source } from '../../src/events/message.ts'
import { backgroundWakes } from '../../src/projections/background-wakes.ts'
import { inbox } from '../../src/projections/inbox.ts'
import { fold } from '../../src/projections/projection.ts'
import { REASONS } from '../support/log-script.ts'
import { textMessage } from '../support/log-writer.ts'
import { stored } from '../support/stored.ts'

const comes = (
  id: string,
  source: Source,
  more: Partial<EventMap['inbox/inserted']> = {},
): StoredEvent =>
  stored('inbox/inserted', {
    target: 'next-turn',
    index: 0,
    message: { ...textMessage(id), source },
    wake: true,
    actor: 'caller',
    ...more,
  })

const BACKGROUND: Source = { kind: 'child', background: true }
const wakes = (id: string): StoredEvent => comes(id, BACKGROUND)
const USER = comes('u', { kind: 'user' })
const TURN = stored('turn/start', { turn: 1 })
const ENDS = stored('turn/end', { turn: 1, reason: REASONS.completed, uncommitted: [] })
const claims = (nextTurn: readonly string[], nextStep: readonly string[] = []): StoredEvent =>
  stored('inbox/claimed', { turn: 1, nextStep, nextTurn })

const CASES: readonly [
  name: string,
  events: readonly StoredEvent[],
  count: number,
  open?: boolean,
][] = [
  ['none at first', [], 0],
  ['each one', [wakes('a'), wakes('b')], 2],
  ['none in an open turn', [TURN, wakes('a')], 0, true],
  ['those before a turn, and those after it', [wakes('a'), TURN, wakes('b'), ENDS, wakes('c')], 2],
  ['none of a user', [USER], 0],
  ['none of a child that its owner waits for', [comes('a', { kind: 'child' })], 0],
  ['none by a source that says something else', [comes('a', { kind: 'child', background: 1 })], 0],
  ['none that does not wake', [comes('a', BACKGROUND, { wake: false })], 0],
  ['none that was put back', [comes('a', BACKGROUND, { mark: 'restored' })], 0],
  [
    'none that waits, and was put back',
    [comes('a', BACKGROUND, { mark: 'recovered', wake: false })],
    0,
  ],
  ['still those before a claim of its own', [wakes('a'), TURN, claims(['a'])], 1, true],
  ['none before a user was heard', [wakes('a'), USER, TURN, claims(['u'])], 0, true],
  [
    'none before a user was heard among others',
    [wakes('a'), USER, TURN, claims(['a', 'u'])],
    0,
    true,
  ],
  ['none before a user steered', [wakes('a'), USER, TURN, claims(['a'], ['u'])], 0, true],
  ['still those before a user who is not heard yet', [wakes('a'), USER], 1],
  ['still those before a claim of what nobody sent', [wakes('a'), TURN, claims(['x'])], 1, true],
  ['anew after a user', [wakes('a'), USER, TURN, claims(['u']), ENDS, wakes('b')], 1],
]

describe('wakes by work in the background', () => {
  it.each(CASES)('count %s', (_name, events, count, open = false) => {
    const state = fold(backgroundWakes, events)
    expect(state).toEqual({ count, inbox: fold(inbox, events), openTurn: open })
  })

  it.each<[string, readonly StoredEvent[], StoredEvent]>([
    ['a step', [wakes('a')], stored('step/start', { turn: 1, step: 1 })],
    ['a claim of nothing', [wakes('a'), TURN], claims([])],
    ['a turn that is open already', [TURN], TURN],
    ['the end of a turn that is not open', [wakes('a')], ENDS],
  ])('stay the same object through %s', (_name, events, event) => {
    const state = fold(backgroundWakes, events)
    expect(backgroundWakes.evolve(state, event)).toBe(state)
  })

  it('have a name', () => {
    expect(backgroundWakes.name).toBe('background-wakes')
  })
})
