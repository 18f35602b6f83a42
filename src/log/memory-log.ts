/**
 * The log for tests and for work that need not outlive its process. Nothing is ever outstanding.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import type { LogHeader, StoredEvent } from '../events/event.ts'
import { SessionLog } from './session-log.ts'
import type { SessionLogOptions } from './session-log.ts'

export interface MemoryLogOptions extends SessionLogOptions {
  /** Session id; default: a random one. */
  readonly id?: string
  /** Instead of `id`. */
  readonly header?: LogHeader
  /** What the log holds already. */
  readonly events?: readonly StoredEvent[]
}

/**
 * Makes a log in memory.
 *
 * @throws LogCorruptError when `events` are no well-formed log.
 */
export function createMemoryLog(options: MemoryLogOptions = {}): SessionLog {
  const header = options.header ?? {
    id: options.id ?? randomUUID(),
    formatVersion: 1,
    createdAt: Date.now(),
  }
  return new SessionLog(header, [...(options.events ?? [])], options)
}
