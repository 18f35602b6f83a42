/**
 * One simulated world: an agent, a clock, a log that may fail, and everything rude that happens around them.
 *
 * The world decides nothing about right and wrong; it keeps what was seen, for the judges.
 *
 * @module
 */
import type { Agent, LiveNotice } from '../src/actors/agent-handle.ts'
import type { AgentOptions, Diagnostic } from '../src/actors/agent-options.ts'
import type { Clock } from '../src/actors/clock.ts'
import type { ModelContext } from '../src/actors/model.port.ts'
import { macrotask, virtualClock, type VirtualClock } from '../src/testing/virtual-clock.ts'
import { Chance, type Dice } from './fuzz-chance.ts'
import type { Theme } from './fuzz-theme.ts'
import type { FuzzLog } from './fuzz-log.ts'

/** A request as the model was given it. */
export interface SeenRequest {
  readonly position: number
  readonly text: string
  readonly late: () => string
  readonly context: ModelContext
  readonly header: string
}

/** A message id that a verb answered with. */
export interface Receipt {
  readonly id: string
  readonly verb: string
  readonly position: number
}

/** A promise of the agent and what became of it. */
export interface Promised {
  readonly what: string
  readonly registered: number
  settled: number
}

export interface WorldOptions {
  /** Names of decisions that are left out. */
  readonly off?: ReadonlySet<string>
  /** Run the stock machine, watched. */
  readonly stock?: boolean
}

export class World {
  readonly chance: Chance
  readonly off: ReadonlySet<string>
  readonly stock: boolean
  readonly clock: VirtualClock = virtualClock({ now: 1_000_000 })
  /** The clock of the agent: its timers are counted. */
  readonly agentClock: Clock
  agentTimers = 0
  agent!: Agent
  log!: FuzzLog
  options: AgentOptions = {}
  /** Length of the log when this life began. */
  born = 0
  /** What was done, in order. */
  readonly trace: string[] = []
  readonly problems = new Set<string>()
  notices: { notice: LiveNotice; position: number }[] = []
  diagnostics: Diagnostic[] = []
  requests: SeenRequest[] = []
  receipts: Receipt[] = []
  promised: Promised[] = []
  signals = new Map<number, Set<AbortSignal>>()
  readonly abortedTurns = new Set<number>()
  readonly bodies = new Map<string, number>()
  /** Keys of calls whose bodies ended when they had been told to stop. */
  readonly late = new Set<string>()
  readonly coverage = new Map<string, number>()
  followers: { leave: () => void; next: () => number }[] = []
  /** No commands any more, and foreign code behaves. */
  calm = false
  /** `dispose` was called. */
  disposing = false
  /** A foreign fault can make the agent lose appends. */
  refused = 0
  /** Grows with every macrotask of the driver. */
  epoch = 0
  /** Length of the log when an injection turn was asked for last. */
  injectedAt = -1
  /** Signals of closed turns, and whether they were aborted then. */
  closedSignals: [number, [AbortSignal, boolean][]][] = []
  /** Last snapshots of the watched machines. */
  readonly standing = new Map<string, unknown>()
  /** The agent waits for durability. */
  strict = true
  /** Bodies that run now. */
  running = 0
  theme!: Theme
  intensity = 0
  budget = 0
  private ids = 0
  private readonly known: string[] = []
  private readonly releases = new Set<() => void>()

  constructor(seed: number, { off = new Set(), stock = false }: WorldOptions) {
    this.chance = new Chance(seed)
    this.off = off
    this.stock = stock
    this.agentClock = {
      now: () => this.clock.now(),
      after: (ms, fire) => {
        let waiting = true
        this.agentTimers += 1
        const over = (): void => {
          if (waiting) this.agentTimers -= 1
          waiting = false
        }
        const drop = this.clock.after(ms, () => {
          over()
          fire()
        })
        return () => {
          over()
          drop()
        }
      },
    }
  }

  /** Another life of the session begins: what was seen of the former one is forgotten. */
  begin(): void {
    this.born = this.log === undefined ? 0 : this.log.length
    this.notices = []
    this.diagnostics = []
    this.requests = []
    this.receipts = []
    this.promised = []
    this.followers = []
    this.signals = new Map()
    this.closedSignals = []
    this.calm = false
    this.disposing = false
    this.refused = 0
    this.runningSince = -1
    this.agentTimers = 0
  }

  problem(text: string): void {
    this.problems.add(text)
  }

  /** A law: what it says is a problem where it does not hold. */
  law(holds: boolean, problem: string): void {
    if (!holds) this.problems.add(problem)
  }

  /** Does nobody command any more? */
  get silent(): boolean {
    return this.calm || this.budget <= 0
  }

  /** Did the log take everything in this life? Then nothing may differ from it. */
  get faithful(): boolean {
    return this.refused === 0
  }

  count(what: string): void {
    this.coverage.set(what, (this.coverage.get(what) ?? 0) + 1)
  }

  /** Is the decision called `label` taken with probability `p`? */
  takes(label: string, p: number): boolean {
    const name = this.chance.name(label)
    return !this.off.has(name) && this.chance.dice(name).chance(p)
  }

  newId(prefix = 'm'): string {
    this.ids += 1
    const id = `${prefix}${this.ids}`
    this.known.push(id)
    return id
  }

  /** Mostly a new id; sometimes one that was used before. */
  anyId(dice: Dice): string {
    return this.known.length > 0 && dice.chance(0.08) ? dice.pick(this.known) : this.newId()
  }

  /** Something waits until the world is calm. */
  untilCalm(): Promise<void> {
    if (this.calm) return Promise.resolve()
    return new Promise((resolve) => {
      this.releases.add(resolve)
    })
  }

  becomeCalm(): void {
    this.calm = true
    for (const release of this.releases) release()
    this.releases.clear()
  }

  async macrotask(): Promise<void> {
    await macrotask()
    this.epoch += 1
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.clock.after(ms, resolve)
    })
  }

  /** Watches a promise of the agent: it must settle exactly once. */
  promise<T>(what: string, promise: Promise<T>, rejects: (error: unknown) => boolean): void {
    const entry: Promised = { what, registered: this.log.length, settled: 0 }
    this.promised.push(entry)
    promise.then(
      () => {
        entry.settled += 1
        this.settledLate(what)
      },
      (error: unknown) => {
        entry.settled += 1
        if (!rejects(error)) this.problem(`${what} rejected with ${String(error).slice(0, 90)}`)
      },
    )
  }

  /** Since when the agent runs, in macrotasks; -1 when it does not. */
  runningSince = -1

  /** A waiter that settles long after the agent began to run again was not looked after. */
  private settledLate(what: string): void {
    if (what !== 'whenIdle' || this.runningSince === -1) return
    if (this.epoch > this.runningSince + 1) this.problem('whenIdle settled while a turn ran')
  }

  /** Foreign code was handed a signal. */
  handed(turn: number, signal: AbortSignal): void {
    let set = this.signals.get(turn)
    if (set === undefined) this.signals.set(turn, (set = new Set()))
    set.add(signal)
  }
}
