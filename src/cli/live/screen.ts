/**
 * Where the live view is written: lines that stay, and on a terminal one line at the bottom that moves.
 *
 * S1 Off a terminal nothing is written but text and line breaks: no colour, no cursor movement.
 * S2 The moving line never wraps, so that it can always be taken away again.
 *
 * @module
 */
import { fitted } from './printable.ts'

/** What a screen needs of a stream. */
export interface Out {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

/** Marks of a text. */
export type Mark = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

const CODES: Readonly<Record<Mark, number>> = {
  bold: 1,
  dim: 2,
  red: 31,
  green: 32,
  yellow: 33,
  cyan: 36,
}
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 100
/** Text is easier to read when lines are not as wide as a large window. */
const MAX_COLUMNS = 110
const MAX_COLUMNS_OFF_TERMINAL = 90

/** What a view writes on. */
export interface Canvas {
  /** Columns to write in. */
  readonly columns: number
  /** Is this a terminal whose lines must be broken between words? */
  readonly wraps: boolean
  /** The text with a mark, where colours are shown. */
  paint(mark: Mark, text: string): string
  /** Writes a whole line; an unfinished one is ended first. */
  line(text?: string): void
  /** Ends a line that text has left unfinished. */
  endLine(): void
  /** Writes text that may end in the middle of a line. */
  text(text: string): void
  /** Sets what the moving line says; undefined takes it away. */
  status(says: (() => string) | undefined): void
  /** Writes the moving line again, with what it says now. */
  refresh(): void
}

/** Can lines be taken back there? */
export const canMove = (
  out: Pick<Out, 'isTTY'>,
  env: Readonly<Record<string, string | undefined>>,
): boolean => out.isTTY === true && env['TERM'] !== 'dumb'

/** A place for lines. */
export class Screen implements Canvas {
  readonly #out: Out
  readonly #colour: boolean
  readonly #moves: boolean
  #moving: (() => string) | undefined
  #shown = false
  #timer: ReturnType<typeof setInterval> | undefined
  #frame = 0
  #atStart = true

  constructor(out: Out, env: Readonly<Record<string, string | undefined>>) {
    this.#out = out
    this.#moves = canMove(out, env)
    this.#colour = this.#moves && (env['NO_COLOR'] ?? '') === ''
  }

  get columns(): number {
    if (this.#out.isTTY !== true) return MAX_COLUMNS_OFF_TERMINAL
    return Math.min(Math.max(this.#out.columns ?? 80, 20), MAX_COLUMNS)
  }

  get wraps(): boolean {
    return this.#out.isTTY === true
  }

  paint(mark: Mark, text: string): string {
    return this.#colour ? `\u001B[${CODES[mark]}m${text}\u001B[0m` : text
  }

  line(text = ''): void {
    this.endLine()
    this.text(`${text}\n`)
  }

  endLine(): void {
    if (!this.#atStart) this.text('\n')
  }

  text(text: string): void {
    if (text === '') return
    this.#hide()
    this.#out.write(text)
    this.#atStart = text.endsWith('\n')
    this.#show()
  }

  status(says: (() => string) | undefined): void {
    this.#moving = says
    if (!this.#moves) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#hide()
    if (says === undefined) return
    this.#timer = setInterval(() => {
      this.#frame += 1
      this.refresh()
    }, FRAME_MS)
    // The view must not keep the program alive.
    this.#timer.unref()
    this.#show()
  }

  refresh(): void {
    this.#hide()
    this.#show()
  }

  #show(): void {
    if (!this.#moves || this.#moving === undefined || !this.#atStart) return
    const says = fitted(this.#moving(), this.columns - 3)
    const frame = FRAMES[this.#frame % FRAMES.length] ?? ''
    this.#out.write(`${this.paint('cyan', frame)} ${this.paint('dim', says)}`)
    this.#shown = true
  }

  #hide(): void {
    if (!this.#shown) return
    this.#out.write('\r\u001B[K')
    this.#shown = false
  }
}
