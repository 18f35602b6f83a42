/**
 * The tool calls of a run: one line each when it is known how it ended, and what runs right now.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import type { CallRef, Outcome } from '../../events/message.ts'
import { duration, fitted, oneLine, widthOf } from './printable.ts'
import type { Canvas } from './screen.ts'
import { argumentsOf, outcomeOf } from './summaries.ts'

interface OpenCall {
  readonly name: string
  readonly asked: string
  readonly since: number
}

/** Columns for the name of a tool and what it was asked; less on a narrow terminal. */
const ASKED_COLUMNS = 40
/** Indent, mark and gaps of a line. */
const FRAME_COLUMNS = 9

/** Follows calls from `tool/call` to the first event that tells their outcome. */
export class OpenCalls {
  readonly #screen: Canvas
  readonly #open = new Map<string, OpenCall>()

  constructor(screen: Canvas) {
    this.#screen = screen
  }

  /** What runs now, in a few words; undefined when nothing does. */
  get running(): string | undefined {
    const [first, ...others] = this.#open.values()
    if (first === undefined) return undefined
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    return `${first.name} ${first.asked}`.trim() + more
  }

  /** Takes an event; those that are not about calls change nothing. */
  event(event: StoredEvent): void {
    if (event.type === 'tool/call') {
      const { call, name, arguments: raw } = event.data
      this.#open.set(call.key, { name: oneLine(name), asked: argumentsOf(raw), since: event.time })
    } else if (event.type === 'tool/settled' || event.type === 'tool/result') {
      this.#settle(event.data.call, event.data.outcome, event.time)
    }
  }

  #settle({ key }: CallRef, outcome: Outcome, time: number): void {
    const call = this.#open.get(key)
    if (call === undefined) return
    this.#open.delete(key)
    const screen = this.#screen
    const good = outcome.kind === 'ok'
    const mark = good ? screen.paint('green', '✓') : screen.paint('red', '✗')
    const took = duration(time - call.since)
    const columns = screen.columns - FRAME_COLUMNS - widthOf(took)
    const half = Math.min(ASKED_COLUMNS, Math.floor(screen.columns * 0.45))
    const asked = padded(`${call.name} ${call.asked}`, half)
    const answered = fitted(outcomeOf(call.name, outcome), columns - half)
    const said = good ? answered : screen.paint('red', answered)
    screen.line(`    ${mark} ${asked} ${said}  ${screen.paint('dim', took)}`)
  }
}

const padded = (text: string, columns: number): string => {
  const short = fitted(text, columns)
  return short + ' '.repeat(Math.max(0, columns - widthOf(short)))
}
