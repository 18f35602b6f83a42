/**
 * The whole state of what the machines decide from, of what is open, and of the small folds beside them, event by event.
 *
 * @module
 */
import { describe, expect, it } from 'vitest'
import type { StepAt, StoredEvent } from '../../src/events/event.ts'
import type { CallRef, Outcome } from '../../src/events/message.ts'
import { consumed } from '../../src/projections/consumed-work.ts'
import { lineage, type Lineage } from '../../src/projections/lineage.ts'
import { openWork, type OpenWork } from '../../src/projections/open-work.ts'
import { fold } from '../../src/projections/projection.ts'
import { requestHeader } from '../../src/projections/request-header.ts'
import { sessionState, type SessionState } from '../../src/projections/session-state.ts'
import { status } from '../../src/projections/status.ts'
import { REASONS } from '../support/log-script.ts'
import { says, textMessage } from '../support/log-writer.ts'
import { stored } from '../support/stored.ts'
import { unchanged } from '../support/unchanged.ts'

const AT: StepAt = { turn: 2, step: 2 }
const EARLIER: StepAt = { turn: 2, step: 1 }
const LONG_AGO: StepAt = { turn: 1, step: 2 }
const OK: Outcome = { kind: 'ok', content: [] }
const call: CallRef = { key: 'c', index: 0, providerId: 'p' }

const start = (turn = 2) => stored('turn/start', { turn })
const end = (turn = 2) => stored('turn/end', { turn, reason: REASONS.completed, uncommitted: [] })
const step = (at = AT) => stored('step/start', at)
const chunk = (at = AT, attempt = 1) =>
  stored('assistant/chunk', { ...at, attempt, chunk: { kind: 'finish', reason: 'stop' } })
const message = (at = AT) => stored('assistant/message', { ...at, message: says('x') })
const failed = (at = AT) =>
  stored('request/failed', {
    ...at,
    attempt: 1,
    provider: 'p',
    failure: { code: 'SERVER', message: 'boom' },
    action: 'retry',
    delayMs: 0,
  })
const context = stored('context/message', { turn: 2, message: textMessage('X') })
const header = { ...AT, provider: 'p', model: 'm', reason: 'initial' } as const
const capacity = { ...AT, provider: 'p', model: 'm', contextWindow: 9 }
const settled = (at = AT) => stored('tool/settled', { ...at, call, outcome: OK })

const dropped = (id: string) =>
  stored('inbox/discarded', { ids: [id], reason: 'cleared', actor: 'a' }, 3)
const taken = (id: string) => stored('inbox/claimed', { turn: 2, nextStep: [], nextTurn: [id] }, 3)
const moved = (id: string) =>
  stored('inbox/moved', { id, from: 'next-turn', to: 'next-step', index: 0, actor: 'a' }, 3)
const drop = (...ids: string[]) => stored('inbox/discarded', { ids, reason: 'removed', actor: 'a' })
const insert = (id: string, target: 'next-turn' | 'next-step', wake: boolean) =>
  stored('inbox/inserted', {
    target,
    index: 0,
    wake,
    actor: 'a',
    message: textMessage(id, 'plugin'),
  })

describe('the session', () => {
  it.each<[string, StoredEvent[], Partial<SessionState>]>([
    ['opens a turn', [start()], { openTurn: true }],
    ['opens a step', [start(), step()], { openTurn: true, step: 2 }],
    ['takes in context', [start(), context], { openTurn: true, progress: 'context' }],
    ['makes a request by a chunk', [start(), chunk()], { openTurn: true, progress: 'request' }],
    ['makes a request by a message', [start(), message()], { openTurn: true, progress: 'request' }],
    ['makes a request by a failure', [start(), failed()], { openTurn: true, progress: 'request' }],
    [
      'makes a request by its header',
      [start(), stored('request/header', header)],
      { openTurn: true, progress: 'request', header },
    ],
    [
      'makes a request by its capacity',
      [start(), stored('request/context', capacity)],
      { openTurn: true, progress: 'request', context: capacity },
    ],
    ['begins a turn without a request', [start(1), chunk(LONG_AGO), start()], { openTurn: true }],
    [
      'ends a turn of nothing as barren',
      [start(), end()],
      { lastTurn: { reason: 'completed', stepped: false, claimed: false }, barren: 1 },
    ],
    [
      'ends a turn of context as none',
      [start(), context, end()],
      {
        lastTurn: { reason: 'completed', stepped: false, claimed: false },
        progress: 'context',
      },
    ],
  ])('%s', (_, events, then) => {
    expect(fold(sessionState, events)).toStrictEqual({ ...sessionState.initial, turn: 2, ...then })
  })

  unchanged(sessionState, [
    ['context behind a request', [start(), chunk()], context],
    ['a second chunk', [start(), chunk()], chunk()],
    ['a step of an earlier turn', [start()], step(LONG_AGO)],
    ['a chunk of an earlier turn', [start()], chunk(LONG_AGO)],
    ['a message of an earlier turn', [start()], message(LONG_AGO)],
    ['a failure of an earlier turn', [start()], failed(LONG_AGO)],
    ['the end of an earlier turn', [start()], end(1)],
    [
      'a session that opens where nothing was barren',
      [],
      stored('session/opened', { how: 'resume', wake: false }),
    ],
  ])
})

