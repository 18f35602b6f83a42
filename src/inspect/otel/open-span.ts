/**
 * A span while the log is read: what is known of it so far.
 *
 * @module
 */
import { type Attribute, attributesOf, nanos, type OtlpSpan, type SpanEvent } from './span.ts'

/** What is known when a span begins. */
export interface SpanStart {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: 1 | 3
  /** Ms since the epoch. */
  readonly start: number
}

/** Takes attributes and events until it is ended. */
export class OpenSpan {
  readonly #start: SpanStart
  readonly #attributes: Record<string, Attribute>
  readonly #events: SpanEvent[] = []

  constructor(start: SpanStart, attributes: Readonly<Record<string, Attribute>>) {
    this.#start = start
    this.#attributes = { ...attributes }
  }

  set(attributes: Readonly<Record<string, Attribute>>): void {
    Object.assign(this.#attributes, attributes)
  }

  add(name: string, time: number, attributes: Readonly<Record<string, Attribute>>): void {
    this.#events.push({ name, timeUnixNano: nanos(time), attributes: attributesOf(attributes) })
  }

  /**
   * @param end - ms since the epoch; clocks may have been set back, but no span ends before it starts.
   * @param error - its type, for a span that failed.
   * @param message - what was said about the failure; only where content was asked for.
   */
  end(end: number, error?: string, message?: string): OtlpSpan {
    const { start, ...rest } = this.#start
    if (error !== undefined) this.set({ 'error.type': error })
    return {
      ...rest,
      startTimeUnixNano: nanos(start),
      endTimeUnixNano: nanos(Math.max(start, end)),
      attributes: attributesOf(this.#attributes),
      events: this.#events,
      status:
        error === undefined
          ? {}
          : { code: 2, ...(message !== undefined && message !== '' && { message }) },
    }
  }
}
