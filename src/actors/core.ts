/**
 * What the parts of one agent share: log, mailbox, the folded state, the one activity and its signal.
 *
 * It decides nothing. Invariants:
 *
 * K1 An event is in the log, and its durable observers have run, before the state here changes.
 * K2 `record` never throws: a refusal is kept for whoever asks next. `append` throws.
 * K3 An asynchronous answer is tied to the activity that asked; an answer of an ended one is dropped.
 * K4 No listener, observer or late rejection can break a run: faults are told to diagnostics once.
 *
 * @module
 */
import { causeChain } from '../errors.ts'
import type { NewEvent, StoredEvent } from '../events/event.ts'
import type { MessageId } from '../events/message.ts'
import type { EventLog } from '../log/event-log.ts'
import type { Receiver } from '../machines/ports.ts'
import { history, type History } from '../projections/history.ts'
import type { Parked } from '../projections/inbox.ts'
import { sessionState, type SessionState } from '../projections/session-state.ts'
import type { ActivityRecord } from './activity.ts'
import type { LiveNotice, AgentStatus } from './agent-handle.ts'
import type { Diagnostic } from './agent-options.ts'
import type { CancelSignal } from './cancel-signal.ts'
import { type Initiator, runAs } from './initiator.ts'
import { allParked, parkedOf, stillParked } from './live-parking.ts'
import { Mailbox } from './mailbox.ts'
import { Notices } from './notices.ts'
import { Services } from './services.ts'
import type { Settings } from './settings.ts'

/** The next microtask, for less than `queueMicrotask` takes: that one makes an async resource. */
export const SETTLED: Promise<void> = Promise.resolve()

/** The shared parts of one agent. */
export class Core {
  readonly id: string
  settings: Settings
  readonly log: EventLog
  readonly mailbox: Mailbox
  readonly notices: Notices
  readonly services = new Services()
  state: SessionState
  history: History
  status: AgentStatus = 'idle'
  /** Set at the call of `dispose`, before anything else of it happens. */
  disposing = false
  activity: ActivityRecord | undefined
  /** Parking that the log refused to record. Ends with the next wake. */
  liveParked: Parked | null = null
  /** Why the last `record` was refused. */
  refusal: unknown
  private readonly reportTo: ((diagnostic: Diagnostic) => void) | undefined

  constructor(
    id: string,
    settings: Settings,
    log: EventLog,
    onRest: () => void,
    reportTo: ((diagnostic: Diagnostic) => void) | undefined,
  ) {
    this.id = id
    this.settings = settings
    this.log = log
    this.reportTo = reportTo
    this.state = sessionState.initial
    this.history = history.initial
    this.notices = new Notices((error) => {
      this.diagnose('listener', error)
    })
    this.mailbox = new Mailbox({
      onRest,
      onFault: (kind, error) => {
        this.diagnose(kind, error)
      },
    })
    for (const event of log.read()) this.fold(event)
  }

  get parked(): Parked | null {
    return allParked(this.liveParked, this.state.inbox)
  }

  /** The cancel signal of the activity. Only to be read while there is one. */
  get cancel(): CancelSignal {
    return (this.activity as ActivityRecord).cancel
  }

  get aborted(): boolean {
    return this.activity?.cancel.aborted === true
  }

  now(): number {
    return this.settings.clock.now()
  }

  /** Appends and folds. @throws whatever the log refuses with; nothing has changed then. */
  append(events: NewEvent | readonly NewEvent[]): StoredEvent {
    const from = this.log.length
    const last = this.log.append(events, this.now())
    if (last.seq === from) this.fold(last)
    else for (const event of this.log.read(from, last.seq + 1)) this.fold(event)
    return last
  }

  /** Appends for a machine. @returns undefined when the log refused; `refusal` says why. */
  record(events: NewEvent | readonly NewEvent[]): StoredEvent | undefined {
    try {
      return this.append(events)
    } catch (error) {
      this.refusal = error
      this.diagnose('append', error)
      return undefined
    }
  }

