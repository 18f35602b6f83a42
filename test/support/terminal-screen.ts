/**
 * What a terminal shows: as much of one as the command needs, with lines that wrap, and wrap again when it is resized. It has
 * as many rows as are needed. A sequence that it does not know is an error, so that nothing foreign passes unseen.
 *
 * @module
 */

// eslint-disable-next-line no-control-regex -- these are what is looked for
const SEQUENCE = /^\u001B\[(?:(\d*)([ACm])|([JK]))/

/** The screen of a terminal. Characters are one column wide. */
export class TerminalScreen {
  columns: number
  /** Lines as they were written, however many rows they take. */
  private lines: string[][] = [[]]
  private line = 0
  private offset = 0
  private rest = ''

  constructor(columns: number) {
    this.columns = columns
  }

  /** Takes what a program writes. @throws Error for a sequence that is not known. */
  write(text: string): void {
    let todo = this.rest + text
    this.rest = ''
    while (todo !== '') {
      const taken = todo.startsWith('\u001B') ? this.sequence(todo) : this.put(todo)
      // It may come in two pieces.
      if (taken === 0) this.rest = todo
      todo = taken === 0 ? '' : todo.slice(taken)
    }
  }

  /** @returns how long it is; 0 where the rest of it is missing. */
  private sequence(text: string): number {
    const found = SEQUENCE.exec(text)
    if (found === null && text.length < 12) return 0
    if (found === null) throw new Error(`unknown sequence ${JSON.stringify(text.slice(0, 12))}`)
    const [whole, count = '1', kind, cut] = found
    this.acts[(kind ?? cut) as keyof TerminalScreen['acts']](Number(count))
    return whole.length
  }

  /** The rows as they are seen. */
  get rows(): readonly string[] {
    return this.lines.flatMap((line) => {
      const text = line.join('')
      const rows = Math.max(1, Math.ceil(line.length / this.columns))
      return Array.from({ length: rows }, (_, row) =>
        text.slice(row * this.columns, (row + 1) * this.columns).trimEnd(),
      )
    })
  }

  get text(): string {
    return this.rows.join('\n')
  }

  /** The row and the column of the cursor. */
  get cursor(): readonly [row: number, column: number] {
    const above = this.lines.slice(0, this.line)
    const rows = above.reduce((sum, line) => sum + rowsOf(line, this.columns), 0)
    return [rows + this.row, this.offset - this.row * this.columns]
  }

  /** The row within its line. A full row at the end of a line is left with the next character only. */
  private get row(): number {
    const { offset, here, columns } = this
    const full = offset > 0 && offset % columns === 0 && offset >= here.length
    return Math.floor(this.offset / this.columns) - (full ? 1 : 0)
  }

  /** @returns how long the first character is. */
  private put(text: string): number {
    const [character = ''] = text
    if (character === '\r') this.offset = this.row * this.columns
    else if (character === '\n') this.down()
    else if (character < ' ' || character === '\u007F')
      throw new Error(`unknown control character ${JSON.stringify(character)}`)
    else {
      const line = this.here
      while (line.length < this.offset) line.push(' ')
      line[this.offset] = character
      this.offset += 1
    }
    return character.length
  }

  private get here(): string[] {
    return this.lines[this.line] ?? []
  }

  private down(): void {
    const column = this.offset - this.row * this.columns
    if (this.row + 1 < rowsOf(this.here, this.columns)) {
      this.offset = (this.row + 1) * this.columns + column
      return
    }
    this.line += 1
    if (this.line === this.lines.length) this.lines.push([])
    this.offset = column
  }

  private up(): void {
    const column = this.offset - this.row * this.columns
    if (this.row > 0) {
      this.offset = (this.row - 1) * this.columns + column
      return
    }
    if (this.line === 0) throw new Error('above the first row')
    this.line -= 1
    this.offset = (rowsOf(this.here, this.columns) - 1) * this.columns + column
  }

  private readonly acts = {
    A: (count: number) => {
      for (let i = 0; i < count; i += 1) this.up()
    },
    C: (count: number) => {
      this.offset += count
    },
    J: () => {
      this.cut()
      this.lines.length = this.line + 1
    },
    K: () => this.cut(),
    // Colours are not seen.
    m: () => {},
  }

  private cut(): void {
    this.here.length = Math.min(this.here.length, this.offset)
  }
}

const rowsOf = (line: readonly string[], columns: number): number =>
  Math.max(1, Math.ceil(line.length / columns))
