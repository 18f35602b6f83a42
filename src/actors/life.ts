/**
 * The life of an agent: its root actor, what wakes it, and how it ends.
 *
 * Disposal, in order: marked at the call, cancelled, drained, flushed, status `idle` if it was running, status
 * `disposed`, registrations unwound, `agent/disposed`, the log closed, resolved.
 *
 * @module
 */
import type { Actor } from 'xstate'
import { AgentDisposedError, TurnwiseError } from '../errors.ts'
import type { ActorName, InboxList } from '../events/event.ts'
import type { Message } from '../events/message.ts'
import type { EventLog } from '../log/event-log.ts'
import type { agentMachine, AgentMachineEvents } from '../machines/agent.machine.ts'
import { adoptTurn } from './adoption.ts'
import { AgentDesk } from './agent-desk.ts'
import type { CancelReceipt } from './agent-handle.ts'
import type { AgentOptions, Residence } from './agent-options.ts'
import type { Approvals } from './approvals.ts'
import { applyCancel, type CancelRequest, requestOf } from './cancel-desk.ts'
import { Core } from './core.ts'
import { insert, lengthOf, refuseDuplicate } from './inbox-desk.ts'
import { contained } from './notices.ts'
import { hasWakingWork } from '../projections/inbox.ts'
import { Quiescence } from './quiescence.ts'
import { refuseOpenTurn, saysSo } from './reopening.ts'
import { DISPOSED, startRoot } from './root-actor.ts'
import { resolveSettings } from './settings.ts'

/** Owns the actor and everything that ends with it. */
export class AgentLife {
  readonly core: Core
  private readonly desk: AgentDesk
  private readonly actor: Actor<typeof agentMachine>
  private readonly quiescence: Quiescence
  /** The same for services, whose own holds do not count. */
  private readonly calmness: Quiescence
  private readonly undos: (() => void)[] = []
  private readonly residence: Residence
  private disposal: Promise<void> | undefined
  /** What follows the final state; `dispose` says it. */
  private finish: () => void = () => {}
  /** Resumed work is about to start. */
  private waking = false
  /** A turn was taken over and does not go on yet. */
  private adopting = false

  constructor(id: string, options: AgentOptions, log: EventLog) {
    const settings = resolveSettings(options)
    refuseOpenTurn(log, settings.keepApprovals)
    this.quiescence = new Quiescence(() => this.quiet)
    this.calmness = new Quiescence(() => this.calm)
    this.core = new Core(id, settings, log, () => this.look(), options.onDiagnostic)
    this.residence = options.residence ?? {}
    this.desk = new AgentDesk(this.core, this.residence)
    this.actor = startRoot(this.core, this.desk, options.inspect, () => {
      this.finish()
    })
    this.resume(options.wake === true)
  }

  get approvals(): Approvals {
    return this.desk.turnHost.stepHost.calls.approvals
  }

  /** Does nothing run? */
  get idle(): boolean {
    return !this.adopting && this.actor.getSnapshot().value === 'idle'
  }

  private get quiet(): boolean {
    return this.calm && (this.core.services.holds === 0 || this.core.status === 'disposed')
  }

  /** Quiescent, but for services that are about to go on. */
  get calm(): boolean {
    const { core } = this
    return (
      core.status === 'disposed' ||
      (core.mailbox.empty && !core.disposing && !this.waking && this.idle)
    )
  }

  /**
   * A log that already held a session says that a new instance goes on with it, unless it says so already. Waking work
   * that may go on starts in a later microtask: whoever created the agent listens by then.
   */
  private resume(wake: boolean): void {
    const { core } = this
    const last = core.log.at(core.log.length - 1)
    if (last === undefined) return
    this.adopting = core.log.ledger.openTurn !== null
    if (this.adopting) adoptTurn(core, this.desk.turnHost)
    if (!saysSo(last, wake, core.state.inbox)) {
      core.append({ type: 'session/opened', data: { how: 'resume', wake } })
    }
    if (!this.adopting && !hasWakingWork(core.state.inbox)) return
    this.waking = true
    const start = (): void => {
      core.mailbox.signal(() => {
        this.waking = false
        if (!core.disposing) this.tell({ type: 'agent.wake' })
      })
    }
    const { startAfter } = this.residence
    if (startAfter === undefined) queueMicrotask(start)
    else startAfter.then(start, start)
  }

