/**
 * Entries as a timeline and as a sequence diagram, to the character.
 */
import { describe, expect, it } from 'vitest'
import type { TraceEntry } from '../../../src/projections/trace/trace-entry.ts'
import { traceMermaid } from '../../../src/projections/trace/trace-mermaid.ts'
import { traceText } from '../../../src/projections/trace/trace-text.ts'
import { traceOf } from '../../../src/projections/trace/trace.ts'

const entry = (more: Partial<TraceEntry>): TraceEntry => ({
  seq: 0,
  time: 0,
  turn: null,
  step: null,
  kind: 'note',
  from: 'agent',
  to: 'agent',
  what: 'x',
  said: '',
  ...more,
})

const HEAD = [
  'sequenceDiagram',
  '  participant caller as Caller',
  '  participant agent as Agent',
  '  participant model as Model',
  '  participant tools as Tools',
]
const drawn = (entries: readonly TraceEntry[]): string[] => {
  const lines = traceMermaid(entries).split('\n')
  expect(lines.slice(0, HEAD.length)).toEqual(HEAD)
  return lines.slice(HEAD.length)
}

describe('a timeline', () => {
  it('sets numbers to the right and words to the left, and ends no line with a space', () => {
    const entries = [
      entry({ seq: 9, time: 1000, what: 'opens' }),
      entry({ seq: 10, time: 1001, turn: 1, kind: 'tell', from: 'caller', what: 'followup a ' }),
      entry({
        seq: 11,
        time: 3500,
        turn: 12,
        step: 10,
        kind: 'ask',
        to: 'model',
        what: 'attempt 1',
      }),
      entry({
        seq: 100_000,
        time: 12_001_000,
        turn: 1,
        step: 2,
        kind: 'answer',
        from: 'model',
        what: 'answers: text',
        said: 'hi',
      }),
    ]
    expect(traceText(entries).split('\n')).toEqual([
      'from 1970-01-01T00:00:01.000Z',
      '  seconds     seq  step   who              what',
      '    0.000       9         agent            opens',
      '    0.001      10  1      caller -> agent  followup a',
      '    2.500      11  12.10  agent -> model   attempt 1',
      '12000.000  100000  1.2    model --> agent  answers: text  "hi"',
    ])
  })
})

describe('a sequence diagram', () => {
  it('draws notes over who they concern, and what a turn does over all', () => {
    const notes = ['turn 12 starts', 'turn 3', 'return 1 x', 'turn x ends', 'claims a']
    expect(drawn(notes.map((what) => entry({ what })))).toEqual([
      '  Note over caller,tools: turn 12 starts',
      '  Note over agent: turn 3',
      '  Note over agent: return 1 x',
      '  Note over agent: turn x ends',
      '  Note over agent: claims a',
    ])
  })

  it('shows who is at work, for each party by itself, and closes nothing that is not open', () => {
    const asks = (to: 'model' | 'tools'): TraceEntry => entry({ kind: 'ask', to })
    const answers = (from: 'model' | 'tools'): TraceEntry => entry({ kind: 'answer', from })
    const entries = [
      answers('tools'),
      asks('tools'),
      asks('model'),
      asks('tools'),
      answers('tools'),
      answers('tools'),
      answers('tools'),
      answers('model'),
      entry({ kind: 'tell', from: 'caller' }),
      entry({ kind: 'tell', to: 'caller', what: 'asks', said: 'Write?' }),
    ]
    expect(drawn(entries)).toEqual([
      '  tools-->>agent: x',
      '  agent->>+tools: x',
      '  agent->>+model: x',
      '  agent->>+tools: x',
      '  tools-->>-agent: x',
      '  tools-->>-agent: x',
      '  tools-->>agent: x',
      '  model-->>-agent: x',
      '  caller->>agent: x',
      '  agent->>caller: asks #34;Write#63;#34;',
    ])
  })

  it.each([
    [45_000, []],
    [45_001, ['  Note over caller,tools: 1 more, narrow the range']],
  ])('of %i characters is drawn, but for %j', (size, cut) => {
    const rest = size - traceMermaid([entry({}), entry({ what: '' })]).length
    const what = 'y'.repeat(rest)
    const last = cut.length === 0 ? [`  Note over agent: ${what}`] : cut
    expect(drawn([entry({}), entry({ what })])).toEqual(['  Note over agent: x', ...last])
  })

  it('says how much is missing', () => {
    const long = entry({ what: 'y'.repeat(40_000) })
    expect(drawn([long, long, long]).at(-1)).toBe(
      '  Note over caller,tools: 2 more, narrow the range',
    )
  })
})

describe('an option that is refused', () => {
  it.each([
    [{ format: 'svg' }, 'option format should be text or mermaid, found svg; nothing was drawn.'],
    [{ from: -1 }, 'option from should be the seq of an event, found -1; nothing was drawn.'],
    [{ to: 1.5 }, 'option to should be the seq of an event, found 1.5; nothing was drawn.'],
  ])('%j is told by name, with what was expected', (options, summary) => {
    expect(() => traceOf([], options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', summary }),
    )
  })
})
