/**
 * A log as far as memory goes: checking, numbering, freezing and delivering. Subclasses make it durable.
 *
 * It implements G1–G3 of the port. Further:
 *
 * S1 An event that stands in the log is deeply frozen, and so is its envelope.
 * S2 A refused append leaves log and ledger as they were.
 * S3 Payloads of this library are frozen in place, since their parts were checked where they came in; foreign payloads
 *    are checked and copied here.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import { checkCustomType } from '../events/define-event.ts'
import { CORE_TYPES, isCoreType, Ledger, loadInto } from '../events/enclosure.ts'
import type { LogHeader, NewEvent, StoredEvent } from '../events/event.ts'
import { deepFreeze, frozenJson, JsonLossError } from '../events/json.ts'
import type { EventLog, LogObserver } from './event-log.ts'

export interface SessionLogOptions {
  /** Called before each event is recorded; throwing refuses it, and the whole group with it. */
  readonly intercept?: (event: NewEvent) => void
  /** Told once of each throw of an observer. Must not throw. */
  readonly onFault?: (error: unknown, event: StoredEvent) => void
}

interface Watch {
  readonly observer: LogObserver
  /** First seq it is called for. */
  readonly from: number
  live: boolean
}

/** Base of every log. */
export class SessionLog implements EventLog {
  readonly header: LogHeader
  readonly ledger: Ledger
  refusedAt = 0
  /** Every event, by seq. */
  protected readonly events: StoredEvent[]
  /** Once set, every append throws it. */
  protected refusal: Error | undefined = undefined
  private readonly intercept: SessionLogOptions['intercept']
  private readonly onFault: SessionLogOptions['onFault']
  private watches: readonly Watch[] = NO_WATCHES
  /** Seq of the next event to deliver. */
  private delivered = 0
  private delivering = false

  /**
   * @param events - what is stored already, in order; the list is taken over, and its events are frozen in place.
   * @throws LogCorruptError when an event may not stand where it stands.
   */
  constructor(header: LogHeader, events: StoredEvent[] = [], options: SessionLogOptions = {}) {
    this.header = deepFreeze(header)
    this.ledger = new Ledger()
    this.intercept = options.intercept
    this.onFault = options.onFault
    this.events = events
    for (const event of events) {
      loadInto(this.ledger, event)
      deepFreeze(event)
    }
    this.delivered = events.length
  }

  get length(): number {
    return this.events.length
  }

  append(events: NewEvent | readonly NewEvent[], time: number): StoredEvent {
    if (this.refusal !== undefined) throw this.refusal
    if (!Number.isSafeInteger(time)) {
      throw new TurnwiseError(
        'INVALID_OPTION',
        `expected a time in whole ms, found ${time}; nothing was recorded.`,
      )
    }
    const from = this.events.length
    if (isGroup(events)) this.addGroup(events, time)
    else {
      this.refusedAt = 0
      this.intercept?.(events)
      this.events.push(this.admit(events, time, from))
    }
    this.persist(from)
    const last = this.events[this.events.length - 1] as StoredEvent
    this.deliver()
    return last
  }

  at(seq: number): StoredEvent | undefined {
    return this.events[seq]
  }

  read(from = 0, to = this.events.length): readonly StoredEvent[] {
    return this.events.slice(Math.max(from, 0), Math.max(to, 0))
  }

  observe(observer: LogObserver): () => void {
    const watch: Watch = { observer, from: this.events.length, live: true }
    this.watches = [...this.watches, watch]
    return () => {
      watch.live = false
      this.watches = this.watches.filter((other) => other !== watch)
    }
  }

  durable(_seq: number): undefined | Promise<void> {
    return undefined
  }

  flush(): undefined | Promise<void> {
    return this.durable(this.events.length - 1)
  }

  async close(): Promise<void> {
    this.stop()
    await this.flush()
  }

  /** From now on every append throws. */
  protected stop(): void {
    this.refusal ??= new TurnwiseError(
      'LOG_WRITE_FAILED',
      `the log of ${this.header.id} is closed; nothing was recorded. Open it again.`,
    )
  }

  /** Called after events from `from` on were recorded, before they are delivered. Must not throw. */
  protected persist(_from: number): void {}

  private addGroup(events: readonly NewEvent[], time: number): void {
    if (events.length === 0) {
      throw new TurnwiseError(
        'INVALID_OPTION',
        'expected at least one event to append, found none.',
      )
    }
    const from = this.events.length
    this.refusedAt = 0
    try {
      if (this.intercept !== undefined) {
        for (const event of events) {
          this.intercept(event)
          this.refusedAt += 1
        }
      }
      this.refusedAt = 0
      for (const event of events) {
        this.events.push(this.admit(event, time, this.events.length))
        this.refusedAt += 1
      }
    } catch (error) {
      if (this.events.length > from) {
        this.events.length = from
        this.ledger.rebuild(this.events)
      }
      throw error
    }
  }

  private admit(event: NewEvent, time: number, seq: number): StoredEvent {
    this.ledger.check(event)
    const stored = toStored(event, time, seq)
    this.ledger.apply(stored)
    return stored
  }

  private deliver(): void {
    if (this.watches.length === 0) this.delivered = this.events.length
    if (this.delivering) return
    this.delivering = true
    try {
      while (this.delivered < this.events.length) {
        const event = this.events[this.delivered++] as StoredEvent
        for (const watch of this.watches) this.tell(watch, event)
      }
    } finally {
      this.delivering = false
    }
  }

  private tell(watch: Watch, event: StoredEvent): void {
    if (!watch.live || event.seq < watch.from) return
    try {
      watch.observer(event)
    } catch (error) {
      this.onFault?.(error, event)
    }
  }
}

const NO_WATCHES: readonly Watch[] = []

const isGroup = (events: NewEvent | readonly NewEvent[]): events is readonly NewEvent[] =>
  Array.isArray(events)

/** Types of this library whose payload is its own; those of goals and children hold what their services put there. */
const OWN_TYPES: ReadonlySet<string> = new Set(
  CORE_TYPES.filter((type) => type !== 'goal/change' && type !== 'child/descriptor'),
)

function toStored(event: NewEvent, time: number, seq: number): StoredEvent {
  const data = OWN_TYPES.has(event.type) ? deepFreeze(event.data) : foreign(event)
  const stored: { -readonly [K in keyof StoredEvent]: StoredEvent[K] } = {
    seq,
    time,
    type: event.type,
    data,
  }
  if (event.optional !== undefined) stored.optional = event.optional
  if (event.cites !== undefined) stored.cites = deepFreeze(event.cites)
  if (event.v !== undefined) stored.v = event.v
  return Object.freeze(stored) as StoredEvent
}

function foreign(event: NewEvent): NewEvent['data'] {
  if (!isCoreType(event.type)) checkCustomType(event.type)
  try {
    return frozenJson(event.data, 'data')
  } catch (error) {
    if (!(error instanceof JsonLossError)) throw error
    throw new TurnwiseError(
      'INVALID_MESSAGE',
      `${event.type} needs lossless JSON, but ${error.message}; nothing was recorded.`,
      { cause: error },
    )
  }
}
