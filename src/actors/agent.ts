/**
 * The agent: commands in, receipts and promises out.
 *
 * Faulty arguments and disposal throw at the call, in every position; everything else goes through the mailbox, where a
 * command called inside a callback waits for the end of the present move.
 *
 * @module
 */
import type { Observable } from 'rxjs'
import { TurnwiseError } from '../errors.ts'
import type { ActorName, NewEvent, SeqRange, StoredEvent } from '../events/event.ts'
import type { MessageId, MessageInput, Source } from '../events/message.ts'
import { checkCustomType } from '../events/define-event.ts'
import { parseCause } from '../events/parse-message.ts'
import type { EventLog } from '../log/event-log.ts'
import { createMemoryLog } from '../log/memory-log.ts'
import { contained as containedObservable } from '../projections/contained-observable.ts'
import type { Parked } from '../projections/inbox.ts'
import type { Projection } from '../projections/projection.ts'
import { ReadModel } from '../projections/read-model.ts'
import { type TraceOptions, traceOf } from '../projections/trace/trace.ts'
import { OwnedRuns } from '../sessions/owned-run.ts'
import type {
  Activity,
  Agent,
  AgentStatus,
  CancelOptions,
  CancelReceipt,
  CauseInput,
  CustomEvent,
  InjectOptions,
  LiveNotice,
  SendOptions,
  Summarize,
} from './agent-handle.ts'
import type { AgentOptions } from './agent-options.ts'
import type { AnswerOptions } from './approval.port.ts'
import { ApprovalsHandle } from './approvals-handle.ts'
import { isPast, noEffect, requestOf } from './cancel-desk.ts'
import { Commands, USER } from './commands.ts'
import { compactHistory, isInside } from './compaction.ts'
import type { Core } from './core.ts'
import { InboxHandle } from './inbox-handle.ts'
import { AgentLife } from './life.ts'
import type { AgentRun, RunOptions, RunOutput, RunResult } from './run.port.ts'
import { ServiceDoor, setDoor } from './service-door.ts'
import { subscribe } from './subscription.ts'

const PLUGIN: Source = Object.freeze({ kind: 'plugin', plugin: '' })

/**
 * Creates an agent on an opened log, by default a new one in memory.
 *
 * A log that already holds events is resumed: its history, numbers and pending input are those of the log, and pending
 * waking work is parked until the next wake.
 *
 * @throws TurnwiseError INVALID_OPTION for an option out of range, OPEN_TURN for a log that must be repaired first.
 */
export function createAgent(options: AgentOptions = {}): Agent {
  const log = options.log ?? createMemoryLog(options.id === undefined ? {} : { id: options.id })
  return new LocalAgent(options, log)
}

class LocalAgent implements Agent {
  readonly id: string
  readonly options: Readonly<AgentOptions>
  readonly log: EventLog
  readonly inbox: InboxHandle
  readonly approvals: ApprovalsHandle
  readonly events$: Observable<StoredEvent>
  readonly status$: Observable<AgentStatus>
  private readonly core: Core
  private readonly commands: Commands
  private readonly life: AgentLife
  private readonly runs: OwnedRuns
  private readonly models: ReadModel

  constructor(options: AgentOptions, log: EventLog) {
    this.id = options.id ?? log.header.id
    this.options = Object.freeze({ ...options, id: this.id, log })
    this.log = log
    this.life = new AgentLife(this.id, options, log)
    this.core = this.life.core
    const onFault = (error: unknown): void => {
      this.core.diagnose('observer', error)
    }
    this.commands = new Commands(this.core)
    setDoor(this, new ServiceDoor(this.core, this.commands, this.life))
    this.inbox = new InboxHandle(this.core, this.commands)
    this.runs = new OwnedRuns(this, this.core.settings.concurrentRuns)
    this.models = new ReadModel(log, onFault)
    this.approvals = new ApprovalsHandle(this.life.approvals, this.commands, this.models)
    this.events$ = containedObservable(onFault, (subscriber) =>
      log.observe((event) => {
        subscriber.next(event)
      }),
    )
    this.status$ = containedObservable(onFault, (subscriber) => {
      subscriber.next(this.status)
      return this.listen((notice) => {
        if (notice.type === 'status') subscriber.next(notice.status)
      })
    })
  }

  get status(): AgentStatus {
    return this.core.status
  }

  get activity(): Activity {
    if (this.core.status === 'running') return 'turn'
    return this.core.activity === undefined ? 'idle' : 'maintenance'
  }

