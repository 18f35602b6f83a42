/**
 * Shows a chat: what the live view shows of a run, and beside it what people said, what was asked, and what was lost.
 *
 * It must not ask the agent for anything.
 *
 * @module
 */
import type { Agent, LiveNotice } from '../../actors/agent-handle.ts'
import type { StoredEvent } from '../../events/event.ts'
import { LiveView } from '../live/live-view.ts'
import { oneLine, printable } from '../live/printable.ts'
import type { Canvas, Mark } from '../live/screen.ts'
import { answerHint, parkedLine, pendingLine, questionLine, saidBy, senderOf } from './words.ts'

/** The view of one chat. */
export class ChatView {
  readonly #screen: Canvas
  readonly #agent: Agent
  readonly #live: LiveView
  /** Nothing shows what waits, so each arrival is told. */
  readonly #tellsArrivals: boolean
  #refreshes = false

  constructor(screen: Canvas, agent: Agent, tellsArrivals: boolean) {
    this.#screen = screen
    this.#agent = agent
    this.#tellsArrivals = tellsArrivals
    this.#live = new LiveView(screen, Date.now)
  }

  /** Shows events from `from` on, then what happens. Questions that were asked before are asked again. */
  begin(from: number): void {
    const agent = this.#agent
    const open = agent.approvals.open.filter(({ seq }) => seq < from)
    agent.listen((notice) => this.#notice(notice))
    agent.subscribe({ from }, (event) => this.#event(event))
    for (const asked of open) this.#ask(asked)
    if (agent.status === 'running') this.#live.notice({ type: 'status', status: 'running' })
    else this.#tellParked()
  }

  /** Says something about the chat itself. */
  say(lines: readonly string[], mark: Mark = 'dim'): void {
    for (const line of lines) this.#line(mark, printable(line))
  }

  end(): void {
    this.#live.end()
  }

  #notice(notice: LiveNotice): void {
    this.#live.notice(notice)
    if (notice.type === 'inserted' && this.#tellsArrivals)
      this.#line('dim', `  + ${pendingLine(notice.placement, notice.message)}`)
    if (notice.type === 'discarded')
      this.#line('yellow', `  - discarded: ${saidBy(notice.message)}`)
    if (notice.type === 'status' && notice.status === 'idle') this.#tellParked()
    this.#refreshSoon()
  }

  #event(event: StoredEvent): void {
    this.#live.event(event)
    if (event.type === 'user/message') {
      const { message } = event.data
      this.#line('bold', `  > ${senderOf(message)}${saidBy(message)}`)
    } else if (event.type === 'approval/asked') {
      this.#ask(event.data)
    } else if (event.type === 'approval/decided') {
      const { call, answer, by, reason } = event.data
      const why = reason === undefined ? '' : `: ${reason}`
      this.#line('cyan', `    ${oneLine(`${call.key} ${answer} (${by})${why}`)}`)
    }
    this.#refreshSoon()
  }

  #ask(asked: Parameters<typeof questionLine>[0]): void {
    this.#line('yellow', `    ${questionLine(asked)}`)
    this.#line('dim', `      ${answerHint(asked)}`)
  }

  #tellParked(): void {
    const parked = parkedLine(this.#agent)
    if (parked !== undefined) this.#line('yellow', parked)
  }

  #line(mark: Mark, text: string): void {
    this.#screen.line(this.#screen.paint(mark, text))
  }

  /** An observer sees the lists of the inbox as they were before its event. */
  #refreshSoon(): void {
    if (this.#refreshes) return
    this.#refreshes = true
    queueMicrotask(() => {
      this.#refreshes = false
      this.#screen.refresh()
    })
  }
}
