/**
 * What the page shows, and what its parts may ask for.
 *
 * V1 The position is the number of events seen; null means the end, which moves with the log.
 *
 * @module
 */
import type { LogHeader } from '../../../src/events/event.ts'
import type {
  AgentSummary,
  Chart,
  LiveState,
  StreamHeader,
  Trouble,
} from '../../../src/inspect/viewer/wire.ts'
import { listAgents, listCharts } from '../connection/api.ts'
import { follow } from '../connection/stream.ts'
import type { Group } from '../log/groups.ts'
import type { Moment } from '../log/moment.ts'
import { Recording } from '../log/recording.ts'
import { Search } from '../log/search.ts'

export interface View {
  readonly agents: readonly AgentSummary[]
  readonly charts: readonly Chart[]
  /** Id of the agent that is shown. */
  readonly chosen: string | null
  readonly header: LogHeader | null
  readonly live: LiveState | null
  readonly trouble: Trouble | null
  readonly connected: boolean
  readonly caughtUp: boolean
  /** V1 */
  readonly cursor: number | null
  /** The other side of a comparison. */
  readonly mark: number | null
  readonly hidden: ReadonlySet<Group>
  readonly query: string
  /** Why there is nothing to show. */
  readonly fault: string | null
}

const EMPTY = {
  header: null,
  live: null,
  trouble: null,
  connected: false,
  caughtUp: false,
  cursor: null,
  mark: null,
} as const

/** ms between two looks at the list of agents. */
const POLL_MS = 3000

/** Everything that the page holds. */
export class Store {
  view: View = {
    ...EMPTY,
    agents: [],
    charts: [],
    chosen: null,
    hidden: new Set(),
    query: '',
    fault: null,
  }
  recording = new Recording()
  search = new Search(this.recording, this.view)
  readonly #watchers = new Set<() => void>()
  #leave: (() => void) | undefined
  #searching = false

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Events seen. */
  get seen(): number {
    return this.view.cursor ?? this.recording.length
  }

  get moment(): Moment {
    return this.recording.at(this.seen)
  }

  get agent(): AgentSummary | undefined {
    return this.view.agents.find(({ id }) => id === this.view.chosen)
  }

  /** Loads what there is and chooses the first agent; looks again from time to time. */
  async start(): Promise<void> {
    try {
      if (this.view.charts.length === 0) this.#set({ charts: await listCharts() })
      const { agents } = await listAgents()
      this.#set({ agents, fault: null })
      const [first] = agents
      if (this.view.chosen === null && first !== undefined) this.choose(first.id)
    } catch (fault) {
      this.#set({ fault: fault instanceof Error ? fault.message : 'the server did not answer' })
    }
    setTimeout(() => void this.start(), POLL_MS)
  }

  choose(id: string): void {
    if (id === this.view.chosen) return
    this.#leave?.()
    this.recording = new Recording()
    this.#set({ ...EMPTY, chosen: id })
    this.#searchAnew()
    this.#leave = follow(id, {
      header: (begun) => this.#begin(begun),
      batch: (events) => {
        const taken = this.recording.take(events)
        if (taken === undefined) return false
        this.#set({})
        this.#searchOn()
        return true
      },
      live: (live) => this.#set({ live }),
      trouble: (trouble) => this.#set({ trouble }),
      caughtUp: () => this.#set({ caughtUp: true }),
      connected: (connected) => this.#set({ connected }),
    })
  }

  /** Moves to a number of events seen, inside the log; V1. */
  travel(to: number | null): void {
    const { length } = this.recording
    this.#set({ cursor: to === null ? null : Math.max(0, Math.min(Math.round(to), length)) })
  }

  /** Sets the other side of a comparison here, or takes it away. */
  mark(at: number | null): void {
    this.#set({ mark: at })
  }

  hide(hidden: ReadonlySet<Group>): void {
    this.#set({ hidden })
    this.#searchAnew()
  }

  look(query: string): void {
    this.#set({ query })
    this.#searchAnew()
  }

  /** A log begins, or goes on behind what is known; one that was replaced has no positions in common with the old one. */
  #begin({ header, from }: StreamHeader): void {
    if (from < this.recording.length) {
      this.recording = this.recording.upTo(from)
      this.#set({ cursor: null, mark: null, caughtUp: false })
      this.#searchAnew()
    }
    this.#set({ header, trouble: null })
  }

  #set(patch: Partial<View>): void {
    this.view = { ...this.view, ...patch }
    for (const watcher of Array.from(this.#watchers)) watcher()
  }

  #searchAnew(): void {
    this.search = new Search(this.recording, this.view)
    this.#searchOn()
  }

  /** A slice now, the others between other things. */
  #searchOn(): void {
    if (this.#searching) return
    this.search.work()
    this.#set({})
    if (this.search.done) return
    this.#searching = true
    setTimeout(() => {
      this.#searching = false
      this.#searchOn()
    })
  }
}
