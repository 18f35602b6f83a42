/**
 * Where the events of a log file stand, and up to which line they can be read. It keeps places, not events.
 *
 * N1 A line counts once it has its line break: what stands behind the last one may still be written.
 * N2 Each line is checked as a log is when it is opened, but events of foreign types pass: a reader that only looks may
 *    skip them.
 * N3 Reading stops in front of the first damage and says so; what stands before stays readable.
 *
 * @module
 */
import { isUtf8 } from 'node:buffer'
import { LogCorruptError, TurnwiseError } from '../../errors.ts'
import type { LogHeader, StoredEvent } from '../../events/event.ts'
import { lenientCatalogue } from '../../events/lenient-catalogue.ts'
import { parseEvent } from '../../events/parse-event.ts'
import { parseHeader } from '../../log/header.ts'
import type { Trouble } from './wire.ts'

const NEWLINE = 0x0a
/** Bytes of one line beyond which nobody could have written it. */
const LONGEST_LINE = 256 * 1024 * 1024

/** A place in the file, in bytes. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Grows with its file. */
export class LineIndex {
  header: LogHeader | undefined
  trouble: Trouble | undefined
  /** Number of the open turn, or null. */
  openTurn: number | null = null
  /** Byte behind the last line that was read, damaged or not. */
  end = 0
  /** The last line that was read. */
  last: Span = { from: 0, to: 0 }
  /** Byte at which each event begins; its line ends where the next one begins. */
  private readonly starts: number[] = []
  private pieces: Buffer[] = []
  private waiting = 0

  /** Number of readable events. */
  get length(): number {
    return this.starts.length
  }

  /** Bytes that were given so far. */
  get given(): number {
    return this.end + this.waiting
  }

  /** The line of one event, with its line break. */
  span(seq: number): Span | undefined {
    const from = this.starts[seq]
    return from === undefined ? undefined : { from, to: this.starts[seq + 1] ?? this.readable }
  }

  /** Takes the bytes that follow what was given. */
  take(block: Buffer): void {
    let from = 0
    while (this.trouble === undefined) {
      const end = block.indexOf(NEWLINE, from)
      if (end === -1) break
      this.pieces.push(block.subarray(from, end))
      this.line(Buffer.concat(this.pieces.splice(0)))
      from = end + 1
    }
    this.keep(block.subarray(from))
  }

  /** Byte behind the last readable event. */
  private get readable(): number {
    return this.trouble === undefined ? this.end : this.last.from
  }

  /** The block is the caller's, who fills it again. */
  private keep(rest: Buffer): void {
    if (this.trouble !== undefined) return
    if (rest.length > 0) this.pieces.push(Buffer.from(rest))
    this.waiting += rest.length
    if (this.waiting > LONGEST_LINE) {
      this.stop('LOG_CORRUPT', `line ${this.next} is longer than ${LONGEST_LINE} bytes`)
      this.pieces = []
    }
  }

  /** Number of the line that comes next, as editors count. */
  private get next(): number {
    return this.header === undefined ? 1 : this.length + 2
  }

  private line(bytes: Buffer): void {
    const from = this.end
    this.end = from + bytes.length + 1
    this.waiting = 0
    this.last = { from, to: this.end }
    try {
      const value = parsed(bytes)
      if (this.header === undefined) this.header = parseHeader(value)
      else this.note(from, parseEvent(value, this.length, lenientCatalogue))
    } catch (error) {
      const code = error instanceof TurnwiseError ? error.code : 'LOG_CORRUPT'
      const summary = error instanceof TurnwiseError ? error.summary : String(error)
      this.stop(code, `line ${this.next}: ${summary}`)
    }
  }

  private note(from: number, event: StoredEvent): void {
    this.starts.push(from)
    if (event.type === 'turn/start') this.openTurn = event.data.turn
    if (event.type === 'turn/end' && event.data.turn === this.openTurn) this.openTurn = null
  }

  private stop(code: string, message: string): void {
    this.trouble = { code, message: `${message}. What follows is not shown.` }
  }
}

/** The value of a line. @throws LogCorruptError */
function parsed(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new LogCorruptError(0, 'it is no UTF-8')
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new LogCorruptError(0, 'it is no JSON', { cause: error })
  }
}