  notify(notice: LiveNotice): void {
    this.notices.tell(notice)
  }

  /** Tells of a contained fault. A throwing listener of diagnostics is dropped in silence: there is nobody left to tell. */
  diagnose(kind: Diagnostic['kind'], error: unknown): void {
    const diagnostic: Diagnostic = { kind, message: causeChain(error), error }
    try {
      this.reportTo?.(diagnostic)
    } catch {
      // Nobody is left to tell.
    }
    if (kind !== 'listener') this.notices.tell({ type: 'diagnostic', diagnostic })
  }

  /** The machine's next own move, behind queued commands. */
  post<E>(to: Receiver<E>, make: () => E): void {
    this.mailbox.post(() => {
      to.send(make())
    })
  }

  /** The same in a later microtask, if the activity of the call lasts until then. */
  hop<E>(to: Receiver<E>, make: () => E, activity = this.activity): void {
    void SETTLED.then(() => {
      this.signal(() => {
        to.send(make())
      }, activity)
    })
  }

  /** Enters the mailbox from outside, if the present activity is still the one when the move is made. */
  signal(move: () => void, activity = this.activity): void {
    this.mailbox.signal(() => {
      if (this.activity === activity) move()
    })
  }

  /** Calls foreign code on behalf of this agent; its answer enters the mailbox while the activity lasts. */
  ask<T>(
    what: Initiator['what'],
    call: () => T | PromiseLike<T>,
    answered: (value: T) => void,
    failed: (error: unknown) => void,
  ): void {
    const { activity } = this
    void this.call(what, call).then(
      (value) => {
        this.signal(() => {
          answered(value)
        }, activity)
      },
      (error: unknown) => {
        this.signal(() => {
          failed(error)
        }, activity)
      },
    )
  }

  /** Calls foreign code on behalf of this agent; a throw is a rejection. */
  async call<T>(what: Initiator['what'], call: () => T | PromiseLike<T>): Promise<T> {
    const initiator: Initiator = { agent: this.id, what, open: true }
    try {
      return await runAs(initiator, call)
    } finally {
      initiator.open = false
    }
  }

  /**
   * Waits until the log is durable up to its present end; undefined when it is. Asking whether there is a wait, and a
   * wait that an abort has made pointless, may fail unheard.
   */
  outstanding(barrier: 'step' | 'turn' = 'step'): Promise<void> | undefined {
    const { durability } = this.settings
    if (durability === 'none' || (durability === 'turn' && barrier === 'step')) return undefined
    const wait = this.log.durable(this.log.length - 1)
    wait?.catch(() => {})
    return wait
  }

  /** Waits for `promise`, no longer than the activity: what comes after an abort is dropped. */
  await(promise: Promise<void>, ended: () => void, failed: (error: unknown) => void): void {
    const { activity } = this
    promise.then(
      () => {
        this.signal(ended, activity)
      },
      (error: unknown) => {
        this.diagnose('durability', error)
        this.signal(() => {
          failed(error)
        }, activity)
      },
    )
  }

  /** Starts a timer of the injected clock; its firing enters the mailbox. */
  after(ms: number, fire: () => void): () => void {
    return this.settings.clock.after(ms, () => {
      this.mailbox.signal(fire)
    })
  }

  /** Holds back everything pending, or `only` that, where it could not be recorded. */
  parkLive(reason: Parked['reason'], only?: readonly MessageId[]): void {
    const held =
      only === undefined ? undefined : new Set([...(this.liveParked?.ids ?? []), ...only])
    this.liveParked = parkedOf(reason, this.state.inbox, held) ?? this.liveParked
  }

  private fold(event: StoredEvent): void {
    this.state = sessionState.evolve(this.state, event)
    this.history = history.evolve(this.history, event)
    if (this.liveParked !== null)
      this.liveParked = stillParked(this.liveParked, this.state.inbox, event)
  }
}