describe('what is open', () => {
  const OPEN = [start(), step()]
  const open: OpenWork = { turn: 2, step: 2, attempt: null, calls: [] }
  it.each<[string, StoredEvent[], OpenWork]>([
    ['an attempt', [...OPEN, chunk()], { ...open, attempt: 1 }],
    ['a later attempt', [...OPEN, chunk(), chunk(AT, 2)], { ...open, attempt: 2 }],
    ['no attempt behind its failure', [...OPEN, chunk(), failed()], open],
    ['no attempt behind its message', [...OPEN, chunk(), message()], open],
    [
      'a call that is first heard of when it settles',
      [...OPEN, settled()],
      { ...open, calls: [{ call, name: '', state: 'settled', outcome: OK }] },
    ],
  ])('%s', (_, events, then) => {
    expect(fold(openWork, events)).toStrictEqual(then)
  })

  unchanged(openWork, [
    ['a message without calls', OPEN, message()],
    ['a failure where nothing streams', OPEN, failed()],
    ['a second chunk', [...OPEN, chunk()], chunk()],
    ['a chunk of an earlier step', OPEN, chunk(EARLIER)],
    ['a message of an earlier step', [...OPEN, chunk()], message(EARLIER)],
    ['a failure of an earlier step', [...OPEN, chunk()], failed(EARLIER)],
    ['a failure of the same step of an earlier turn', [...OPEN, chunk()], failed(LONG_AGO)],
    ['a call of an earlier step that settles', OPEN, settled(EARLIER)],
    ['the end of an earlier step', OPEN, stored('step/end', EARLIER)],
    ['the end of an earlier turn', OPEN, end(1)],
    [
      'a result of a call that is not open',
      OPEN,
      stored('tool/result', { ...AT, call, outcome: OK }),
    ],
  ])
})

describe('the message A', () => {
  const A = { id: 'A', standing: 'unknown', facts: [] } as const

  it.each<[string, StoredEvent, Omit<Lineage, 'id'>]>([
    ['claimed', taken('A'), { standing: 'claimed', facts: [{ seq: 3, kind: 'claimed', turn: 2 }] }],
    [
      'discarded',
      dropped('A'),
      {
        standing: 'discarded',
        facts: [{ seq: 3, kind: 'discarded', reason: 'cleared', actor: 'a' }],
      },
    ],
  ])('is %s', (_, event, then) => {
    expect(fold(lineage('A'), [event])).toStrictEqual({ ...A, ...then })
  })

  unchanged(lineage('A'), [
    ['a claim of another', [], taken('B')],
    ['a discard of another', [], dropped('B')],
    ['a move of another', [], moved('B')],
  ])
})

describe('beside them', () => {
  unchanged(status, [['the end of an earlier turn', [start()], end(1)]])
  it('the header and the capacity of the last request are kept apart', () => {
    const events = [stored('request/header', header), stored('request/context', capacity)]
    expect(fold(requestHeader, events)).toStrictEqual({ header, context: capacity })
  })
  const PENDING = [insert('work', 'next-turn', true), insert('note', 'next-step', false)]
  it('work is dropped, although context is dropped with it', () => {
    expect(fold(consumed, [...PENDING, drop('note', 'work')]).droppedUnrun).toBe(true)
    expect(fold(consumed, [...PENDING, drop('note')]).droppedUnrun).toBe(false)
  })
  unchanged(consumed, [['a discard of what is not pending', PENDING, drop('x')]])
})
