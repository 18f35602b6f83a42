/**
 * A log file as the viewer shows it: followed while it grows, begun anew when it was replaced. It never writes, and takes
 * no lock: the file may belong to a running process.
 *
 * F1 Between reads the file is closed, and each read makes sure that it is still the file that was indexed.
 * F2 A file that became shorter, that has another inode, or whose last known line reads differently, is another log.
 *
 * @module
 */
import { createHash, randomUUID } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { causeChain } from '../../errors.ts'
import type { StoredEvent } from '../../events/event.ts'
import { lenientCatalogue } from '../../events/lenient-catalogue.ts'
import { parseEnvelope } from '../../events/parse-event.ts'
import { lockHolder } from '../../log/file-lock.ts'
import { BatchText } from './batch-text.ts'
import { LineIndex, type Span } from './line-index.ts'
import type { Batch, LogSource, LogState } from './log-source.ts'
import { wireJson } from './shortened.ts'
import { BATCH_CHARACTERS, BATCH_EVENTS, type AgentSummary, type Trouble } from './wire.ts'

/** Ms between two looks at a file that somebody watches. */
const LOOK_EVERY_MS = 150
const BLOCK = 256 * 1024
/** As much of the last known line is compared. */
const COMPARED = 1024

/** What the system calls a path that names no file. */
const NO_FILE = 'EINVAL'

/** Shows the log in `path`. */
export class FileSource implements LogSource {
  readonly id: string
  readonly path: string
  private index = new LineIndex()
  private generation = randomUUID()
  private absence: Trouble | undefined
  /** Which file was indexed, and when it was last looked at; empty before the first look. */
  private inode = ''
  private seen = ''
  /** The beginning of the last line that was read. */
  private mark: Buffer = Buffer.alloc(0)
  private refreshing: Promise<void> | undefined
  private readonly listeners = new Set<() => void>()
  /** May an agent be made live for it? */
  private readonly revivable: boolean
  private timer: NodeJS.Timeout | undefined

  constructor(path: string, revivable = false) {
    this.path = path
    this.revivable = revivable
    const place = createHash('sha256').update(path).digest('hex').slice(0, 8)
    this.id = `${basename(path, '.jsonl')}~${place}`
  }

  get state(): LogState {
    const { index, generation } = this
    const trouble = this.absence ?? index.trouble
    return { header: index.header, length: index.length, generation, trouble }
  }

  summary(): AgentSummary {
    const { id, path, index } = this
    const { header, length, trouble } = this.state
    const owner = lockHolder(path)
    return {
      id,
      kind: 'file',
      path,
      title: header?.id ?? basename(path),
      events: length,
      bytes: index.end,
      status: statusOf(index, owner),
      control: this.revivable && owner !== 'alive' && trouble === undefined,
      owner,
      ...(trouble !== undefined && { trouble: trouble.message }),
    }
  }

  /** Concurrent calls share one look. */
  refresh(): Promise<void> {
    this.refreshing ??= this.look().finally(() => {
      this.refreshing = undefined
    })
    return this.refreshing
  }

  async batch(from: number): Promise<Batch | undefined> {
    const { index } = this
    const first = index.span(from)
    if (first === undefined) return undefined
    let end = first.to
    for (let seq = from + 1; seq < from + BATCH_EVENTS; seq += 1) {
      const { to } = index.span(seq) ?? first
      if (to <= end || to - first.from > BATCH_CHARACTERS) break
      end = to
    }
    const bytes = await this.bytes({ from: first.from, to: end })
    return bytes === undefined || index !== this.index ? undefined : batchOf(bytes, from)
  }

  async whole(seq: number): Promise<string | undefined> {
    const span = this.index.span(seq)
    const bytes = span === undefined ? undefined : await this.bytes(span)
    return bytes === undefined ? undefined : JSON.stringify(eventsIn(bytes, seq)[0])
  }