  /** A turn that was taken over goes on before anything else happens. */
  private tell(event: AgentMachineEvents): void {
    if (this.adopting) {
      this.adopting = false
      this.actor.send({ type: 'agent.adopt' })
    }
    this.actor.send(event)
  }

  /** Applies a cancel. An injection whose turn has not opened stays as plain context, pending like the rest. */
  cancel(request: CancelRequest): CancelReceipt {
    if (!request.resume && request.turn === undefined) this.desk.keepInjection()
    return applyCancel(this.core, request, () => {
      this.tell({ type: 'agent.cancel' })
    })
  }

  /** Inserts a message. After an abort waking input belongs to a later turn, whatever target was asked. */
  insert(message: Message, asked: InboxList, wake: boolean, actor: ActorName): void {
    const { core } = this
    const { activity } = core
    const converging = wake && activity?.cancel.aborted === true && activity.turn !== null
    const target = converging ? 'next-turn' : asked
    insert(core, { target, index: lengthOf(core, target), message, wake, actor })
    if (!wake) return
    if (core.activity !== undefined) core.activity.holdsRestored = false
    this.tell({ type: 'agent.wake' })
  }

  /** On an idle agent a turn of its own, otherwise plain context. */
  injectTurn(message: Message, actor: ActorName): void {
    if (!this.idle) {
      this.insert(message, 'next-step', false, actor)
      return
    }
    refuseDuplicate(this.core, message.id)
    this.desk.turnHost.injection = { message, actor }
    this.tell({ type: 'agent.injectTurn' })
  }

  /** @throws AgentDisposedError; AGENT_BUSY outside moves, inside them the promise rejects with it. */
  runMaintenance<T>(task: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
    const { core } = this
    if (core.disposing) throw new AgentDisposedError(core.id)
    if (!core.mailbox.busy && !this.idle) throw busy(core.id)
    return new Promise<T>((resolve, reject) => {
      core.mailbox.command(() => {
        if (!this.idle) {
          reject(busy(core.id))
          return
        }
        this.desk.maintenance = { run: task, resolve: resolve as (value: unknown) => void, reject }
        this.tell({ type: 'agent.maintain' })
      })
    })
  }

  whenIdle(): Promise<void> {
    return this.quiescence.wait()
  }

  whenCalm(): Promise<void> {
    return this.calmness.wait()
  }

  /** Waiters may go if there is nothing left to wait for. */
  look(): void {
    this.calmness.look()
    this.quiescence.look()
  }

  onDispose(undo: () => void): void {
    if (this.core.status === 'disposed') this.unwind(undo)
    else this.undos.push(undo)
  }

  /** Concurrent calls share one completion. */
  dispose(options: { readonly keepInbox: boolean }, actor: ActorName): Promise<void> {
    if (this.disposal !== undefined) return this.disposal
    const { core } = this
    core.disposing = true
    this.disposal = new Promise((resolve, reject) => {
      this.finish = () => {
        this.end().then(resolve, reject)
      }
    })
    core.mailbox.command(() => {
      if (options.keepInbox && this.suspend()) return
      this.cancel(requestOf(DISPOSED, options, actor))
      this.tell({ type: 'agent.dispose' })
    })
    return this.disposal
  }

  /** Leaves a turn open that does nothing but wait for an approval, if it may outlive this process. */
  private suspend(): boolean {
    const { core, approvals } = this
    if (!core.settings.keepApprovals || !approvals.standsStill) return false
    approvals.unwatch()
    core.activity = undefined
    this.adopting = false
    this.actor.send({ type: this.idle ? 'agent.dispose' : 'agent.suspend' })
    return true
  }

  /** @throws what the log could not write, once. */
  private async end(): Promise<void> {
    const { core, desk } = this
    for (const undo of this.undos.splice(0).toReversed()) this.unwind(undo)
    core.notify({ type: 'agent/disposed' })
    this.look()
    const closing = core.log.close()
    await closing.catch((error: unknown) => {
      desk.flushFailure ??= { error }
    })
    this.unwind(() => this.residence.afterClosed?.())
    if (desk.flushFailure !== undefined) throw desk.flushFailure.error
  }

  private unwind(undo: () => void): void {
    contained(undo, (error) => {
      this.core.diagnose('listener', error)
    })
  }
}

const busy = (id: string): TurnwiseError =>
  new TurnwiseError(
    'AGENT_BUSY',
    `expected agent ${id} to be idle, found it at work; the task was not started. Wait for quiescence.`,
  )
