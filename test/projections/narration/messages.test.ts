/**
 * What a message still tells behind its stream, to the word. Cites N1 of `narration.ts`.
 */
import { describe, expect, it } from 'vitest'
import type { Told } from '../../../src/projections/narration/told.ts'
import {
  args,
  called,
  end,
  type Event,
  inStep,
  says,
  start,
  text,
  thinks,
  thought,
} from './story.ts'
import { closes, grows, opens, streamed, tell, whole } from './tellings.ts'

const step = inStep(1, 1)
const paying = streamed('1.1.1.1', '1.1.0')

describe('a message', () => {
  it.each<readonly [string, readonly Event[], readonly Told[]]>([
    [
      'that nobody streamed is told block by block (N1)',
      [step.commits([thinks('hm'), says(''), says('Hi.')])],
      [...whole('1.1.0.0', 'hm', 'reasoning'), ...whole('1.1.0.2', 'Hi.')],
    ],
    [
      'goes on in the blocks that are open (N1)',
      [
        ...step.sends(1, start(0, 'reasoning'), thought(0, 'h'), start(1)),
        step.commits([thinks('hm'), says('Hi.')]),
      ],
      [
        opens('1.1.1.0', 'reasoning'),
        grows('1.1.1.0', 'h', 'reasoning'),
        opens('1.1.1.1'),
        grows('1.1.1.0', 'm', 'reasoning'),
        grows('1.1.1.1', 'Hi.'),
        closes('1.1.1.0', 'reasoning'),
        closes('1.1.1.1'),
      ],
    ],
    [
      'goes on in a new block where its own is closed (N1)',
      [
        ...step.sends(1, start(0), text(0, 'H'), end(0), text(0, 'i.')),
        step.commits([says('Hi.')]),
      ],
      [...whole('1.1.1.0', 'H'), ...whole('1.1.0.0', 'i.')],
    ],
    [
      'that was cut behind a blank text is not told twice (N1)',
      [
        ...step.sends(1, start(0), text(0, '\n'), end(0), start(1), text(1, 'Hello')),
        step.commits([says('Hello')]),
      ],
      [...whole('1.1.1.0', '\n'), opens('1.1.1.1'), grows('1.1.1.1', 'Hello'), closes('1.1.1.1')],
    ],
    [
      'is not told again in a block that was opened without a word (N1)',
      [
        ...step.sends(1, start(0, 'reasoning'), start(1), text(1, 'Hello'), end(1)),
        step.commits([says('Hello')]),
      ],
      [opens('1.1.1.0', 'reasoning'), ...whole('1.1.1.1', 'Hello'), closes('1.1.1.0', 'reasoning')],
    ],
    [
      'that a gate has changed is told if no text of it was (N1)',
      [
        ...step.sends(1, start(0), called(1, 'pay'), args(1, '{')),
        step.commits([says('Hi.')], 'gate'),
      ],
      [
        opens('1.1.1.0'),
        paying.opens('pay'),
        paying.grows('{'),
        grows('1.1.1.0', 'Hi.'),
        closes('1.1.1.0'),
        paying.closes,
      ],
    ],
    [
      'that a gate has changed behind its text has only its files and arguments told (N1)',
      [
        ...step.sends(1, start(0), text(0, 'Hello'), called(1, 'pay'), args(1, '{')),
        step.commits(
          [
            thinks('hm'),
            says('Hello, all.'),
            { type: 'file', mediaType: 'text/csv', url: 'u' },
            step.call(0, 'pay', '{}'),
          ],
          'gate',
        ),
      ],
      [
        opens('1.1.1.0'),
        grows('1.1.1.0', 'Hello'),
        paying.opens('pay'),
        paying.grows('{'),
        { kind: 'file', file: { type: 'file', mediaType: 'text/csv', url: 'u' } },
        paying.grows('}'),
        closes('1.1.1.0'),
        paying.closes,
      ],
    ],
  ])('%s', (_, events, told) => {
    expect(tell([step.starts, ...events])).toEqual([
      { kind: 'step-start', turn: 1, step: 1 },
      ...told,
    ])
  })
})
