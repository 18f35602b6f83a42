/**
 * Traces tell a run from its log alone, without what was said, and Mermaid can read them whatever was.
 */
import { asyncProperty, assert as check } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../../src/events/event.ts'
import { traceEntries } from '../../../src/projections/trace/trace-entries.ts'
import { traceOf } from '../../../src/projections/trace/trace.ts'
import { parseLog } from '../../../src/testing/parse-log.ts'
import { script } from '../../../src/testing/script.ts'
import { finish, rig } from '../../actors/rig.ts'
import { keptLog } from '../../support/kept-log.ts'
import { readMermaid, seen } from '../../support/mermaid.ts'
import { anyLog } from '../../support/random-log.ts'

const conversation = keptLog('conversation')

/** The lines behind the two of the head, their columns joined by one space. */
const told = (events: readonly StoredEvent[], options = {}): string[] =>
  traceOf(events, options)
    .split('\n')
    .slice(2)
    .map((line) => line.trim().replaceAll(/ {2,}/g, ' | '))

describe('a timeline', () => {
  it('tells each fact once, with its time, place and parties', () => {
    expect(told(conversation, { from: 30, to: 37 })).toEqual([
      '0.000 | 30 | 1.1 | agent -> caller | asks approval of call 3, write',
      '0.000 | 31 | 1.1 | caller -> agent | call 3, write: allow by ann',
      '0.000 | 32 | 1.1 | tools --> agent | call 3, write: error',
      '0.000 | 33 | 1.1 | agent | step 1.1 ends',
      '0.000 | 34 | 1 | agent | claims m3',
      '0.000 | 35 | 1.2 | agent | step 1.2 starts',
      '0.000 | 36 | 1.2 | agent | takes m3 into the history',
      '0.000 | 37 | 1.2 | agent -> model | attempt 1',
    ])
  })

  it('begins with when it begins', () => {
    expect(traceOf(conversation).split('\n').slice(0, 2)).toEqual([
      'from 2026-01-01T00:00:00.000Z',
      'seconds  seq  step  who              what',
    ])
  })

  it('counts chunks and tells attempts that failed', () => {
    expect(
      told(conversation, { from: 49, to: 57 }).map((line) => line.split(' | ').at(-1)),
    ).toEqual([
      'attempt 1',
      'attempt 1 fails: SERVER, again in 10 ms',
      'attempt 2',
      'answers: text, 5 chunks, 1 token',
      'step 2.1 ends',
    ])
  })

  it('has words of its own for every event of this library', () => {
    const events = keptLog('every-event')
    const types = new Set<string>(events.map(({ type }) => type))
    const bare = traceEntries(events).filter(({ what }) => types.has(what))
    expect(types.size).toBeGreaterThan(25)
    expect(bare.filter(({ what }) => !what.startsWith('acme/'))).toEqual([])
  })

  it.each([null, 7, 'x', [1], { turn: 'a', step: {} }])(
    'tells events of others that carry %j',
    (data) => {
      const event = { seq: 0, time: 0, type: 'acme/note', data } as unknown as StoredEvent
      expect(told([event], { reveal: true })).toEqual([
        `0.000 | 0 | agent | acme/note | "${JSON.stringify(data)}"`,
      ])
    },
  )

  it('is empty where there is nothing', () => {
    expect(traceOf([])).toBe('')
  })

  it('knows calls that never ran from those that did', () => {
    const lines = told(keptLog('every-event')).filter((line) => line.includes('call 1'))
    expect(lines.length).toBeGreaterThan(0)
    const crashed = told(
      parseLog([
        'inbox next-turn @0 +["A"]',
        'turn/start 1',
        'inbox next-turn @0 -1 claimed',
        'step/start 1.1',
        'user/message "A"',
        'assistant/message 1.1 call c1=read + call c2=read',
        'tool/call 1.1 c1 read',
        'tool/result 1.1 c1 error:OUTCOME_UNKNOWN',
        'tool/result 1.1 c2 error:NOT_STARTED',
        'step/end 1.1',
        'turn/end 1 interrupted',
      ]),
    )
    expect(crashed.slice(-4).map((line) => line.split(' | ').slice(3).join(' '))).toEqual([
      'tools --> agent call 1, read: OUTCOME_UNKNOWN',
      'agent call 2, read: NOT_STARTED, it never ran',
      'agent step 1.1 ends',
      'agent turn 1 ends: interrupted',
    ])
  })
})