  watch(listener: () => void): () => void {
    // A function of its own each time: one listener may be given twice.
    const told = (): void => {
      listener()
    }
    this.listeners.add(told)
    this.timer ??= setInterval(() => void this.lookAround(), LOOK_EVERY_MS)
    return () => {
      this.listeners.delete(told)
      if (this.listeners.size > 0) return
      clearInterval(this.timer)
      this.timer = undefined
    }
  }

  private async lookAround(): Promise<void> {
    const before = this.state
    await this.refresh()
    const { length, generation, trouble } = this.state
    const same =
      length === before.length && generation === before.generation && trouble === before.trouble
    if (!same) for (const listener of this.listeners) listener()
  }

  private async look(): Promise<void> {
    try {
      const stats = await stat(this.path)
      // Opening a FIFO would wait for its writer.
      if (!stats.isFile()) throw Object.assign(new Error('it is no file'), { code: NO_FILE })
      const { ino, size, mtimeMs } = stats
      const now = `${ino} ${size} ${mtimeMs}`
      if (now !== this.seen) await this.read()
      this.seen = now
      this.absence = undefined
    } catch (error) {
      const { code = 'UNKNOWN' } = error as { readonly code?: string }
      if (this.absence?.code !== code) this.absence = { code, message: causeChain(error) }
    }
  }

  private async read(): Promise<void> {
    const handle = await open(this.path, 'r')
    try {
      const { ino, size } = await handle.stat()
      if (!(await this.isSame(handle, `${ino}`, size))) this.begin()
      this.inode = `${ino}`
      await feed(handle, this.index)
      this.mark = await piece(handle, this.index.last, COMPARED)
    } finally {
      await handle.close()
    }
  }

  private async isSame(handle: FileHandle, inode: string, size: number): Promise<boolean> {
    const { index, mark } = this
    if (inode !== this.inode || size < index.given) return false
    return mark.equals(await piece(handle, index.last, COMPARED))
  }

  private begin(): void {
    this.index = new LineIndex()
    this.generation = randomUUID()
  }

  /** The bytes at `span`; undefined if it is no longer the file that was indexed. The next look finds out. */
  private async bytes(span: Span): Promise<Buffer | undefined> {
    try {
      const handle = await open(this.path, 'r')
      try {
        const { ino } = await handle.stat()
        const bytes = await piece(handle, span, Infinity)
        return `${ino}` === this.inode && bytes.length === span.to - span.from ? bytes : undefined
      } finally {
        await handle.close()
      }
    } catch {
      return undefined
    }
  }
}

function statusOf({ openTurn }: LineIndex, owner: string): AgentSummary['status'] {
  if (openTurn === null) return 'idle'
  return owner === 'alive' ? 'running' : 'unknown'
}

/** Gives the index what stands behind what it has. */
async function feed(handle: FileHandle, index: LineIndex): Promise<void> {
  const block = Buffer.allocUnsafe(BLOCK)
  for (;;) {
    const { bytesRead } = await handle.read(block, 0, BLOCK, index.given)
    if (bytesRead === 0) return
    index.take(block.subarray(0, bytesRead))
    if (index.trouble !== undefined) return
  }
}

async function piece(handle: FileHandle, { from, to }: Span, most: number): Promise<Buffer> {
  const length = Math.min(to - from, most)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from)
  return buffer.subarray(0, bytesRead)
}

/** The events of whole lines that were found sound when they were indexed. @throws if they are not any more. */
const eventsIn = (bytes: Buffer, from: number): StoredEvent[] =>
  bytes
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line, at) => parseEnvelope(JSON.parse(line), from + at, lenientCatalogue))

function batchOf(bytes: Buffer, from: number): Batch | undefined {
  const text = new BatchText()
  try {
    for (const event of eventsIn(bytes, from)) if (!text.add(event.seq, wireJson(event))) break
  } catch {
    // It was written over in place between two looks.
    return undefined
  }
  return text.batch
}
