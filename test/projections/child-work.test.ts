/**
 * What a child has come to, folded from its log.
 */
import { describe, expect, it } from 'vitest'
import type { Chunk } from '../../src/events/chunk.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import type { TurnReason, Usage } from '../../src/events/message.ts'
import {
  childWork,
  restartWork,
  streamedText,
  type ChildWork,
} from '../../src/projections/child-work.ts'
import { consumed } from '../../src/projections/consumed-work.ts'
import { fold } from '../../src/projections/projection.ts'
import { REASONS } from '../support/log-script.ts'
import { says, textMessage } from '../support/log-writer.ts'
import { stored } from '../support/stored.ts'

const AT = { turn: 1, step: 1 }

const delta = (text: string): Chunk => ({ kind: 'text-delta', block: 0, text })
const thought: Chunk = { kind: 'reasoning-delta', block: 0, text: 'hm' }
const chunk = (what: Chunk, attempt = 1, at = AT): StoredEvent =>
  stored('assistant/chunk', { ...at, attempt, chunk: what })
const spends = (usage: Usage): StoredEvent => chunk({ kind: 'usage', usage })
const answers = (text: string, usage: Usage = {}): StoredEvent =>
  stored('assistant/message', { ...AT, message: says(text), usage })
const ends = (turn: number, reason: TurnReason): StoredEvent =>
  stored('turn/end', { turn, reason, uncommitted: [] })

const TURN = stored('turn/start', { turn: 1 })
const STEP = stored('step/start', AT)
const STEP_ENDS = stored('step/end', AT)
const CANCEL = stored('cancel/requested', {
  cause: { kind: 'user' },
  actor: 'caller',
  keepInbox: false,
  resume: false,
  turn: null,
  discarded: [],
})
const QUEUED = stored('inbox/inserted', {
  target: 'next-turn',
  index: 0,
  message: textMessage('a'),
  wake: true,
  actor: 'caller',
})

/** Everything but the work that was consumed, which has tests of its own. */
type Own = Omit<ChildWork, 'consumed' | 'turns'> & { readonly turns: readonly unknown[] }

const NONE: Own = {
  reason: null,
  cancelled: false,
  committed: '',
  streamed: { at: '', text: '' },
  turns: [],
  usage: {},
  reported: [],
}
const shown = ({ turns, ...rest }: ChildWork) => ({ ...rest, turns: turns.toArray() })

const CASES: readonly [name: string, events: readonly StoredEvent[], own: Partial<Own>][] = [
  ['is nothing at first', [], {}],
  ['knows what is pending', [QUEUED], {}],
  ['has a step', [TURN, STEP], {}],
  ['says what was committed last', [answers('one'), answers('two')], { committed: 'two' }],
  ['keeps a text where an empty one follows', [answers('one'), answers('')], { committed: 'one' }],
  [
    'streams the text of an attempt',
    [chunk(delta('a')), chunk(thought), chunk(delta('b'))],
    { streamed: { at: '1.1#1', text: 'ab' } },
  ],
  [
    'streams the text of the latest attempt alone',
    [chunk(delta('a')), chunk(delta('b'), 2)],
    { streamed: { at: '1.1#2', text: 'b' } },
  ],
  ['was cancelled', [CANCEL], { cancelled: true }],
  [
    'ends with the turn that accounts for it',
    [TURN, STEP, ends(1, REASONS.error)],
    { reason: REASONS.error, turns: [{ turn: 1, reason: REASONS.error }] },
  ],
  [
    'lists a turn that does no work, and does not end with it',
    [
      TURN,
      STEP,
      ends(1, REASONS.completed),
      stored('turn/start', { turn: 2 }),
      ends(2, REASONS.aborted),
    ],
    {
      reason: REASONS.completed,
      turns: [
        { turn: 1, reason: REASONS.completed },
        { turn: 2, reason: REASONS.aborted },
      ],
    },
  ],
  [
    'has no reason where no turn did work',
    [TURN, ends(1, REASONS.completed)],
    { turns: [{ turn: 1, reason: REASONS.completed }] },
  ],
  [
    'holds what a stream reports',
    [spends({ inputTokens: 3 })],
    { reported: [{ ...AT, usage: { inputTokens: 3 } }] },
  ],
  [
    'books what a cut stream reported',
    [spends({ inputTokens: 3 }), STEP_ENDS],
    { usage: { inputTokens: 3 } },
  ],
  [
    'sums what messages used',
    [answers('', { inputTokens: 3 }), answers('', { inputTokens: 4, outputTokens: 1 })],
    { usage: { inputTokens: 7, outputTokens: 1 } },
  ],
  [
    'takes an answer, its use and a step at once',
    [STEP, spends({ inputTokens: 3 }), answers('one', { inputTokens: 4 })],
    { committed: 'one', usage: { inputTokens: 4 } },
  ],
]

describe('the work of a child', () => {
  it.each(CASES)('%s', (_name, events, own) => {
    const state = fold(childWork, events)
    expect(shown(state)).toEqual({ ...NONE, ...own, consumed: fold(consumed, events) })
  })

  const BUSY = [QUEUED, TURN, STEP, chunk(delta('a')), answers('one', { inputTokens: 3 }), CANCEL]
  it.each<[string, StoredEvent]>([
    ['a thought', chunk(thought)],
    ['an empty piece of text', chunk(delta(''))],
    ['a message without text and use', answers('')],
    ['a second cancel', CANCEL],
    ['a step that is open already', STEP],
    ['the end of a step that reported nothing', STEP_ENDS],
    ['what is not known', { seq: 0, time: 0, type: 'acme/x', data: {} } as unknown as StoredEvent],
  ])('stays the same object through %s', (_name, event) => {
    const state = fold(childWork, BUSY)
    expect(childWork.evolve(state, event)).toBe(state)
  })

  it('W1 keeps only what is pending, and where the turns stand, when it starts anew', () => {
    const dropped = stored('inbox/discarded', { ids: ['a'], reason: 'removed', actor: 'caller' })
    const events = [
      ...BUSY,
      ends(1, REASONS.error),
      dropped,
      spends({ inputTokens: 9 }),
      chunk(delta('x')),
      { ...QUEUED, seq: 1 },
    ]
    const before = fold(childWork, events)
    expect(before.consumed).toMatchObject({ end: 'error', turn: 1, droppedUnrun: true })
    const { inbox, last, stepped } = before.consumed
    expect(inbox.nextTurn).toHaveLength(1)
    expect(shown(restartWork(before))).toEqual({
      ...NONE,
      consumed: { end: null, turn: null, droppedUnrun: false, inbox, last, stepped },
    })
    expect([last, stepped]).toEqual([1, true])
  })

  it('has a name', () => {
    expect(childWork.name).toBe('child-work')
  })
})

describe('the text of an attempt', () => {
  const state = { at: '1.1#1', text: 'a' }
  it.each([
    [{ turn: 1, step: 1 }, 1, { at: '1.1#1', text: 'ab' }],
    [{ turn: 1, step: 1 }, 2, { at: '1.1#2', text: 'b' }],
    [{ turn: 1, step: 2 }, 1, { at: '1.2#1', text: 'b' }],
    [{ turn: 2, step: 1 }, 1, { at: '2.1#1', text: 'b' }],
  ])('goes on in its own attempt: %j, %i', (at, attempt, streamed) => {
    expect(streamedText(state, at, attempt, delta('b'))).toEqual(streamed)
  })

  it.each([thought, delta('')])('is the same object after %j', (nothing) => {
    expect(streamedText(state, { turn: 2, step: 1 }, 1, nothing)).toBe(state)
  })
})
