/**
 * Sessions in a folder, one log file each: `ID.jsonl`, readable with `tail -f` and `jq`.
 *
 * @module
 */
import { existsSync } from 'node:fs'
import { readdir, unlink } from 'node:fs/promises'
import type { LogHeader, StoredEvent } from '../events/event.ts'
import type { EventLog } from '../log/event-log.ts'
import { createFileLog, openFileLog, type FileLogOptions } from '../log/file-log.ts'
import { acquireLock } from '../log/file-lock.ts'
import { locate } from '../log/log-place.ts'
import { readLogFile } from '../log/read-log.ts'
import { alreadyExists, notFound, type SessionStore, type StoredSession } from './session-store.ts'

const SUFFIX = '.jsonl'

const isMissing = (error: unknown): boolean =>
  (error as { readonly code?: unknown } | null)?.code === 'ENOENT'

class FileStore implements SessionStore {
  private readonly dir: string
  private readonly options: FileLogOptions

  constructor(dir: string, options: FileLogOptions) {
    this.dir = dir
    this.options = options
  }

  async create(header: LogHeader, events: readonly StoredEvent[] = []): Promise<EventLog> {
    const { id, ...rest } = header
    const place = { dir: this.dir, id }
    if (existsSync(locate(place).file)) throw alreadyExists(id)
    return createFileLog(place, { ...this.options, header: rest, events })
  }

  open(id: string): Promise<EventLog> {
    return openFileLog({ dir: this.dir, id }, this.options)
  }

  async read(id: string): Promise<StoredSession> {
    try {
      const { header, events } = await readLogFile(this.file(id), this.options)
      return { header, events }
    } catch (error) {
      throw isMissing(error) ? notFound(id) : error
    }
  }

  // eslint-disable-next-line typescript/require-await -- a throw must be a rejection
  async has(id: string): Promise<boolean> {
    return existsSync(this.file(id))
  }

  async list(): Promise<readonly string[]> {
    const names = await readdir(this.dir).catch((error: unknown) => {
      if (isMissing(error)) return []
      throw error
    })
    return names
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => name.slice(0, -SUFFIX.length))
      .toSorted()
  }

  async remove(id: string): Promise<void> {
    const file = this.file(id)
    if (!existsSync(file)) return
    const release = acquireLock(file)
    try {
      await unlink(file)
    } finally {
      release()
    }
  }

  private file(id: string): string {
    return locate({ dir: this.dir, id }).file
  }
}

/**
 * Makes a store of the log files in `dir`, which is created with the first session.
 *
 * @param options - for every log that is opened.
 */
export const fileStore = (dir: string, options: FileLogOptions = {}): SessionStore =>
  new FileStore(dir, options)
