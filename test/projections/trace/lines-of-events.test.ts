/**
 * The line of each event that is told by itself: its kind, its parties, its words, and what was said.
 */
import { describe, expect, it } from 'vitest'
import type { EventMap, StoredEvent } from '../../../src/events/event.ts'
import type { TurnReason } from '../../../src/events/message.ts'
import { traceEntries } from '../../../src/projections/trace/trace-entries.ts'
import { textMessage } from '../../support/log-writer.ts'
import { stored } from '../../support/stored.ts'

const NOTE = { kind: 'note', from: 'agent', to: 'agent' } as const
const TELL = { kind: 'tell', from: 'caller', to: 'agent' } as const
type Route = typeof NOTE | typeof TELL

const AT = { turn: 1, step: 2 }
const hi = textMessage('a', 'user', 'hi')
const fromPlugin = textMessage('a', 'plugin', 'hi')

const inserted = (more: Partial<EventMap['inbox/inserted']>): StoredEvent =>
  stored('inbox/inserted', {
    target: 'next-turn',
    index: 0,
    message: hi,
    wake: true,
    actor: 'caller',
    ...more,
  })
const claims = (nextStep: string[], nextTurn: string[]): StoredEvent =>
  stored('inbox/claimed', { turn: 1, nextStep, nextTurn })
const canceled = (more: Partial<EventMap['cancel/requested']>): StoredEvent =>
  stored('cancel/requested', {
    cause: { kind: 'user' },
    actor: 'caller',
    keepInbox: false,
    resume: false,
    turn: null,
    discarded: [],
    ...more,
  })
const ended = (reason: TurnReason, more: Partial<EventMap['turn/end']> = {}): StoredEvent =>
  stored('turn/end', { turn: 4, reason, uncommitted: [], ...more })
const requests = (system: { system?: string }): StoredEvent =>
  stored('request/header', {
    ...AT,
    provider: 'openai',
    model: 'gpt',
    reason: 'initial',
    ...system,
  })

type Case = readonly [event: StoredEvent, route: Route, what: string, said?: string]

