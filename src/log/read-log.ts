/**
 * Reads a log file: lines of JSON, split at bytes 0x0A and nowhere else.
 *
 * R1 What stands behind the last newline was never acknowledged: it is reported, not read.
 * R2 Damage anywhere else refuses the whole log, with its line counted from 0 (the header).
 *
 * @module
 */
import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { LogCorruptError } from '../errors.ts'
import { coreCatalogue } from '../events/catalogue.ts'
import type { Catalogue } from '../events/catalogue.ts'
import type { LogHeader, StoredEvent } from '../events/event.ts'
import { parseEnvelope, parseEvent } from '../events/parse-event.ts'
import { parseHeader } from './header.ts'

export interface ReadOptions {
  /** Default: knows this library's events only. */
  readonly catalogue?: Catalogue
  /** `eager` checks every payload against its schema. Default `envelope`: envelopes and, by the log, enclosure. */
  readonly validate?: 'eager' | 'envelope'
}

/** A last line without its newline. */
export interface TornTail {
  /** Line at which it stands, counted from 0. */
  readonly line: number
  readonly bytes: number
}

export interface LogContents {
  readonly header: LogHeader
  readonly events: StoredEvent[]
  /** Length of the whole lines. */
  readonly bytes: number
  readonly torn?: TornTail
}

const BLOCK = 256 * 1024
const NEWLINE = 0x0a

/**
 * Reads a log without taking or changing it.
 *
 * @throws LogCorruptError with the line; TurnwiseError UNKNOWN_EVENT; the system's ENOENT.
 */
export async function readLogFile(file: string, options: ReadOptions = {}): Promise<LogContents> {
  const lines = new Lines(file, options)
  const handle = await open(file, 'r')
  try {
    return lines.end(await feed(handle, lines))
  } finally {
    await handle.close()
  }
}

/**
 * The next block is read while this one is parsed.
 *
 * @returns what stands behind the last newline.
 */
async function feed(handle: FileHandle, lines: Lines): Promise<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let ahead = readBlock(handle, Buffer.allocUnsafe(BLOCK))
  let spare: Buffer = Buffer.allocUnsafe(BLOCK)
  for (;;) {
    const block: Buffer = await ahead
    if (block.length === 0) return rest
    ahead = readBlock(handle, spare)
    // Should parsing throw first, nobody awaits this one any more.
    ahead.catch(() => {})
    spare = Buffer.from(block.buffer, block.byteOffset, BLOCK)
    const end = block.lastIndexOf(NEWLINE)
    if (end !== -1) lines.take(Buffer.concat([rest, block.subarray(0, end)]))
    rest = Buffer.concat([end === -1 ? rest : NOTHING, block.subarray(end + 1)])
  }
}

const NOTHING = Buffer.alloc(0)

async function readBlock(handle: FileHandle, into: Buffer): Promise<Buffer> {
  const { bytesRead } = await handle.read(into, 0, BLOCK, null)
  return into.subarray(0, bytesRead)
}

/** Collects what the lines say. */
class Lines {
  private readonly file: string
  private readonly catalogue: Catalogue
  private readonly parse: typeof parseEvent
  private header: LogHeader | undefined = undefined
  private readonly events: StoredEvent[] = []
  private bytes = 0

  constructor(file: string, options: ReadOptions) {
    this.file = file
    this.catalogue = options.catalogue ?? coreCatalogue
    this.parse = options.validate === 'eager' ? parseEvent : parseEnvelope
  }

  /** Whole lines, without the last newline. */
  take(block: Buffer): void {
    if (!isUtf8(block)) this.badText(block)
    for (const line of block.toString('utf8').split('\n')) this.line(line)
    this.bytes += block.length + 1
  }

  end(rest: Buffer): LogContents {
    const { header, events, bytes } = this
    if (header === undefined) throw this.corrupt(0, 'it has no header')
    if (rest.length === 0) return { header, events, bytes }
    return { header, events, bytes, torn: { line: this.next, bytes: rest.length } }
  }

  /** Number of the line that is read. */
  private get next(): number {
    return this.header === undefined ? 0 : this.events.length + 1
  }

  private line(text: string): void {
    const value = this.json(text)
    try {
      if (this.header === undefined) this.header = parseHeader(value)
      else this.events.push(this.parse(value, this.events.length, this.catalogue))
    } catch (error) {
      if (error instanceof LogCorruptError) throw this.corrupt(this.next, error.summary, error)
      throw error
    }
  }

  private json(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch (error) {
      throw this.corrupt(this.next, 'it is no JSON', error)
    }
  }

  private badText(block: Buffer): never {
    let line = this.next
    for (let from = 0; ; line++) {
      const end = block.indexOf(NEWLINE, from)
      if (end === -1 || !isUtf8(block.subarray(from, end)))
        throw this.corrupt(line, 'it is no UTF-8')
      from = end + 1
    }
  }

  private corrupt(line: number, fault: string, cause?: unknown): LogCorruptError {
    return corruptLine(this.file, line, fault, cause)
  }
}

/** The error of a damaged line, counted from 0; editors count from 1. */
export function corruptLine(
  file: string,
  line: number,
  fault: string,
  cause?: unknown,
): LogCorruptError {
  return new LogCorruptError(
    line,
    `line ${line} of ${file}, counted from 0, is damaged: ${fault}`,
    { cause },
  )
}
