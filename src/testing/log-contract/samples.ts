/**
 * Events for the contract of logs, and ways to compare.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { TurnwiseError } from '../../errors.ts'
import type { ErrorCode } from '../../errors.ts'
import type { LogHeader, NewEvent, StoredEvent } from '../../events/event.ts'
import type { EventLog } from '../../log/event-log.ts'

export const newId = (): string => `case-${randomUUID()}`

export const headerOf = (id: string): LogHeader => ({ id, formatVersion: 1, createdAt: 1 })

/** A pending message that holds `text`. */
export const inserted = (id: string, text = id): NewEvent => ({
  type: 'inbox/inserted',
  data: {
    target: 'next-turn',
    index: 0,
    message: { id, role: 'user', content: [{ type: 'text', text }], source: { kind: 'user' } },
    wake: true,
    actor: 'caller',
  },
})

export const turnStart = (turn: number): NewEvent => ({ type: 'turn/start', data: { turn } })
export const turnEnd = (turn: number): NewEvent => ({
  type: 'turn/end',
  data: { turn, reason: { kind: 'completed' }, uncommitted: [] },
})

/** A small event of a service's own, that may stand anywhere. */
export const note = (data: unknown): NewEvent =>
  ({ type: 'acme/note', data, optional: true }) as never

/** The same as it stands in a log. */
export const storedNote = (seq: number, data: unknown): StoredEvent =>
  ({ seq, time: 1, type: 'acme/note', data, optional: true }) as never

/** Notes `from`, `from + 1`, … as they stand in a log. */
export const storedNotes = (from: number, count: number): StoredEvent[] =>
  Array.from({ length: count }, (_, at) => storedNote(from + at, { n: from + at }))

/** Does `work` refuse with this code, at once or later? */
export async function refuses(code: ErrorCode, work: () => unknown): Promise<TurnwiseError> {
  let found: unknown
  try {
    await work()
  } catch (error) {
    found = error
  }
  assert.ok(found instanceof TurnwiseError, `expected ${code}, found ${String(found)}`)
  assert.equal(found.code, code, found.message)
  return found
}

/** The whole log in a form that compares. */
export const contentsOf = (log: EventLog): unknown =>
  JSON.parse(JSON.stringify({ header: log.header, events: log.read() }))

/** Seqs without a gap from 0 on? */
export function isContiguous(events: readonly StoredEvent[], count: number): void {
  assert.equal(events.length, count)
  const wrong = events.findIndex((event, at) => event.seq !== at)
  assert.equal(wrong, -1, `a gap or a double at ${wrong}`)
}

/** Tries until it works: what is waited for comes by itself. */
export async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

/** Everything that `pages` give. */
export async function gather<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = []
  for await (const page of pages) all.push(...page)
  return all
}