describe('what was said', () => {
  it('is in no trace, unless it is asked for', () => {
    const said = ['Read and write.', 'Let me look.', 'contents', 'Write?', 'You help.']
    for (const format of ['text', 'mermaid'] as const) {
      const hidden = traceOf(conversation, { format })
      const shown = traceOf(conversation, { format, reveal: true })
      for (const text of said) expect(hidden).not.toContain(text)
      for (const text of said)
        expect(shown).toContain(text.replace('?', format === 'text' ? '?' : '#63;'))
    }
  })

  it('is cut, and on one line without control characters', () => {
    const text = `\u001B[31mred\r\n\u202Eturned ${'long '.repeat(1000)}`
    const [entry] = traceEntries(
      [
        {
          seq: 0,
          time: 0,
          type: 'user/message',
          data: {
            turn: 1,
            step: 1,
            message: {
              id: text,
              role: 'user',
              content: [{ type: 'text', text }],
              source: { kind: 'user' },
            },
          },
        },
      ],
      { reveal: true },
    )
    expect(entry?.said).toMatch(/^\uFFFD\[31mred \uFFFDturned long .*…$/)
    expect(Array.from(entry?.said ?? '')).toHaveLength(200)
    expect(entry?.what).toMatch(/^takes \uFFFD\[31mred \uFFFDturned long .*… into the history$/)
  })
})

const HOSTILE = [
  'end',
  'a; participant x',
  'a # b ;',
  'x#35;y',
  '%%{init: {"theme": "dark"}}%%',
  'line\nagent->>model: forged',
  '<img src=x onerror=alert(1)>',
  'style x:y#z;',
  'classDef a:b#c;d',
  '---\ntitle: x\n---',
  'wrap: x',
  '"quoted" `code` $$k$$ \\n {a} [b] |c|',
  '\uD800 lone, 😀 whole, \u0000 zero, \u2028 separator',
  '->> agent: x',
]

describe('a sequence diagram', () => {
  it.each(HOSTILE)('is read by Mermaid as it is meant, also for %j', async (text) => {
    const events = conversation.map((event) => hostile(event, text)) as StoredEvent[]
    const entries = traceEntries(events, { reveal: true })
    const { db } = await readMermaid(traceOf(events, { format: 'mermaid', reveal: true }))
    const labels = (db.getMessages?.() ?? []).flatMap(({ message }) =>
      typeof message === 'string' && message !== '' ? [seen(message)] : [],
    )
    const meant = entries.map(({ what, said }) => (said === '' ? what : `${what} "${said}"`))
    expect(labels).toEqual(meant)
  })

  it('is read by Mermaid for random logs and ranges of them', async () => {
    expect.hasAssertions()
    await check(
      asyncProperty(anyLog(80), async ({ events }) => {
        const from = events.length >> 1
        for (const range of [{}, { from }, { to: from }]) {
          const text = traceOf(events, { format: 'mermaid', ...range })
          expect(await readMermaid(text)).toHaveProperty('db')
        }
      }),
      { numRuns: 25 },
    )
  })

  it('stays below the size that Mermaid draws, and says what is missing', async () => {
    const events = Array.from({ length: 3000 }, (_, seq) => ({
      ...conversation[1]!,
      seq,
    }))
    const text = traceOf(events as StoredEvent[], { format: 'mermaid' })
    expect(text.length).toBeLessThan(50_000)
    expect(text.split('\n').at(-1)).toMatch(
      /^ {2}Note over caller,tools: 1\d{3} more, narrow the range$/,
    )
    await readMermaid(text)
  })
})

/** Every text and name of an event replaced. */
function hostile(value: unknown, text: string, key = ''): unknown {
  const names = [
    'text',
    'id',
    'name',
    'provider',
    'model',
    'by',
    'plugin',
    'arguments',
    'message',
    'code',
  ]
  if (typeof value === 'string') return names.includes(key) ? text : value
  if (Array.isArray(value)) return value.map((item) => hostile(item, text, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, hostile(part, text, name)]),
  )
}

describe('options', () => {
  it.each([{ format: 'svg' }, { from: -1 }, { to: 1.5 }, { from: Number.NaN }])(
    '%j are refused by name',
    (options) => {
      expect(() => traceOf([], options as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_OPTION' }),
      )
    },
  )
})

describe('agent.trace()', () => {
  it('tells the run of the agent, also after its disposal', async () => {
    const { agent } = rig({ model: [[script.text('secret answer')]] })
    agent.followup('secret question')
    await agent.whenIdle()
    await finish(agent)
    expect(agent.trace()).toContain('turn 1 ends: completed')
    expect(agent.trace()).not.toContain('secret')
    expect(agent.trace({ reveal: true })).toContain('"secret answer"')
    expect(agent.trace({ format: 'mermaid' })).toMatch(/^sequenceDiagram\n/)
  })
})
