/**
 * Where the lines of a chat come from: keys on a terminal, or a stream of lines. Node's readline edits; what is seen of the
 * typed line is drawn by the screen.
 *
 * @module
 */
import { createInterface, type Interface } from 'node:readline'
import process from 'node:process'
import { Readable, Writable } from 'node:stream'
import { ReadStream } from 'node:tty'
import type { Surroundings } from '../surroundings.ts'
import type { FootedScreen } from './footed-screen.ts'

/** Hears what is typed. */
export interface Ear {
  line(text: string): void
  /** Ctrl-C, where the terminal gives it as a key. */
  interrupt(): void
  /** Any other key. */
  key(): void
  /** Nothing more will come. */
  end(): void
}

/** Takes lines until it is closed. */
export interface Typing {
  close(): void
}

/** Lines of an input that is no terminal, or whose terminal edits them itself. */
export function takeLines({ stdin }: Pick<Surroundings, 'stdin'>, ear: Ear): Typing {
  const input = streamOf(stdin)
  const lines = createInterface({ input, crlfDelay: Infinity, terminal: false })
  return closing(lines, input, ear)
}

/** Keys of a terminal; the screen shows what they make. */
export function takeKeys(
  { stdin, stdout }: Pick<Surroundings, 'stdin' | 'stdout'>,
  screen: FootedScreen,
  ear: Ear,
): Typing {
  const input = streamOf(stdin)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: silent, terminal: true, historySize: 200 })
  const show = (): void => screen.typed(lines.line, lines.cursor)
  const resized = (): void => screen.redraw()
  const key = (_text: unknown, { name, ctrl }: { name?: string; ctrl?: boolean } = {}): void => {
    if (ctrl !== true || name !== 'c') ear.key()
    if (ctrl === true && name === 'l') screen.clear()
    show()
  }
  lines.on('SIGINT', () => {
    ear.interrupt()
    // What was typed so far is dropped, as in a shell.
    lines.write(null, { ctrl: true, name: 'e' })
    lines.write(null, { ctrl: true, name: 'u' })
    show()
  })
  lines.on('SIGTSTP', () => stop(input, screen))
  input.on('keypress', key)
  stdout.on('resize', resized)
  show()
  const typing = closing(lines, input, ear)
  return {
    close() {
      input.off('keypress', key)
      stdout.off('resize', resized)
      typing.close()
    },
  }
}

/** How long it may take until a stop is felt, ms. Where nobody could continue the process, it is not stopped at all. */
const STOP_MS = 200

/** Stops the process, as Ctrl-Z does, with the terminal as it was found. */
function stop(input: Readable, screen: FootedScreen): void {
  const setRaw = (on: boolean): void => {
    if (input instanceof ReadStream) input.setRawMode(on)
  }
  const back = (): void => {
    clearTimeout(timer)
    process.off('SIGCONT', back)
    setRaw(true)
    screen.comeBack()
  }
  const timer = setTimeout(back, STOP_MS)
  process.once('SIGCONT', back)
  screen.goAway()
  setRaw(false)
  process.kill(process.pid, 'SIGTSTP')
}

/** An input that breaks has ended too: the terminal went away. */
function closing(lines: Interface, input: Readable, ear: Ear): Typing {
  let closed = false
  const end = (): void => {
    if (!closed) ear.end()
    closed = true
  }
  lines.on('line', (text) => ear.line(text))
  lines.on('close', end)
  input.on('error', end)
  // Raw mode cannot be left on a terminal that is gone.
  lines.on('error', end)
  return {
    close() {
      closed = true
      lines.close()
      input.destroy()
    },
  }
}

const streamOf = (stdin: Surroundings['stdin']): Readable =>
  stdin instanceof Readable ? stdin : Readable.from(stdin)
