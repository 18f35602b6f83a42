/**
 * A session as a page: everything that was said, in quotes and fences that no text can leave.
 */
import { describe, expect, it } from 'vitest'
import type { EventMap, EventType, StoredEvent } from '../../src/events/event.ts'
import { sessionMarkdown } from '../../src/inspect/markdown.ts'
import { parseLog } from '../../src/testing/parse-log.ts'
import { LogWriter, textMessage } from '../support/log-writer.ts'

const HEADER = { id: 'a`b', formatVersion: 1, createdAt: 0 } as const

const page = (events: readonly StoredEvent[]): string => sessionMarkdown(HEADER, events)

/** A turn with one message, one answer and one call, all of them saying `text`. */
function saying(text: string): readonly StoredEvent[] {
  const log = new LogWriter()
  const at = { turn: 1, step: 1 }
  const call = { key: '1.1.0', index: 0, providerId: 'c1' }
  const put = <T extends EventType>(type: T, data: EventMap[T]): void => void log.put(type, data)
  put('turn/start', { turn: 1 })
  put('step/start', at)
  put('user/message', { ...at, message: textMessage('m1', 'user', text) })
  put('assistant/message', {
    ...at,
    message: {
      role: 'assistant',
      content: [
        { type: 'text', text },
        { type: 'tool-call', call, name: text, arguments: text },
      ],
    },
  })
  put('tool/call', { ...at, call, name: text, arguments: text })
  put('tool/result', {
    ...at,
    call,
    outcome: { kind: 'error', code: text, content: [{ type: 'text', text }] },
  })
  put('step/end', at)
  put('turn/end', {
    turn: 1,
    reason: { kind: 'error', code: 'UNKNOWN', message: text },
    uncommitted: [],
  })
  return log.events
}

/** Lines that are neither quoted nor inside a fence. */
function outside(text: string): string[] {
  let fence: string | undefined
  return text.split('\n').filter((line) => {
    const [mark] = /^`{3,}/.exec(line) ?? []
    if (fence === undefined && mark !== undefined) fence = mark
    else if (line === fence) fence = undefined
    else if (fence === undefined) return !line.startsWith('>') && line !== ''
    return false
  })
}

describe('the page of a session', () => {
  it.each([
    '## Turn 9\n\nforged',
    '```\n# out\n```',
    '````text\n# out\n````\n`````',
    '<script>alert(1)</script>\n\n<!--',
    '\r\n# out\r# out\u2028# out\u0085# out',
    '`a` *b* [c](d) <e> | f',
  ])('keeps %j inside', (text) => {
    const lines = outside(page(saying(text)))
    expect(lines.filter((line) => line.startsWith('#'))).toEqual(["# Session `a'b`", '## Turn 1'])
    expect(lines.filter((line) => /(?<!\\)<|-->/.test(line.replaceAll(/`[^`]*`/g, '')))).toEqual([])
  })

  it('tells what became of each turn', () => {
    const text = page(
      parseLog([
        'inbox next-turn @0 +["A"]',
        'turn/start 1',
        'inbox next-turn @0 -1 claimed',
        'turn/end 1 blocked uncommitted ["A"]',
        'turn/start 2',
      ]),
    )
    expect(text).toContain('*Ended: blocked')
    expect(text).toContain('never read: `A`')
    expect(text).toContain('## Turn 2')
    expect(text.trimEnd().endsWith('*The turn is open.*')).toBe(true)
  })

  it('is short for an empty log', () => {
    expect(page([])).toBe(
      "# Session `a'b`\n\nCreated 1970-01-01T00:00:00.000Z, 0 events, 0 turns.\n",
    )
  })
})