  get parked(): Parked | null {
    return this.core.parked
  }

  send(input: MessageInput, options: SendOptions = {}): MessageId {
    return this.sendAs(input, options)
  }

  followup(input: MessageInput, options: { actor?: ActorName } = {}): MessageId {
    return this.sendAs(input, options)
  }

  steer(input: MessageInput, options: { actor?: ActorName } = {}): MessageId {
    return this.sendAs(input, { ...options, target: 'next-step' })
  }

  inject(input: MessageInput, options: InjectOptions = {}): MessageId {
    const message = this.commands.parse(input, PLUGIN)
    const actor = this.commands.actor(options)
    this.commands.apply(() => {
      if (options.turn === true) this.life.injectTurn(message, actor)
      else this.life.insert(message, 'next-step', false, actor)
    })
    return message.id
  }

  private sendAs(input: MessageInput, options: SendOptions): MessageId {
    const { target = 'next-turn', wake = true } = options
    if (target !== 'next-turn' && target !== 'next-step') {
      throw new TurnwiseError(
        'INVALID_OPTION',
        `option target should be next-turn or next-step, found ${String(target)}; nothing was written.`,
      )
    }
    const message = this.commands.parse(input, USER)
    const actor = this.commands.actor(options)
    this.commands.apply(() => {
      this.life.insert(message, target, wake, actor)
    })
    return message.id
  }

  cancel(cause: CauseInput = 'user', options: CancelOptions = {}): CancelReceipt {
    const { core } = this
    const parsed = parseCause(cause)
    // Judged at the call: a cancel issued before `dispose` in one callback keeps its cause.
    if (core.disposing) return noEffect()
    const reason = typeof cause === 'object' ? cause : parsed
    const request = requestOf(parsed, options, this.commands.actor(options), reason)
    if (isPast(core, options.turn)) return noEffect('TURN_FINISHED')
    const answer = this.commands.apply(() => this.life.cancel(request))
    return answer === 'queued' ? { effect: 'queued', discarded: [] } : answer
  }

  abort(
    reason: CauseInput = 'user',
    options: Pick<CancelOptions, 'restoreClaimed' | 'turn' | 'actor'> = {},
  ): CancelReceipt {
    return this.cancel(reason, { ...options, keepInbox: true, resume: true })
  }

  approve(call: string, answer: 'allow' | 'deny', options: AnswerOptions = {}): void {
    this.approvals.answer([{ ...options, call, answer }])
  }

  record(event: CustomEvent): void {
    checkCustomType(event.type)
    this.commands.apply(() => {
      this.core.append(event as NewEvent)
    })
  }

  whenIdle(): Promise<void> {
    return this.commands.selfWait('whenIdle') ?? this.life.whenIdle()
  }

  run(message: MessageInput, options: RunOptions = {}): AgentRun<RunResult & RunOutput<never>> {
    return this.runs.run(message, options, this.commands.selfWait('run'))
  }

  runMaintenance<T>(task: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
    return this.life.runMaintenance(task)
  }

  // eslint-disable-next-line typescript/require-await -- a busy agent is a rejection
  async compact(range: SeqRange, summarize: Summarize): Promise<boolean> {
    const compact = (): Promise<boolean> => compactHistory(this.core, range, summarize)
    return isInside(this.core) ? compact() : this.life.runMaintenance(compact)
  }

  dispose(options: { keepInbox?: boolean } = {}): Promise<void> {
    const disposal = this.life.dispose(
      { keepInbox: options.keepInbox === true },
      this.commands.actor({}),
    )
    const refusal = this.commands.selfWait('dispose')
    // Whoever disposes from inside is not told how it ended: diagnostics are.
    if (refusal !== undefined) disposal.catch(() => {})
    return refusal ?? disposal
  }

  /** Suspends: pending input stays in the log for the next process. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose({ keepInbox: true })
  }

  subscribe(options: { from?: number }, observer: (event: StoredEvent) => void): () => void {
    return subscribe(this.log, options.from ?? 0, observer, (error) => {
      this.core.diagnose('observer', error)
    })
  }

  listen(listener: (notice: LiveNotice) => void): () => void {
    return this.core.notices.add(listener)
  }

  onDispose(undo: () => void): void {
    this.life.onDispose(undo)
  }

  read<S>(projection: Projection<S>): S {
    return this.models.read(projection)
  }

  select<S>(projection: Projection<S>): Observable<S> {
    return this.models.select(projection)
  }

  readonly trace = (options?: TraceOptions): string => traceOf(this.log.read(), options)
}
