/**
 * Sends one log to one reader, as server-sent events, and goes on while the log grows.
 *
 * S1 A reader pulls: while it does not take what was written, nothing further is read. So a slow reader costs one batch.
 * S2 Each batch carries the seq of its last event as its id, so that a broken connection goes on behind it.
 * S3 A log that was replaced is begun anew, with a `header` of its own.
 *
 * @module
 */
import type { ServerResponse } from 'node:http'
import { HEADERS } from './front-door.ts'
import type { LogSource } from './log-source.ts'
import type { CaughtUp, StreamHeader } from './wire.ts'

/** Ms of silence after which a comment keeps the connection open. */
export const HEARTBEAT_MS = 15_000

/** One reader of one log. */
export class EventStream {
  private readonly source: LogSource
  private readonly response: ServerResponse
  /** Seq of the next event. */
  private next: number
  private generation: string | undefined
  private caughtUp = false
  private readonly told = { live: '', trouble: '' }
  private woken = false
  private wake: () => void = () => {}

  constructor(source: LogSource, response: ServerResponse, from: number) {
    this.source = source
    this.response = response
    this.next = from
  }

  /** Resolves when the reader has gone. Never rejects. */
  async run(): Promise<void> {
    const { response, source } = this
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' })
    response.flushHeaders()
    const again = (): void => {
      this.again()
    }
    const stop = source.watch(again)
    const heart = setInterval(() => this.beat(), HEARTBEAT_MS)
    for (const end of ['close', 'error', 'drain']) response.on(end, again)
    try {
      while (this.open) await this.turn()
    } catch {
      // Whatever a foreign log threw: the reader is told by the end of its connection, and comes back.
      response.destroy()
    } finally {
      clearInterval(heart)
      stop()
    }
  }

  private get open(): boolean {
    return !this.response.destroyed && !this.response.writableEnded
  }

  /** Sends what is there, as far as the reader takes it, then waits. */
  private async turn(): Promise<void> {
    this.woken = false
    if (!this.response.writableNeedDrain && (await this.sent())) return
    await this.wait()
  }

  /** @returns whether there may be more at once. */
  private async sent(): Promise<boolean> {
    const { source } = this
    await source.refresh()
    this.begin()
    const batch = await source.batch(this.next)
    if (batch !== undefined && this.generation === source.state.generation) {
      this.next = batch.last + 1
      this.write('batch', batch.json, batch.last)
      return true
    }
    this.tell()
    return false
  }

  private begin(): void {
    const { header, generation, length } = this.source.state
    if (header === undefined || generation === this.generation) return
    // A position behind the end is one of another log.
    if (this.generation !== undefined || this.next > length) this.next = 0
    this.generation = generation
    this.caughtUp = false
    const begun: StreamHeader = { header, from: this.next, generation }
    this.write('header', JSON.stringify(begun))
  }

  /** What is to be said once nothing more can be read. */
  private tell(): void {
    const { length, trouble } = this.source.state
    if (!this.caughtUp && this.generation !== undefined && this.next >= length) {
      this.caughtUp = true
      const told: CaughtUp = { length }
      this.write('caughtup', JSON.stringify(told))
    }
    this.change('live', this.source.live?.())
    this.change('trouble', trouble)
  }

  /** Says something of which only changes are of interest. */
  private change(event: 'live' | 'trouble', value: object | undefined): void {
    const text = value === undefined ? '' : JSON.stringify(value)
    if (text !== '' && text !== this.told[event]) this.write(event, text)
    this.told[event] = text
  }

  private write(event: string, data: string, id?: number): void {
    const named = id === undefined ? '' : `id: ${id}\n`
    this.response.write(`event: ${event}\n${named}data: ${data}\n\n`)
  }

  private beat(): void {
    if (!this.response.writableNeedDrain) this.response.write(': \n\n')
  }

  private again(): void {
    this.woken = true
    this.wake()
  }

  private wait(): Promise<void> {
    if (this.woken || !this.open) return Promise.resolve()
    return new Promise((resolve) => {
      this.wake = resolve
    })
  }
}
