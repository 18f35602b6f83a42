/**
 * Shows a run to a person while it happens: a fold of durable events and live notices into lines.
 *
 * It must not ask the agent for anything: what it shows is what every reader of the log can know.
 *
 * V1 Each fact is shown once, when it happens; only the moving line at the bottom is taken back.
 * V2 Foreign text is made printable first.
 *
 * @module
 */
import type { LiveNotice } from '../../actors/agent-handle.ts'
import type { EventType, StoredEvent } from '../../events/event.ts'
import { plural } from '../offline/words.ts'
import { OpenCalls } from './open-calls.ts'
import { duration, oneLine } from './printable.ts'
import { reasonOf } from './reasons.ts'
import type { Canvas, Mark } from './screen.ts'
import { TextFlow } from './text-flow.ts'

type Of<T extends EventType> = StoredEvent<T>['data']

/** The live view of one run. */
export class LiveView {
  readonly #screen: Canvas
  readonly #now: () => number
  readonly #calls: OpenCalls
  #flow: TextFlow | undefined
  #turn = { number: 0, step: 0, steps: 0, calls: 0, since: 0 }
  #doing = ''

  constructor(screen: Canvas, now: () => number) {
    this.#screen = screen
    this.#now = now
    this.#calls = new OpenCalls(screen)
  }

  /** Takes a live notice. */
  readonly notice = (notice: LiveNotice): void => {
    if (notice.type === 'diagnostic') {
      this.#line('yellow', `! ${notice.diagnostic.kind}: ${oneLine(notice.diagnostic.message)}`)
    }
    if (notice.type !== 'status') return
    this.#endText()
    const { status } = notice
    this.#screen.status(status === 'running' ? () => this.#moving() : undefined)
    if (status === 'running') this.#line('cyan', '● running')
    if (status === 'idle') this.#line('dim', '○ idle')
  }

  /** Takes a durable event. */
  readonly event = (event: StoredEvent): void => {
    this.#calls.event(event)
    const show = this.#shows[event.type] as
      | ((data: unknown, event: StoredEvent) => void)
      | undefined
    show?.(event.data, event)
    this.#screen.refresh()
  }

  /** Ends what is half written, and takes the moving line away. */
  end(): void {
    this.#endText()
    this.#screen.status(undefined)
  }

  readonly #shows: { readonly [T in EventType]?: (data: Of<T>, event: StoredEvent) => void } = {
    'turn/start': ({ turn }, { time }) => {
      this.#turn = { number: turn, step: 0, steps: 0, calls: 0, since: time }
      this.#line('bold', `turn ${turn}`)
    },
    'step/start': ({ step }) => {
      this.#turn = { ...this.#turn, step, steps: this.#turn.steps + 1 }
      this.#doing = 'waiting for the model'
      this.#line('cyan', `  step ${step}`)
    },
    'assistant/chunk': ({ chunk }) => {
      if (chunk.kind === 'text-delta') this.#text(chunk.text)
      if (chunk.kind === 'reasoning-delta') this.#doing = 'thinking'
      if (chunk.kind === 'block-end') this.#endText()
    },
    'assistant/message': ({ interrupted }) => {
      this.#endText()
      if (interrupted === true) this.#line('yellow', '    (cut off here)')
    },
    'request/failed': ({ attempt, failure, action, delayMs }) => {
      this.#endText()
      const next = action === 'retry' ? `; again in ${duration(delayMs)}` : ''
      this.#line(
        'yellow',
        `    ! attempt ${attempt}: ${failure.code} ${oneLine(failure.message)}${next}`,
      )
    },
    'tool/call': () => {
      this.#turn = { ...this.#turn, calls: this.#turn.calls + 1 }
    },
    'step/end': () => {
      this.#doing = ''
      this.#endText()
    },
    'cancel/requested': ({ cause, discarded }) => {
      this.#endText()
      this.#doing = 'ending (Ctrl-C again to leave)'
      const dropped =
        discarded.length === 0 ? '' : `, ${plural(discarded.length, 'message')} discarded`
      this.#line('yellow', `  cancelled (${oneLine(cause.kind)})${dropped}`)
    },
    'turn/end': ({ turn, reason }, { time }) => {
      const { steps, calls, since } = this.#turn
      const worked = `${plural(steps, 'step')}, ${plural(calls, 'tool call')}, ${duration(time - since)}`
      const mark = reason.kind === 'completed' ? 'green' : 'red'
      this.#line(mark, `turn ${turn} ${oneLine(reasonOf(reason))}: ${worked}`)
    },
  }

  /** Writes streamed text under its step. */
  #text(piece: string): void {
    this.#doing = 'writing'
    const { wraps, columns } = this.#screen
    this.#flow ??= new TextFlow('    ', wraps ? columns : Number.POSITIVE_INFINITY)
    this.#screen.text(this.#flow.push(piece))
  }

  #endText(): void {
    if (this.#flow === undefined) return
    this.#screen.text(this.#flow.end())
    this.#flow = undefined
    this.#screen.endLine()
  }

  #line(mark: Mark, text: string): void {
    this.#screen.line(this.#screen.paint(mark, text))
  }

  #moving(): string {
    const { number, step, since } = this.#turn
    const at = number === 0 ? '' : ` · turn ${number}${step === 0 ? '' : ` · step ${step}`}`
    const doing = this.#calls.running ?? this.#doing
    const time = number === 0 ? '' : ` · ${duration(Math.max(0, this.#now() - since))}`
    return `running${at}${doing === '' ? '' : ` · ${doing}`}${time}`
  }
}
