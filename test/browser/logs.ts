/**
 * Logs that are written for the page to show: long ones, and ones that mean harm.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { EventType, NewEvent } from '../../src/events/event.ts'

const NINE = Date.UTC(2026, 0, 1, 9)

/** Writes a log into a folder of its own, which is removed when the test is over. @returns the file */
export function writeLog(events: readonly NewEvent[], id = 'written'): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnwise-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, `${id}.jsonl`)
  const lines = events.map((event, seq) => JSON.stringify({ seq, time: NINE + seq * 10, ...event }))
  const header = JSON.stringify({ id, formatVersion: 1, createdAt: NINE })
  writeFileSync(file, `${[header, ...lines].join('\n')}\n`)
  return file
}

/** A prompt that waits for its turn. */
export const inserted = (id: string, text: string): NewEvent<'inbox/inserted'> => ({
  type: 'inbox/inserted',
  data: { target: 'next-turn', index: 0, message: said(id, text), wake: true, actor: 'caller' },
})

const said = (id: string, text: string) => ({
  id,
  role: 'user' as const,
  content: [{ type: 'text' as const, text }],
  source: { kind: 'user' as const },
})

/** What one turn of {@link turnOf} consists of, apart from its chunks. */
const AROUND = 9

/** A turn that reads a file and answers, with as many chunks. */
function turnOf(turn: number, chunks: number): NewEvent<EventType>[] {
  const at = { turn, step: 1 }
  const message = said(`m${turn}`, `Question ${turn}, about something that takes a sentence.`)
  const call = { key: `${turn}.1.0`, index: 0, providerId: 'c1' }
  return [
    inserted(message.id, message.content[0]?.text ?? ''),
    { type: 'turn/start', data: { turn } },
    { type: 'inbox/claimed', data: { turn, nextStep: [], nextTurn: [message.id] } },
    { type: 'step/start', data: at },
    { type: 'user/message', data: { ...at, message } },
    ...Array.from({ length: chunks }, (_, index): NewEvent => {
      const chunk = { kind: 'text-delta' as const, block: 0, text: `word ${index} ` }
      return { type: 'assistant/chunk', data: { ...at, attempt: 1, chunk } }
    }),
    {
      type: 'assistant/message',
      data: {
        ...at,
        message: {
          role: 'assistant',
          content: [
            { type: 'text', text: `Answer ${turn}.` },
            { type: 'tool-call', call, name: 'read', arguments: '{"path":"a"}' },
          ],
        },
        usage: { inputTokens: 100, outputTokens: chunks },
      },
    },
    { type: 'tool/call', data: { ...at, call, name: 'read', arguments: '{"path":"a"}' } },
    {
      type: 'tool/result',
      data: { ...at, call, outcome: { kind: 'ok', content: [{ type: 'text', text: 'read' }] } },
    },
    { type: 'step/end', data: at },
    { type: 'turn/end', data: { turn, reason: { kind: 'completed' }, uncommitted: [] } },
  ]
}

/** Turn after turn until there are as many events; all turns but the last are complete. */
export function longLog(events: number, chunks = 40): NewEvent[] {
  const turns = Math.ceil(events / (AROUND + chunks))
  return Array.from({ length: turns }, (_, index) => turnOf(index + 1, chunks))
    .flat()
    .slice(0, events)
}

/** What must reach the page as text and nothing else. */
export const HOSTILE = [
  '<img src=x onerror="globalThis.harmed=1">',
  '<script>globalThis.harmed=2</script>',
  '<svg onload="globalThis.harmed=3"><a href="https://evil.example/x">x</a></svg>',
  'javascript:globalThis.harmed=4',
  '"><iframe src="https://evil.example/frame"></iframe>',
  "'); globalThis.harmed=5; ('",
  '<style>@import url(https://evil.example/a.css);body{display:none}</style>',
  '[click](https://evil.example/b) ![look](https://evil.example/c.png)',
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/d">',
  '{{constructor.constructor("globalThis.harmed=6")()}}',
  '\u202Egnp.exe\u202C \u0007\u001B[2J end',
  '__proto__',
] as const

/** A log in which every text that somebody else may have written means harm, one turn after another. */
export function hostileLog(): NewEvent[] {
  const turns = HOSTILE.map((text, index) => hostileTurn(text, index + 1))
  return [...turns.flat(), ...HOSTILE.map((text, index) => inserted(`${text} ${index}`, text))]
}

function hostileTurn(text: string, turn: number): NewEvent<EventType>[] {
  const at = { turn, step: 1 }
  const message = {
    ...said(`m${turn} ${text}`, text),
    source: { kind: 'plugin', plugin: text } as const,
  }
  const call = { key: `${turn} ${text}`, index: 0, providerId: text }
  const content = [
    { type: 'text', text },
    { type: 'image', mediaType: 'image/svg+xml', url: 'https://evil.example/e.svg', name: text },
  ] as const
  return [
    {
      type: 'inbox/inserted',
      data: { target: 'next-turn', index: 0, message, wake: true, actor: text },
    },
    { type: 'turn/start', data: { turn } },
    { type: 'inbox/claimed', data: { turn, nextStep: [], nextTurn: [message.id] } },
    { type: 'step/start', data: at },
    { type: 'user/message', data: { ...at, message } },
    {
      type: 'request/header',
      data: { ...at, provider: text, model: text, reason: 'initial', system: text },
    },
    {
      type: 'assistant/message',
      data: {
        ...at,
        message: {
          role: 'assistant',
          content: [
            { type: 'text', text },
            { type: 'reasoning', text },
            { type: 'provider', kind: text, value: { html: text, ['__proto__']: text } },
            { type: 'tool-call', call, name: text, arguments: text },
          ],
        },
      },
    },
    { type: 'tool/call', data: { ...at, call, name: text, arguments: text } },
    {
      type: 'approval/asked',
      data: { ...at, call, question: { tool: text, arguments: { text }, prompt: text } },
    },
    { type: 'approval/decided', data: { ...at, call, answer: 'allow', by: text, reason: text } },
    { type: 'tool/result', data: { ...at, call, outcome: { kind: 'error', code: text, content } } },
    { type: 'step/end', data: at },
    {
      type: 'turn/end',
      data: { turn, reason: { kind: 'blocked', by: text, reason: text }, uncommitted: [] },
    },
  ]
}
