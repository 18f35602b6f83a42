/**
 * What orders an agent: one mailbox with two lanes. Commands go before the machine's own moves.
 *
 * B1 Entries run one after another, never nested; the outermost caller drains.
 * B2 While an entry runs every command is queued, and it is applied before the next gate or signal, however late it was
 *    issued. One lane would not do: a cancel from an observer of a nested insertion must beat a gate already posted.
 * B3 When an entry starts, the XState mailboxes of agent, turn and step are empty.
 * B4 A drain is bounded: beyond {@link DRAIN_LIMIT} entries the rest goes on in a macrotask.
 *
 * @module
 */

/** Entries one drain may run: only callbacks that answer every event with a command get there. */
export const DRAIN_LIMIT = 100_000

/** A first-in-first-out list whose head is taken in constant time. */
class Lane {
  private entries: (() => void)[] = []
  private head = 0

  get empty(): boolean {
    return this.head === this.entries.length
  }

  push(entry: () => void): void {
    this.entries.push(entry)
  }

  shift(): (() => void) | undefined {
    const entry = this.entries[this.head]
    if (entry === undefined) return undefined
    this.head += 1
    if (this.head === this.entries.length) {
      this.entries.length = 0
      this.head = 0
    }
    return entry
  }
}

/** What a mailbox tells its owner. Neither may throw. */
export interface MailboxOwner {
  /** The mailbox has come to rest. */
  onRest(): void
  /** An entry threw, or a drain was too long. */
  onFault(kind: 'command' | 'drain', error: unknown): void
}

/** The one mailbox of an agent. */
export class Mailbox {
  private readonly commands = new Lane()
  private readonly moves = new Lane()
  private readonly owner: MailboxOwner
  private running = false
  private deferred = false

  constructor(owner: MailboxOwner) {
    this.owner = owner
  }

  /** Is an entry running? Then a command is queued. */
  get busy(): boolean {
    return this.running
  }

  get empty(): boolean {
    return !this.running && this.commands.empty && this.moves.empty
  }

  /** Applies a command: at once, or behind the running entry. */
  command(apply: () => void): void {
    this.commands.push(apply)
    this.drain()
  }

  /** Posts the machine's own next move from inside an entry. */
  post(move: () => void): void {
    this.moves.push(move)
  }

  /** Something asynchronous ended. */
  signal(move: () => void): void {
    this.moves.push(move)
    this.drain()
  }

  /** Runs `move` as one entry without queueing it; for chunks, which come by the thousand. */
  now(move: () => void): void {
    if (this.running) {
      move()
      return
    }
    this.running = true
    try {
      move()
    } finally {
      this.running = false
    }
    if (!this.commands.empty || !this.moves.empty) this.drain()
  }

  private drain(): void {
    if (this.running || this.deferred) return
    this.running = true
    let left = DRAIN_LIMIT
    for (;;) {
      const entry = this.commands.shift() ?? this.moves.shift()
      if (entry === undefined) break
      try {
        entry()
      } catch (error) {
        this.owner.onFault('command', error)
      }
      left -= 1
      if (left === 0) {
        this.defer()
        break
      }
    }
    this.running = false
    this.owner.onRest()
  }

  private defer(): void {
    if (this.commands.empty && this.moves.empty) return
    this.deferred = true
    this.owner.onFault('drain', new Error(`more than ${DRAIN_LIMIT} entries in one drain`))
    setImmediate(() => {
      this.deferred = false
      this.drain()
    })
  }
}
