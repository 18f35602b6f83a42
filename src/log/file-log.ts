/**
 * The log in a file: one line of JSON per event behind a header, readable with `tail -f` and `jq`.
 *
 * Appending is in memory, as in every log; the file follows in groups. `L1`–`L4`:
 *
 * - L1 A file is created as a whole, with mode 0600, and belongs to one process at a time (`file-lock.ts`).
 * - L2 What is durable is a prefix of what is in memory, whole lines only (`group-commit.ts`).
 * - L3 A last line without newline is cut when the file is opened, and reported; other damage refuses it (`read-log.ts`).
 * - L4 Closing gives file and lock back, also when the last write failed.
 *
 * @module
 */
import { existsSync } from 'node:fs'
import { LogCorruptError, TurnwiseError } from '../errors.ts'
import { loadLedger } from '../events/enclosure.ts'
import type { LogHeader, StoredEvent } from '../events/event.ts'
import { createWhole, openDiskFile } from './disk-file.ts'
import type { LogFile } from './disk-file.ts'
import { acquireLock } from './file-lock.ts'
import { GroupCommit } from './group-commit.ts'
import type { FileDurability } from './group-commit.ts'
import { locate } from './log-place.ts'
import type { LogPlace } from './log-place.ts'
import { corruptLine, readLogFile } from './read-log.ts'
import type { LogContents, ReadOptions, TornTail } from './read-log.ts'
import { SessionLog } from './session-log.ts'
import type { SessionLogOptions } from './session-log.ts'

export interface FileLogOptions extends SessionLogOptions, ReadOptions {
  /**
   * `strict` syncs every group, `turn` syncs groups with a `turn/end` and only writes the others, `none` only writes:
   * then a crash of the process loses nothing that was written, a crash of the machine may. Default `strict`.
   */
  readonly durability?: FileDurability
  /** Told when a torn last line was cut. */
  readonly onRepair?: (torn: TornTail) => void
  /** Told of each failed commit; the events are kept and tried again. */
  readonly onFailure?: (error: TurnwiseError) => void
  /** Opens the file; a seam for other stores and for tests. */
  readonly openFile?: (file: string) => LogFile
}

export interface CreateFileLogOptions extends FileLogOptions {
  /** Fields of the header beside the id. */
  readonly header?: Partial<Omit<LogHeader, 'id' | 'formatVersion'>>
  /** What the log holds from the start, such as the copied part of a fork. */
  readonly events?: readonly StoredEvent[]
}

/** A log in a file. Make one with {@link createFileLog}, {@link openFileLog} or {@link openOrCreateFileLog}. */
export class FileLog extends SessionLog {
  readonly file: string
  readonly lost: AbortSignal
  private readonly disk: LogFile
  private readonly commits: GroupCommit
  private readonly release: () => void
  private closing: Promise<void> | undefined = undefined

  /** @internal */
  constructor(
    file: string,
    contents: LogContents,
    disk: LogFile,
    release: () => void,
    options: FileLogOptions,
  ) {
    super(contents.header, contents.events, options)
    const loss = new AbortController()
    this.lost = loss.signal
    this.file = file
    this.disk = disk
    this.release = release
    this.commits = new GroupCommit({
      file: disk,
      name: file,
      events: this.events,
      stored: { count: contents.events.length, bytes: contents.bytes },
      durability: options.durability ?? 'strict',
      onFailure: (error) => {
        if (error.code === 'LOG_CONFLICT') this.refusal ??= error
        options.onFailure?.(error)
        if (error.code === 'LOG_CONFLICT') loss.abort(error)
      },
    })
  }

  override durable(seq: number): undefined | Promise<void> {
    return this.commits.durable(Math.min(seq, this.length - 1))
  }

  override close(): Promise<void> {
    this.closing ??= this.shut()
    return this.closing
  }

  protected override persist(from: number): void {
    this.commits.appended(from)
  }

  private async shut(): Promise<void> {
    this.stop()
    try {
      await this.commits.end()
    } finally {
      this.disk.close()
      this.release()
    }
  }
}

/**
 * Opens a log that exists.
 *
 * @throws TurnwiseError SESSION_NOT_FOUND, SESSION_LIVE, UNKNOWN_EVENT, INVALID_OPTION; LogCorruptError with its line.
 */
export async function openFileLog(place: LogPlace, options: FileLogOptions = {}): Promise<FileLog> {
  const { file, id } = locate(place)
  if (!existsSync(file)) {
    throw new TurnwiseError(
      'SESSION_NOT_FOUND',
      `expected the log of session ${id} at ${file}, found nothing; nothing was changed. Create it, or check the id.`,
    )
  }
  return locked(file, async (release) => {
    const contents = await readLogFile(file, options)
    return take(file, contents, release, options)
  })
}

/**
 * Creates a log.
 *
 * @throws TurnwiseError SESSION_ALREADY_EXISTS, SESSION_LIVE, INVALID_OPTION; LogCorruptError when `events` are no
 *   well-formed log.
 */
export async function createFileLog(
  place: LogPlace,
  options: CreateFileLogOptions = {},
): Promise<FileLog> {
  const { file, id } = locate(place)
  const header: LogHeader = { createdAt: Date.now(), ...options.header, id, formatVersion: 1 }
  const events = [...(options.events ?? [])]
  loadLedger(events)
  const content = Buffer.from(
    [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
  return locked(file, async (release) => {
    create(file, id, content, options.durability !== 'none')
    return take(file, { header, events, bytes: content.length }, release, options)
  })
}

/** Opens a log, and creates it first if there is none. @throws as the two that it is made of. */
export function openOrCreateFileLog(
  place: LogPlace,
  options: CreateFileLogOptions = {},
): Promise<FileLog> {
  return existsSync(locate(place).file)
    ? openFileLog(place, options)
    : createFileLog(place, options)
}

async function locked(
  file: string,
  open: (release: () => void) => Promise<FileLog>,
): Promise<FileLog> {
  const release = acquireLock(file)
  try {
    return await open(release)
  } catch (error) {
    release()
    throw error
  }
}

function create(file: string, id: string, content: Uint8Array, synced: boolean): void {
  try {
    createWhole(file, content, synced)
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'EEXIST') throw error
    throw new TurnwiseError(
      'SESSION_ALREADY_EXISTS',
      `expected no log of session ${id}, found ${file}; it was left alone. Open it, or choose another id.`,
      { cause: error },
    )
  }
}

/** The file changes only after everything in it was found sound. */
async function take(
  file: string,
  contents: LogContents,
  release: () => void,
  options: FileLogOptions,
): Promise<FileLog> {
  const disk = (options.openFile ?? openDiskFile)(file)
  try {
    const log = new FileLog(file, contents, disk, release, options)
    if (contents.torn !== undefined) {
      disk.truncate(contents.bytes)
      await disk.sync()
      options.onRepair?.(contents.torn)
    }
    return log
  } catch (error) {
    disk.close()
    if (error instanceof LogCorruptError)
      throw corruptLine(file, error.position + 1, error.summary, error)
    throw error
  }
}