const CASES: readonly Case[] = [
  [stored('session/opened', { how: 'resume', wake: false }), NOTE, 'session opened by resume'],
  [
    stored('session/opened', { how: 'fork', inherited: 7, wake: true }),
    NOTE,
    'session opened by fork, 7 events inherited, wakes',
  ],
  [inserted({}), TELL, 'followup a', 'hi'],
  [inserted({ wake: false }), TELL, 'queues a', 'hi'],
  [inserted({ target: 'next-step' }), TELL, 'steer a', 'hi'],
  [inserted({ target: 'next-step', wake: false }), TELL, 'inject a', 'hi'],
  [inserted({ message: fromPlugin }), TELL, 'followup a from plugin', 'hi'],
  [inserted({ actor: 'user:42' }), TELL, 'followup a by user:42', 'hi'],
  [inserted({ message: fromPlugin, actor: '' }), TELL, 'followup a from plugin by ""', 'hi'],
  [inserted({ message: { ...hi, id: '' } }), TELL, 'followup ""', 'hi'],
  [inserted({ mark: 'restored' }), NOTE, 'restored a to next-turn', 'hi'],
  [
    inserted({ mark: 'recovered', target: 'next-step', message: fromPlugin, actor: 'ann' }),
    NOTE,
    'recovered a to next-step',
    'hi',
  ],
  [claims(['s'], ['a', 'b']), NOTE, 'claims s, a, b'],
  [claims([], ['a', 'b', 'c', 'd']), NOTE, 'claims a, b, c and 1 more'],
  [claims(['1', '2', '3', '4'], ['5']), NOTE, 'claims 1, 2, 3 and 2 more'],
  [claims([], ['x'.repeat(40)]), NOTE, `claims ${'x'.repeat(40)}`],
  [claims([], ['x'.repeat(41)]), NOTE, `claims ${'x'.repeat(39)}…`],
  [
    stored('inbox/discarded', { ids: ['a', 'b'], reason: 'cleared', actor: 'caller' }),
    NOTE,
    'discards a, b (cleared)',
  ],
  [
    stored('inbox/replaced', {
      ids: ['a', 'b'],
      target: 'next-turn',
      index: 0,
      messages: [textMessage('c', 'user', 'one'), textMessage('d', 'user', 'two')],
      wake: true,
      actor: 'caller',
    }),
    TELL,
    'replaces a, b by c, d',
    'one two',
  ],
  [
    stored('inbox/moved', { id: 'a', from: 'next-turn', to: 'next-step', index: 0, actor: 'x' }),
    TELL,
    'moves a to next-step',
  ],
  [stored('turn/start', { turn: 4 }), NOTE, 'turn 4 starts'],
  [stored('step/start', AT), NOTE, 'step 1.2 starts'],
  [stored('step/end', AT), NOTE, 'step 1.2 ends'],
  [
    stored('user/message', {
      ...AT,
      message: {
        ...hi,
        content: [
          { type: 'text', text: 'look' },
          { type: 'file', mediaType: 'text/plain', url: 'x:y' },
          { type: 'image', mediaType: 'image/png', url: 'x:y' },
          { type: 'text', text: 'here' },
        ],
      },
    }),
    NOTE,
    'takes a into the history',
    'look [file] [image] here',
  ],
  [
    stored('context/message', { turn: 1, message: fromPlugin }),
    NOTE,
    'takes a into the history',
    'hi',
  ],
  [requests({}), NOTE, 'requests go to openai/gpt (initial)'],
  [requests({ system: 'You help.' }), NOTE, 'requests go to openai/gpt (initial)', 'You help.'],
  [
    stored('gate/decided', { ...AT, gate: 'continuation', decision: 'stop', by: 'judge' }),
    NOTE,
    'continuation: stop by judge',
  ],
  [canceled({}), TELL, 'cancels (user)', '{"kind":"user"}'],
  [
    canceled({ turn: 3, cause: { kind: 'hook', why: 'late' } }),
    TELL,
    'cancels turn 3 (hook)',
    '{"kind":"hook","why":"late"}',
  ],
  [
    canceled({ turn: 0, keepInbox: true, resume: true, restoreClaimed: true, discarded: ['a'] }),
    TELL,
    'cancels turn 0 (user), keeps the inbox, goes on, restores what was claimed, discards a',
    '{"kind":"user"}',
  ],
  [canceled({ resume: true }), TELL, 'cancels (user), goes on', '{"kind":"user"}'],
  [ended({ kind: 'completed' }), NOTE, 'turn 4 ends: completed'],
  [ended({ kind: 'max-tokens' }), NOTE, 'turn 4 ends: max-tokens'],
  [ended({ kind: 'interrupted' }), NOTE, 'turn 4 ends: interrupted'],
  [ended({ kind: 'aborted', cause: { kind: 'parent' } }), NOTE, 'turn 4 ends: aborted (parent)'],
  [
    ended({ kind: 'error', code: 'SERVER', message: 'boom' }),
    NOTE,
    'turn 4 ends: error SERVER',
    'boom',
  ],
  [
    ended({ kind: 'blocked', by: 'guard', reason: 'rude' }),
    NOTE,
    'turn 4 ends: blocked by guard',
    'rude',
  ],
  [
    ended({ kind: 'limit', which: 'steps', used: 9, allowed: 8 }),
    NOTE,
    'turn 4 ends: limit of steps, 9 of 8',
  ],
  [
    ended({ kind: 'blocked', by: '', reason: '' }, { uncommitted: ['a', 'b'], parks: 'blocked' }),
    NOTE,
    'turn 4 ends: blocked by "", uncommitted a, b, parks what is pending (blocked)',
  ],
  [
    stored('compaction/start', { turn: 1, range: { from: 3, to: 9 } }),
    NOTE,
    'compaction of events 3 to 9 starts',
  ],
  [
    stored('compaction/summary', { turn: 1, range: { from: 3, to: 9 }, message: hi }),
    NOTE,
    'sums them up as a',
    'hi',
  ],
  [
    stored('compaction/end', { turn: 1, range: { from: 3, to: 9 }, outcome: 'completed' }),
    NOTE,
    'compaction completed',
  ],
  [
    stored('compaction/end', {
      turn: 1,
      range: { from: 3, to: 9 },
      outcome: 'failed',
      failure: { code: 'SERVER', message: 'boom' },
    }),
    NOTE,
    'compaction failed (SERVER)',
    'boom',
  ],
  [
    stored('goal/change', { goal: 'g', revision: 2, change: { kind: 'set', objective: 'x' } }),
    NOTE,
    'goal g, revision 2',
    '{"kind":"set","objective":"x"}',
  ],
  [
    stored('child/descriptor', { child: 'c', descriptor: { tool: 'ask' } }),
    NOTE,
    'child c',
    '{"tool":"ask"}',
  ],
]

describe('an event that is told by itself', () => {
  it.each(CASES.map(([event, route, what, said = '']) => ({ event, route, what, said })))(
    '$event.type: $what',
    ({ event, route, what, said }) => {
      const { turn = null, step = null } = event.data as { turn?: number | null; step?: number }
      const place = { seq: 0, time: 1000, turn, step }
      expect(traceEntries([event])).toEqual([{ ...place, ...route, what, said: '' }])
      expect(traceEntries([event], { reveal: true })).toEqual([{ ...place, ...route, what, said }])
    },
  )

  it('is told by its type and its data where the type is not known', () => {
    const event = { seq: 5, time: 9, type: '', data: { a: 1 } } as unknown as StoredEvent
    const place = { seq: 5, time: 9, turn: null, step: null }
    expect(traceEntries([event], { reveal: true })).toEqual([
      { ...place, ...NOTE, what: '""', said: '{"a":1}' },
    ])
  })
})
