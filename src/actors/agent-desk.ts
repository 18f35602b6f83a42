/**
 * What is done for the agent machine: activities, statuses, maintenance, the waits for the log.
 *
 * @module
 */
import type { AgentHost, Receiver } from '../machines/ports.ts'
import type { AgentMachineEvents, AgentNext } from '../machines/agent.machine.ts'
import { hasWakingWork } from '../projections/inbox.ts'
import { beginInterval, goesOn } from '../projections/session-state.ts'
import { newActivity } from './activity.ts'
import type { Residence } from './agent-options.ts'
import type { Core } from './core.ts'
import { insert, lengthOf } from './inbox-desk.ts'
import { closingEvents } from './open-brackets.ts'
import { TurnDesk } from './turn-desk.ts'

/** A maintenance task with whoever waits for it. */
export interface MaintenanceTask {
  readonly run: (signal: AbortSignal) => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** The host of the agent machine. */
export class AgentDesk implements AgentHost {
  readonly turnHost: TurnDesk
  /** The task that is to start, or runs. */
  maintenance: MaintenanceTask | undefined
  /** What the last flush failed with. */
  flushFailure: { readonly error: unknown } | undefined
  private flushing: Promise<void> | undefined
  private readonly core: Core
  /** The end of the last turn is durable, or its wait was given up. */
  private secured = false
  private readonly residence: Residence

  constructor(core: Core, residence: Residence = {}) {
    this.core = core
    this.residence = residence
    this.turnHost = new TurnDesk(core)
  }

  post(to: Receiver<AgentMachineEvents>, make: () => AgentMachineEvents): void {
    this.core.post(to, make)
  }

  /** Is there waking work that nothing holds back? */
  private get hasWork(): boolean {
    const { core } = this
    if (this.turnHost.injection !== undefined) return true
    return hasWakingWork({ ...core.state.inbox, parked: core.parked })
  }

  wakeNext(): AgentNext {
    if (this.core.disposing) return this.leave()
    return this.hasWork ? 'turn' : 'rest'
  }

  private leave(): 'leave' {
    this.keepInjection()
    return 'leave'
  }

  /** An injection turn that will not open leaves its message as ordinary context. */
  keepInjection(): void {
    const { core, turnHost } = this
    const { injection } = turnHost
    if (injection === undefined) return
    turnHost.injection = undefined
    const { message, actor } = injection
    const index = lengthOf(core, 'next-step')
    try {
      insert(core, { target: 'next-step', index, message, wake: false, actor })
    } catch (error) {
      core.diagnose('append', error)
    }
  }

  decideNext(): AgentNext {
    const { core } = this
    if (!this.secured && core.outstanding('turn') !== undefined) return 'secure'
    if (core.disposing) return this.leave()
    return this.goesOn ? 'turn' : 'rest'
  }

  /** The answer of contract section 12; what the log refused to record is asked for by its waking work alone. */
  private get goesOn(): boolean {
    const { core, turnHost } = this
    return turnHost.turn.abandoned || core.liveParked !== null ? this.hasWork : goesOn(core.state)
  }

  awaitTurnEnd(to: Receiver<AgentMachineEvents>): void {
    const { core } = this
    let waiting = true
    const over = (): void => {
      if (!waiting) return
      waiting = false
      this.secured = true
      drop?.()
      to.send({ type: 'log.secured' })
    }
    const failed = (error: unknown): void => {
      if (!waiting) return
      core.diagnose('durability', error)
      core.parkLive('log')
      over()
    }
    const { drainGraceMs } = core.settings
    const drop =
      drainGraceMs === Infinity
        ? undefined
        : core.after(drainGraceMs, () => {
            failed(new Error(`the log was not durable ${drainGraceMs} ms after the turn ended`))
          })
    const wait = core.outstanding('turn') ?? Promise.resolve()
    wait.then(
      () => {
        core.mailbox.signal(over)
      },
      (error: unknown) => {
        core.mailbox.signal(() => {
          failed(error)
        })
      },
    )
  }

  openActivity(): void {
    const { core } = this
    core.activity = newActivity(core.log.ledger.lastTurn + 1)
    this.secured = false
  }

  notifyStatus(status: 'idle' | 'running' | 'disposed'): void {
    const { core } = this
    if (core.status === status) return
    core.status = status
    if (status === 'running') core.state = beginInterval(core.state)
    core.notify({ type: 'status', status })
  }

  /** The task is foreign code: it starts in a microtask, and its result and rejection reach the caller unchanged. */
  startMaintenance(to: Receiver<AgentMachineEvents>): void {
    const { core, maintenance: task } = this
    if (task === undefined) return
    const activity = newActivity(null)
    core.activity = activity
    const over = (): void => {
      core.mailbox.signal(() => {
        activity.compaction?.cut()
        core.activity = undefined
        this.maintenance = undefined
        to.send({ type: 'maintenance.ended' })
      })
    }
    queueMicrotask(() => {
      void core
        .call('maintenance', () => task.run(activity.cancel.signal))
        .then(task.resolve, task.reject)
        .then(over)
    })
  }

  disposeNext(): 'flush' | 'leave' {
    this.closeAbandoned()
    this.flushing = this.ending()
    return this.flushing === undefined ? 'leave' : 'flush'
  }

  /** A turn whose end the log refused is closed, if the log has healed. One that is kept open on purpose stays so. */
  private closeAbandoned(): void {
    const { core, turnHost } = this
    const { turn, abandoned } = turnHost.turn
    if (abandoned && core.log.ledger.openTurn === turn) core.record(closingEvents(core.log.ledger))
  }

  /** What lives inside this agent ends first; then the log writes what is left. */
  private ending(): Promise<void> | undefined {
    const { core, residence } = this
    const inner = [...core.services.end()]
    const ending = residence.beforeDisposed?.()
    if (ending !== undefined) inner.push(ending)
    if (inner.length === 0) return core.log.flush()
    const failed = (error: unknown): void => {
      core.diagnose('command', error)
    }
    return Promise.all(inner.map((one) => one.catch(failed))).then(() => core.log.flush())
  }

  startFlush(to: Receiver<AgentMachineEvents>): void {
    const { core } = this
    const over = (): void => {
      core.mailbox.signal(() => {
        to.send({ type: 'log.flushed' })
      })
    }
    ;(this.flushing ?? Promise.resolve()).then(over, (error: unknown) => {
      core.diagnose('durability', error)
      this.flushFailure = { error }
      over()
    })
  }
}
