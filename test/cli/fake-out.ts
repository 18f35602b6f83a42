/**
 * A stand-in for a stream of a terminal or a pipe: keeps what is written, and knows what would be seen.
 */
import { Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'

/** Keeps what is written. */
export class FakeOut extends Writable {
  readonly isTTY: boolean
  readonly columns: number
  readonly #fails: string | undefined
  text = ''

  /** @param fails - code of the error of every write, as of a pipe whose reader has gone. */
  constructor({
    isTTY = false,
    columns = 80,
    fails,
  }: { isTTY?: boolean; columns?: number; fails?: string } = {}) {
    super({ decodeStrings: false })
    this.#fails = fails
    this.isTTY = isTTY
    this.columns = columns
  }

  override _write(chunk: unknown, _encoding: string, done: (error?: Error) => void): void {
    if (this.#fails !== undefined) {
      done(Object.assign(new Error(`write ${this.#fails}`), { code: this.#fails }))
      return
    }
    this.text += String(chunk)
    done()
  }

  get lines(): string[] {
    return this.text.split('\n')
  }

  /** The lines as they stand on the screen at the end, without colour. */
  shown(): string[] {
    return this.text
      .split('\n')
      .map((line) => stripVTControlCharacters(line.split('\r\u001B[K').at(-1) ?? ''))
  }
}
