/**
 * A store in memory, for tests and as the shortest statement of what a back end does. Nothing outlives the process.
 *
 * @module
 */
import type { LogHeader } from '../../events/event.ts'
import type { QueuedAppend } from './append-queue.ts'
import type {
  Backend,
  ClaimAnswer,
  ClaimRequest,
  Holding,
  InboxRow,
  RenewRequest,
  Row,
} from './backend.ts'
import type { AppendOutcome, Head, ListedSession } from './event-store.ts'
import { judge } from './judge.ts'

interface Session {
  readonly header: LogHeader
  readonly bodies: string[]
  readonly inbox: Map<string, InboxRow & { taken: boolean }>
  epoch: number
  lastAppend: string
  owner: string | undefined
  until: number
}

/** Every call answers in a microtask; nothing here waits. */
export class MemoryBackend implements Backend {
  readonly name = 'memory'
  readonly inFlight = 1
  readonly pollMs = 1000
  private readonly sessions = new Map<string, Session>()
  private readonly now: () => number

  /** @param now - the clock of leases, in ms. */
  constructor(now: () => number = Date.now) {
    this.now = now
  }

  async create(header: LogHeader, bodies: readonly string[]): Promise<boolean> {
    if (this.sessions.has(header.id)) return false
    this.sessions.set(header.id, {
      header,
      bodies: [...bodies],
      inbox: new Map(),
      epoch: 0,
      lastAppend: '',
      owner: undefined,
      until: 0,
    })
    return true
  }

  async head(id: string): Promise<Head | undefined> {
    const session = this.sessions.get(id)
    return session === undefined ? undefined : headOf(session)
  }

  async commit(group: readonly QueuedAppend[]): Promise<AppendOutcome[]> {
    return group.map((append) => {
      const session = this.sessions.get(append.session)
      const standing = session === undefined ? undefined : headOf(session)
      const answer = judge({ ...append, count: append.bodies.length }, standing)
      if (answer !== undefined || session === undefined) return answer as AppendOutcome
      session.bodies.push(...append.bodies)
      session.lastAppend = append.id
      return { ok: true, version: session.bodies.length, repeated: false }
    })
  }

  async rows(id: string, from: number, limit: number): Promise<readonly Row[]> {
    const bodies = this.sessions.get(id)?.bodies.slice(from, from + limit) ?? []
    return bodies.map((body, at) => ({ seq: from + at, body }))
  }

  async claim(id: string, { owner, ttlMs, force }: ClaimRequest): Promise<ClaimAnswer> {
    const session = this.sessions.get(id)
    if (session === undefined) return { ok: false, held: undefined }
    const held = this.holding(session)
    if (held !== undefined && !force) return { ok: false, held }
    session.epoch++
    session.owner = owner
    session.until = this.now() + ttlMs
    return { ok: true, epoch: session.epoch }
  }

  async renew(leases: readonly RenewRequest[]): Promise<readonly boolean[]> {
    return leases.map((lease) => {
      const session = this.sessions.get(lease.session)
      if (session?.epoch !== lease.epoch) return false
      session.until = this.now() + lease.ttlMs
      return true
    })
  }

  async release(id: string, epoch: number): Promise<void> {
    const session = this.sessions.get(id)
    if (session?.epoch === epoch) session.owner = undefined
  }

  async remove(id: string): Promise<Holding | undefined> {
    const session = this.sessions.get(id)
    const held = session === undefined ? undefined : this.holding(session)
    if (held === undefined) this.sessions.delete(id)
    return held
  }

  async list(after: string, limit: number): Promise<readonly ListedSession[]> {
    return [...this.sessions.values()]
      .filter(({ header }) => header.id > after)
      .toSorted((a, b) => (a.header.id < b.header.id ? -1 : 1))
      .slice(0, limit)
      .map(({ header, bodies }) => ({ header, version: bodies.length }))
  }

  async send(id: string, row: InboxRow): Promise<'stored' | 'repeated' | undefined> {
    const inbox = this.sessions.get(id)?.inbox
    if (inbox?.has(row.id) === true) return 'repeated'
    inbox?.set(row.id, { ...row, taken: false })
    return inbox && 'stored'
  }

  async pending(id: string): Promise<readonly InboxRow[]> {
    const rows = this.sessions.get(id)?.inbox.values() ?? []
    return [...rows].filter(({ taken }) => !taken)
  }

  async taken(id: string, ids: readonly string[]): Promise<void> {
    const inbox = this.sessions.get(id)?.inbox
    for (const message of ids) {
      const row = inbox?.get(message)
      if (row !== undefined) row.taken = true
    }
  }

  /** Damages a stored event, for tests of readers: it is no JSON any more, or the later ones move up. */
  spoil(id: string, seq: number, how: 'text' | 'missing'): void {
    const bodies = this.sessions.get(id)?.bodies
    if (how === 'missing') bodies?.splice(seq, 1)
    else if (bodies?.[seq] !== undefined) bodies[seq] = bodies[seq].slice(1)
  }

  watch(): void {}

  async close(): Promise<void> {}

  private holding({ owner, until }: Session): Holding | undefined {
    const leftMs = until - this.now()
    return owner === undefined || leftMs <= 0 ? undefined : { owner, leftMs }
  }
}

const headOf = ({ header, bodies, epoch, lastAppend }: Session): Head => ({
  header,
  version: bodies.length,
  epoch,
  lastAppend,
})
