/**
 * Everything one run of a scenario shares: clock, doors, what was asked, and who listens to what happens where.
 *
 * @module
 */
import type { Agent, LiveNotice, RunResult } from '../../actors/agent-handle.ts'
import type { StoredEvent } from '../../events/event.ts'
import { Latches } from '../latches.ts'
import type { EventPrinter } from '../print-event.ts'
import type { RecordedRequest } from '../scripted-model.ts'
import { macrotask, virtualClock, type VirtualClock } from '../virtual-clock.ts'
import type { Moment } from './moment.ts'
import type { Refusals } from './refusing-log.ts'
import type { Facts } from './facts.ts'
import type { ScenarioHouse } from './sessions/house.ts'
import type { Reading } from './verb.ts'

/** One agent of a run and what its listeners saw. */
export interface AgentRun {
  readonly name: string
  readonly agent: Agent
  readonly printer: EventPrinter
  readonly events: StoredEvent[]
  /** Printed lines of each event. */
  readonly lines: { readonly type: string; readonly line: string }[]
  readonly trace: { readonly type: string; readonly line: string }[]
  readonly statuses: string[]
  readonly errors: string[]
  /** Inbox notifications, printed. */
  readonly notices: string[]
  /** Every notification, as it came. */
  readonly live: LiveNotice[]
  readonly diagnostics: string[]
  readonly refusals: Refusals
  disposing: boolean
}

/** One tool body that was started. */
export interface Body {
  readonly call: string
  readonly key: string
  readonly tool: string
  running: boolean
}

/** A command that was issued, and what it answered. */
export interface Answered {
  readonly text: string
  /** Written as `P -> answer`. */
  readonly stated: boolean
  value?: unknown
  threw?: unknown
}

/** What could be read at one moment. */
export interface Snapshot {
  readonly label: string
  readonly facts: Facts
}

type MomentListener = (moment: Moment) => unknown

export class World {
  readonly clock: VirtualClock = virtualClock()
  readonly latches: Latches
  readonly agents = new Map<string, AgentRun>()
  readonly requests: (RecordedRequest & { readonly agent: string })[] = []
  readonly bodies: Body[] = []
  readonly answers: Answered[] = []
  readonly snapshots: Snapshot[] = []
  /** Calls of each gate, as it saw them. */
  readonly asked = new Map<string, Record<string, unknown>[]>()
  /** Values that hooks, tools and commands left under a name. */
  readonly values = new Map<string, unknown>()
  readonly promises = new Map<string, Promise<unknown>>()
  readonly runs = new Map<string, RunResult>()
  /** What waits right now: `gate`, `preStep`, `assembly`, `tool`, `maintenance`. */
  readonly waiting = new Map<string, number>()
  /** The registry, where the scenario has one. */
  house: ScenarioHouse | undefined
  /** Reads a command that stands inside another; set when the commands are read. */
  readCommand: (phrase: string) => Reading | undefined = () => undefined
  readonly #listeners: MomentListener[] = []

  /** @param latches - doors of a world before, with what was opened there. */
  constructor(latches = new Latches()) {
    this.latches = latches
  }

  /** Calls `listener` at every moment; what it answers is awaited where the moment can wait. */
  on(listener: MomentListener): void {
    this.#listeners.push(listener)
  }

  /** Tells everybody; resolves when all that was started is done, undefined when nothing was. */
  emit(moment: Moment): Promise<unknown> | undefined {
    const started = this.#listeners
      .map((listener) => listener(moment))
      .filter((answer) => answer instanceof Promise)
    return started.length === 0 ? undefined : Promise.all(started)
  }

  /** Tells everybody at a moment that cannot wait; what goes wrong later is kept with the command. */
  tell(moment: Moment): void {
    this.emit(moment)?.catch(() => undefined)
  }

  /** Marks that `names` wait until the answered function is called. */
  wait(...names: string[]): () => void {
    for (const name of names) this.waiting.set(name, (this.waiting.get(name) ?? 0) + 1)
    return () => {
      for (const name of names) this.waiting.set(name, (this.waiting.get(name) ?? 1) - 1)
    }
  }

  waits(name: string): boolean {
    return (this.waiting.get(name) ?? 0) > 0
  }

  run(name = 's1'): AgentRun {
    const run = this.agents.get(name)
    if (run === undefined) throw new Error(`the scenario has no session ${name}`)
    return run
  }

  /** Notes a call of a gate for the probe. */
  note(name: string, call: Record<string, unknown>): void {
    const calls = this.asked.get(name) ?? []
    calls.push(call)
    this.asked.set(name, calls)
  }

  /** What changes when anything happens at all. */
  #pulse(): string {
    const lengths = [...this.agents.values()].map(
      (run) => `${run.events.length}:${run.statuses.length}`,
    )
    return [...lengths, this.requests.length, this.bodies.length, this.latches.waiting()].join(' ')
  }

  /**
   * Waits for `done`. When nothing moves by itself any more, the clock goes to its next timer.
   *
   * @returns whether it came true.
   */
  async until(done: () => boolean, still = 12): Promise<boolean> {
    let quiet = 0
    let pulse = ''
    for (let round = 0; round < 5000; round += 1) {
      if (done()) return true
      await macrotask()
      const now = this.#pulse()
      quiet = now === pulse ? quiet + 1 : 0
      pulse = now
      if (quiet < still) continue
      if (!(await this.clock.advanceToNext())) return done()
      quiet = 0
    }
    return false
  }

  /** Waits for a promise as {@link until} does. */
  async settled(promise: Promise<unknown>): Promise<boolean> {
    let over = false
    const end = (): void => {
      over = true
    }
    promise.then(end, end)
    await Promise.resolve()
    return this.until(() => over)
  }
}
