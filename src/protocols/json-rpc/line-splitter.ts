/**
 * Cuts a stream of bytes into lines, in bounded memory.
 *
 * It cuts at line breaks only, which are never part of a longer character, so a character that arrives in two pieces
 * survives. It neither decodes nor reads a line.
 *
 * L1 A line longer than the bound is told of once, when it is over it, and skipped up to its end.
 * L2 What stands behind the last line break is told by `end`.
 *
 * @module
 */
import { Buffer } from 'node:buffer'

const BREAK = 0x0a

/** Told of lines. */
export interface LineReader {
  /** A line without its break. */
  line(bytes: Uint8Array): void
  /** A line became longer than the bound; it is skipped. */
  tooLong(): void
}

/** One stream. */
export class LineSplitter {
  private readonly reader: LineReader
  private maxBytes: number
  private pieces: Uint8Array[] = []
  private held = 0
  private skipping = false

  /** @param maxBytes - longest line, without its break. */
  constructor(reader: LineReader, maxBytes: number) {
    this.reader = reader
    this.maxBytes = maxBytes
  }

  /** Changes the bound for what comes. */
  allow(maxBytes: number): void {
    this.maxBytes = maxBytes
  }

  push(chunk: Uint8Array | string): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    let from = 0
    for (let at = bytes.indexOf(BREAK); at !== -1; at = bytes.indexOf(BREAK, from)) {
      this.hold(bytes.subarray(from, at))
      this.cut()
      from = at + 1
    }
    this.hold(bytes.subarray(from))
  }

  /** Nothing comes any more. */
  end(): void {
    if (this.held > 0) this.cut()
  }

  private hold(piece: Uint8Array): void {
    if (this.skipping || piece.length === 0) return
    if (this.held + piece.length <= this.maxBytes) {
      this.pieces.push(piece)
      this.held += piece.length
      return
    }
    this.drop()
    this.skipping = true
    this.reader.tooLong()
  }

  private cut(): void {
    const { pieces, held, skipping } = this
    this.drop()
    this.skipping = false
    if (skipping) return
    const [only] = pieces
    this.reader.line(only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces, held))
  }

  private drop(): void {
    this.pieces = []
    this.held = 0
  }
}
