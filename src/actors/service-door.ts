/**
 * The way into an agent for services of this library that go on with it from outside: goals, children, prompts of a protocol.
 *
 * It is not public: what a service records must not be forged by a plugin, and what holds back `whenIdle` must be let go
 * on every path.
 *
 * D1 A command goes through the mailbox like any other: applied at once outside a move, queued inside one.
 * D2 A hold keeps `whenIdle` waiting, and nothing else; letting go twice is letting go once.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import type { ActorName, NewEvent, StoredEvent } from '../events/event.ts'
import type { Cause, MessageId } from '../events/message.ts'
import type { Agent } from './agent-handle.ts'
import type { Clock } from './clock.ts'
import type { Commands } from './commands.ts'
import type { Core } from './core.ts'
import { remove } from './inbox-desk.ts'
import type { GateLists } from './read-options.ts'
import type { AnyTool } from './tool.port.ts'

/** Events that a service owns. */
export type OwnedEvent = NewEvent<'goal/change' | 'child/descriptor'>

/** What the life of the agent offers besides the core. */
interface Calm {
  readonly approvals: {
    /** Does the turn do nothing but wait for answers? */
    readonly standsStill: boolean
  }
  /** Quiescent, holds left aside. */
  readonly calm: boolean
  /** Resolves at quiescence, holds left aside. */
  whenCalm(): Promise<void>
  /** Looks again whether waiters may go. */
  look(): void
}

const without = <T>(list: readonly T[], one: T): readonly T[] =>
  list.filter((other) => other !== one)

/** The door of one agent. */
export class ServiceDoor {
  private readonly core: Core
  private readonly commands: Commands
  private readonly life: Calm

  constructor(core: Core, commands: Commands, life: Calm) {
    this.core = core
    this.commands = commands
    this.life = life
  }

  get clock(): Clock {
    return this.core.settings.clock
  }

  get drainGraceMs(): number {
    return this.core.settings.drainGraceMs
  }

  /** From the call of `dispose` on. */
  get disposing(): boolean {
    return this.core.disposing
  }

  get calm(): boolean {
    return this.life.calm
  }

  /** Quiescent, and nobody is about to go on. */
  get quiet(): boolean {
    return this.life.calm && this.core.services.holds === 0
  }

  /** May the agent be suspended without an end of its turn: it only waits for answers that may come in another life. */
  get standsStill(): boolean {
    return this.core.settings.keepApprovals && this.life.approvals.standsStill
  }

  whenCalm(): Promise<void> {
    return this.life.whenCalm()
  }

  /** Why the activity that runs was aborted; undefined where none is, or it was not. */
  get abortReason(): object | undefined {
    return this.core.activity?.cancel.reason
  }

  /**
   * Applies a command of a service.
   *
   * @throws AgentDisposedError, and outside a move whatever `command` throws; nothing has changed then.
   */
  apply<T>(command: (append: (event: OwnedEvent) => StoredEvent) => T): T | 'queued' {
    return this.commands.apply(() => command((event) => this.core.append(event)))
  }

  /**
   * Takes a message that still waits out of the inbox for good, as `rejected`: who answers for it has given an answer, so it
   * must not run later. Nothing happens if it waits no more. Allowed until the log closes, also while the agent is disposing;
   * what the log refuses goes to diagnostics.
   */
  withdraw(id: MessageId, actor: ActorName): void {
    this.core.mailbox.command(() => {
      remove(this.core, id, actor, 'rejected')
    })
  }

  /** Keeps `whenIdle` waiting. @returns lets it go. */
  hold(): () => void {
    const { services } = this.core
    let held = true
    services.holds += 1
    return () => {
      if (!held) return
      held = false
      services.holds -= 1
      this.life.look()
    }
  }

  /** Asks `gate` in front of all other `preStep` gates, from the next boundary on. @returns takes it out. */
  gateFirst(gate: GateLists['preStep'][number]): () => void {
    const { services } = this.core
    services.preStep = [...services.preStep, gate]
    return () => {
      services.preStep = without(services.preStep, gate)
    }
  }

  /** Gives the agent more tools, from the next step on. */
  addTools(tools: readonly AnyTool[]): void {
    const { core } = this
    const before = core.settings.tools
    const list = (): AnyTool[] => [...('list' in before ? before.list() : before), ...tools]
    core.settings = { ...core.settings, tools: { list } }
  }

  /** Hears every cancel, in the very call that aborts the signal. `listener` must not throw. */
  onCancel(listener: (cause: Cause) => void): () => void {
    const { services } = this.core
    services.onCancel = [...services.onCancel, listener]
    return () => {
      services.onCancel = without(services.onCancel, listener)
    }
  }

  /** What `end` waits for ends before the agent is disposed, once its own work has drained. */
  endFirst(end: () => Promise<void> | undefined): () => void {
    const { services } = this.core
    services.endings = [...services.endings, end]
    return () => {
      services.endings = without(services.endings, end)
    }
  }

  /** Tells of a contained fault. */
  diagnose(error: unknown, kind: 'command' | 'listener' = 'command'): void {
    this.core.diagnose(kind, error)
  }
}

const doors = new WeakMap<Agent, ServiceDoor>()

/** Notes the door of an agent that was made here. */
export const setDoor = (agent: Agent, door: ServiceDoor): void => {
  doors.set(agent, door)
}

/** The door of an agent; undefined for one that was not made here. */
export const findDoor = (agent: Agent): ServiceDoor | undefined => doors.get(agent)

/** @throws TurnwiseError INVALID_OPTION for what `createAgent` did not make. */
export function doorOf(agent: Agent): ServiceDoor {
  const door = findDoor(agent)
  if (door !== undefined) return door
  throw new TurnwiseError(
    'INVALID_OPTION',
    'expected an agent made by createAgent or by a registry, found another; nothing was changed.',
  )
}
