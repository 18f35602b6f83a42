/**
 * The sessions of one service: resumed by their first message, suspended when they rest, ended in good order.
 *
 * @module
 */
import type { Agent, SendOptions } from '../../actors/agent-handle.ts'
import { type Clock, systemClock } from '../../actors/clock.ts'
import { refuseOption, wholeOrInfinite } from '../../actors/read-options.ts'
import type { MessageId, MessageInput } from '../../events/message.ts'
import type { Registry } from '../registry-port.ts'
import { createRegistry } from '../registry.ts'
import { closeOptionsOf, Closing } from './closing.ts'
import type { CloseOptions, CloseReport, SignalOptions, SignalSource } from './closing-port.ts'
import type {
  AgentHost,
  EnterOptions,
  HostHealth,
  HostNotice,
  HostOptions,
  HostReadiness,
} from './host-port.ts'
import { IdleOrder } from './idle-order.ts'
import { makeAgent } from './make-agent.ts'
import type { HostMetrics } from './metrics-port.ts'
import { Places } from './places.ts'
import type { Room } from './room.ts'
import { Rooms } from './rooms.ts'
import { RunSlots } from './run-slots.ts'
import { closeOnSignals } from './signals.ts'
import { Tally } from './tally.ts'
import { Tenants } from './tenants.ts'
import { type RoomWatcher, watchRoom } from './watch-room.ts'

/** How long a store may take to give a sign of life. */
const SIGN_OF_LIFE_MS = 1000

/**
 * Makes a host. It opens nothing before the first message.
 *
 * @throws TurnwiseError INVALID_OPTION
 */
export function createAgentHost(options: HostOptions): AgentHost {
  return new LocalHost(options)
}

class LocalHost implements AgentHost, RoomWatcher {
  readonly registry: Registry
  readonly elapsed: () => number
  readonly slots: RunSlots
  readonly tally: Tally
  private readonly options: HostOptions
  private readonly clock: Clock
  private readonly tenants: Tenants
  private readonly rooms: Rooms
  private ending: Closing | undefined
  private closed: Promise<CloseReport> | undefined
  private status: HostHealth['status'] = 'open'

  constructor(options: HostOptions) {
    const { store, factory, keepApprovals = false, unknown = 'create' } = options
    if (unknown !== 'create' && unknown !== 'refuse')
      refuseOption('unknown', 'create or refuse', unknown)
    this.options = options
    this.clock = options.clock ?? systemClock
    this.elapsed = options.elapsed ?? (() => performance.now())
    this.tenants = new Tenants(options)
    this.tally = new Tally(options.onDiagnostic, () => this.clock.now())
    this.registry = createRegistry({
      store,
      factory,
      keepApprovals,
      now: () => this.clock.now(),
      onDiagnostic: ({ kind, error }) => {
        this.tally.fault(kind, error)
      },
    })
    this.slots = new RunSlots({
      house: this.tenants.house,
      elapsed: this.elapsed,
      tell: this.tally.tell,
      waited: (ms) => {
        this.tally.waitMs.add(ms)
      },
    })
    this.rooms = this.makeRooms(unknown)
    this.registry.listen((notice) => {
      if (notice.type === 'session/disposed') this.rooms.gone(notice.agent)
      // A child belongs to its parent.
      if (notice.type === 'session-start' && this.registry.ownerOf(notice.id) === undefined)
        this.rooms.adopt(notice.agent)
    })
  }

  private makeRooms(unknown: 'create' | 'refuse'): Rooms {
    const { registry, tenants, tally, elapsed } = this
    const { store } = this.options
    const idleMs = wholeOrInfinite(this.options, 'idleMs', 300_000)
    const idle = new IdleOrder(this.clock, idleMs, (room) => {
      this.rooms.due(room)
    })
    return new Rooms({
      tenants,
      tally,
      elapsed,
      idle,
      places: (keeper) => new Places(tenants.house, idle, keeper),
      make: (id, wake) => makeAgent({ registry, store, unknown }, id, wake),
      lives: (agent) => registry.get(agent.id) === agent,
      related: (id) => registry.ownerOf(id) !== undefined || registry.childrenOf(id).length > 0,
      watch: (room, agent) => {
        watchRoom(room, agent, this)
        // It was being opened when the end began.
        this.ending?.putBack(room)
      },
      left: (room) => {
        this.slots.leave(room)
      },
    })
  }

  get closing(): boolean {
    return this.rooms.closing
  }

  look(room: Room): void {
    this.rooms.look(room)
  }

  lost(room: Room): void {
    this.rooms.evict(room, 'lost')
  }

  putBack(room: Room): void {
    this.ending?.putBack(room)
  }

  async send(id: string, message: MessageInput, options?: SendOptions): Promise<MessageId> {
    const began = this.elapsed()
    const insert = async (agent: Agent): Promise<MessageId> => {
      const receipt = agent.send(message, options)
      await agent.log.durable(agent.log.length - 1)
      return receipt
    }
    try {
      const receipt = await this.rooms.enter(id, insert, { wake: false, sends: true })
      this.tally.receipt(this.elapsed() - began)
      return receipt
    } catch (error) {
      this.tally.refusal(error)
      throw error
    }
  }

  with<T>(
    id: string,
    use: (agent: Agent) => T | PromiseLike<T>,
    { wake = false }: EnterOptions = {},
  ): Promise<T> {
    return this.rooms.enter(id, use, { wake, sends: false })
  }

  listen(listener: (notice: HostNotice) => void): () => void {
    return this.tally.listen(listener)
  }

  health(): HostHealth {
    const { resident, running, pending } = this.tenants.house.gauges
    const { lastFault } = this.tally
    return { status: this.status, resident, running, pending, ...(lastFault && { lastFault }) }
  }

  async readiness(): Promise<HostReadiness> {
    const reasons: HostReadiness['reasons'][number][] = []
    if (this.closing) reasons.push('closing')
    if (!this.tenants.house.mayTake) reasons.push('overloaded')
    if (!this.closing && !(await this.storeAnswers())) reasons.push('store')
    return { ready: reasons.length === 0, reasons }
  }

  private storeAnswers(): Promise<boolean> {
    return new Promise((resolve) => {
      const drop = this.clock.after(SIGN_OF_LIFE_MS, () => {
        resolve(false)
      })
      // Any id will do.
      const answered = (answers: boolean): void => {
        drop()
        resolve(answers)
      }
      this.options.store.has('readiness').then(
        () => {
          answered(true)
        },
        () => {
          answered(false)
        },
      )
    })
  }

  metrics(): HostMetrics {
    return this.tally.metrics(this.tenants)
  }

  // eslint-disable-next-line typescript/require-await -- a throw must be a rejection
  async close(options: CloseOptions = {}): Promise<CloseReport> {
    this.closed ??= this.end(closeOptionsOf(options))
    return this.closed
  }

  private async end(options: Required<CloseOptions>): Promise<CloseReport> {
    const { rooms, registry, clock } = this
    this.status = 'closing'
    this.ending = new Closing({ rooms, registry, clock, watcher: this })
    try {
      return await this.ending.run(options)
    } finally {
      this.status = 'closed'
    }
  }

  onSignals(source: SignalSource, options: SignalOptions = {}): () => void {
    const wait = (ms: number): Promise<void> =>
      new Promise((resolve) => {
        this.clock.after(ms, resolve)
      })
    const fault = (error: unknown): void => {
      this.tally.fault('listener', error)
    }
    return closeOnSignals({ close: (bounds) => this.close(bounds), fault, wait }, source, options)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close({ drainMs: 0 })
  }
}
