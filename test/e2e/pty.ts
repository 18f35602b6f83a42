/**
 * A program in a real pseudo-terminal, and what is seen of it.
 *
 * @module
 */
import { EventEmitter, once } from 'node:events'
import { spawn } from 'node-pty'
import type { IPty } from 'node-pty'
import { TerminalScreen } from '../support/terminal-screen.ts'

/** Ms after which what was waited for is missed; only reached by a test that fails. */
const MISSED_MS = 20_000

export const KEYS = {
  enter: '\r',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  ctrlZ: '\u001A',
  left: '\u001B[D',
  up: '\u001B[A',
  backspace: '\u007F',
} as const

/** A terminal with a program in it. */
export class Terminal {
  readonly screen: TerminalScreen
  /** Everything that was written. */
  raw = ''
  readonly process: IPty
  private readonly changes = new EventEmitter()
  private fault: unknown
  private code: number | undefined

  constructor(
    program: string,
    words: readonly string[],
    {
      cwd,
      columns = 80,
      rows = 24,
      term = 'xterm-256color',
    }: {
      readonly cwd: string
      readonly columns?: number
      readonly rows?: number
      readonly term?: string
    },
  ) {
    const { PATH = '', HOME = '' } = process.env
    this.screen = new TerminalScreen(columns)
    this.process = spawn(program, [...words], {
      name: term,
      cols: columns,
      rows,
      cwd,
      env: { PATH, HOME, TERM: term, LANG: 'C.UTF-8' },
    })
    this.process.onData((text) => this.take(text))
    this.process.onExit(({ exitCode }) => {
      this.code = exitCode
      this.changes.emit('change')
    })
  }

  type(keys: string): void {
    this.process.write(keys)
  }

  /** Types a line. */
  line(text: string): void {
    this.type(text + KEYS.enter)
  }

  resize(columns: number, rows = 24): void {
    this.screen.columns = columns
    this.process.resize(columns, rows)
  }

  /** Resolves when the screen shows it. */
  shows(what: string | RegExp): Promise<void> {
    return this.until(
      () =>
        typeof what === 'string' ? this.screen.text.includes(what) : what.test(this.screen.text),
      String(what),
    )
  }

  /** Resolves when the screen shows it no more. */
  hides(what: string): Promise<void> {
    return this.until(() => !this.screen.text.includes(what), `no ${what}`)
  }

  /** The last rows, without what is empty below them. */
  get foot(): readonly string[] {
    return this.screen.text.trimEnd().split('\n').slice(-6)
  }

  /** Resolves with the exit code. */
  async ended(): Promise<number> {
    await this.until(() => this.code !== undefined, 'the end')
    return this.code ?? -1
  }

  /** Takes the terminal away from under the program. */
  hangUp(): void {
    ;(this.process as IPty & { destroy(): void }).destroy()
  }

  /** Ends a program that a test has left behind. */
  kill(): void {
    if (this.code === undefined) this.process.kill('SIGKILL')
  }

  private take(text: string): void {
    this.raw += text
    try {
      this.screen.write(text)
    } catch (error) {
      this.fault ??= error
    }
    this.changes.emit('change')
  }

  private async until(holds: () => boolean, what: string): Promise<void> {
    const missed = AbortSignal.timeout(MISSED_MS)
    while (!holds()) {
      if (this.fault !== undefined) throw this.fault
      if (this.code !== undefined && what !== 'the end')
        throw new Error(`ended with ${this.code} before ${what}:\n${this.screen.text}`)
      await once(this.changes, 'change', { signal: missed }).catch(() => {
        throw new Error(`missed ${what}:\n${this.screen.text}`)
      })
    }
    if (this.fault !== undefined) throw this.fault
  }
}
