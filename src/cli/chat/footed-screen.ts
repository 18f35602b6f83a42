/**
 * A terminal whose last lines stay below everything that is written: what is under way, what waits, and the typed line.
 *
 * F1 Text that ends in the middle of a line is kept among the last lines, so that they can always be taken back whole.
 * F2 None of the last lines wraps when it is written. A terminal that was narrowed since has wrapped them itself; that is
 *    counted.
 * F3 One change is one write: nothing in between is ever seen.
 *
 * @module
 */
import { fitted, widthOf } from '../live/printable.ts'
import { type Canvas, type Mark, type Out, Screen } from '../live/screen.ts'
import { cutAt, typedView } from './typed-view.ts'

/** A line of the footer. */
export interface FootLine {
  readonly mark: Mark
  readonly text: string
}

const PROMPT = '> '
/** Most lines between the status and the typed line. */
const MOST_LINES = 6
/** How often the status says how long it takes, ms. */
const TICK_MS = 500

/** The last lines as they were written. */
interface Drawn {
  /** Columns of each line. */
  readonly widths: readonly number[]
  /** Where the cursor stands in the last one. */
  readonly column: number
  readonly text: string
}

const NOTHING: Drawn = { widths: [], column: 0, text: '' }

/** A terminal with a footer. */
export class FootedScreen implements Canvas {
  readonly wraps = true
  readonly #out: Out
  /** Knows of colours and of columns for text. */
  readonly #screen: Screen
  readonly #footer: (most: number) => readonly FootLine[]
  readonly #timer: ReturnType<typeof setInterval>
  #says: (() => string) | undefined
  #tail = ''
  #typed = { line: '', cursor: 0 }
  #drawn = NOTHING
  #closed = false
  /** The terminal is somebody else's, and this is to be written then. */
  #away = false
  #kept = ''

  /** @param footer - what stands between the status and the typed line, most important first; `most` lines are seen. */
  constructor(
    out: Out,
    env: Readonly<Record<string, string | undefined>>,
    footer: (most: number) => readonly FootLine[],
  ) {
    this.#out = out
    this.#screen = new Screen(out, env)
    this.#footer = footer
    this.#timer = setInterval(() => this.refresh(), TICK_MS)
    // The view must not keep the program alive.
    this.#timer.unref()
  }

  get columns(): number {
    return Math.min(this.#screen.columns, this.#width)
  }

  /** Columns that a line may take without wrapping. */
  get #width(): number {
    return Math.max(4, this.#out.columns ?? 80) - 1
  }

  paint(mark: Mark, text: string): string {
    return this.#screen.paint(mark, text)
  }

  line(text = ''): void {
    this.endLine()
    this.text(`${text}\n`)
  }

  endLine(): void {
    if (this.#tail !== '') this.text('\n')
  }

  text(text: string): void {
    if (text === '') return
    const all = this.#tail + text
    const end = all.lastIndexOf('\n') + 1
    const [whole, tail] = cutAt(all.slice(end), this.#width)
    this.#tail = tail
    this.#draw(all.slice(0, end) + whole)
  }

  status(says: (() => string) | undefined): void {
    this.#says = says
    this.#draw('')
  }

  refresh(): void {
    this.#draw('')
  }

  /** Shows the line that is being typed. @param cursor - in UTF-16 units */
  typed(line: string, cursor: number): void {
    this.#typed = { line, cursor }
    this.#draw('')
  }

  /** Writes the last lines again: the terminal has another size, or something else has written to it. */
  redraw(): void {
    this.#draw('', true)
  }

  /** Clears what is seen. */
  clear(): void {
    if (this.#away) return
    this.#drawn = NOTHING
    this.#out.write('\u001B[2J\u001B[H')
    this.#draw('')
  }

  /** Writes nothing until it comes back: the terminal is somebody else's. The last lines stay where they are. */
  goAway(): void {
    this.#away = true
    this.#drawn = NOTHING
    this.#out.write('\n')
  }

  /** Writes what was kept back, below whatever the terminal shows by now. */
  comeBack(): void {
    this.#away = false
    const kept = this.#kept
    this.#kept = ''
    this.#draw(kept, true)
  }

  /** Takes the last lines away for good. */
  close(): void {
    if (this.#closed) return
    if (this.#away) this.comeBack()
    clearInterval(this.#timer)
    this.endLine()
    this.#closed = true
    this.#out.write(this.#taken())
    this.#drawn = NOTHING
  }

  #draw(text: string, always = false): void {
    if (this.#closed) {
      this.#out.write(text + this.#tail)
      this.#tail = ''
      return
    }
    if (this.#away) {
      this.#kept += text
      return
    }
    const next = this.#lastLines()
    if (text === '' && !always && next.text === this.#drawn.text) return
    this.#out.write(this.#taken() + text + next.text)
    this.#drawn = next
  }

  /** Takes the last lines back: to the beginning of their first row, as wide as the terminal is now. */
  #taken(): string {
    const { widths, column } = this.#drawn
    if (widths.length === 0) return ''
    const columns = this.#out.columns ?? 80
    const above = widths.slice(0, -1).reduce((rows, width) => rows + rowsOf(width, columns), 0)
    const up = above + Math.floor(column / columns)
    return `${up === 0 ? '' : `\u001B[${up}A`}\r\u001B[J`
  }

  #lastLines(): Drawn {
    const width = this.#width
    const rows = [
      ...(this.#tail === '' ? [] : [{ plain: this.#tail, shown: this.#tail }]),
      ...[this.#status(), ...this.#between()].map(({ mark, text }) => {
        const plain = fitted(text, width)
        return { plain, shown: this.paint(mark, plain) }
      }),
    ]
    const { line, cursor } = this.#typed
    const typed = typedView(line, cursor, width - PROMPT.length)
    const column = PROMPT.length + typed.column
    const shown = [...rows.map((row) => row.shown), `${this.paint('bold', PROMPT)}${typed.text}`]
    return {
      widths: [...rows.map(({ plain }) => widthOf(plain)), PROMPT.length + widthOf(typed.text)],
      column,
      text: `${shown.join('\n')}\r\u001B[${column}C`,
    }
  }

  #status(): FootLine {
    return this.#says === undefined
      ? { mark: 'dim', text: '○ idle · /help' }
      : { mark: 'cyan', text: `● ${this.#says()}` }
  }

  /** A low terminal keeps the status, the text and the typed line. */
  #between(): readonly FootLine[] {
    const room = Math.max(0, Math.min(MOST_LINES, (this.#out.rows ?? 24) - 4))
    return this.#footer(room).slice(0, room)
  }
}

const rowsOf = (width: number, columns: number): number => Math.max(1, Math.ceil(width / columns))
