/**
 * The log of one run: in memory, refusing the append that a move names, and durable when the explorer says so.
 *
 * E1 Writes are acknowledged in order: a barrier behind an outstanding write waits for it first.
 *
 * @module
 */
import type { NewEvent } from '../../events/event.ts'
import { SessionLog } from '../../log/session-log.ts'

/** What a refused append is refused with. */
export class ExplorerRefusal extends Error {
  override readonly name = 'ExplorerRefusal'
}

/** Asks for the end of a write; undefined where every append is durable at once. */
export type Write = (() => Promise<void>) | undefined

const HEADER = { id: 'explored', formatVersion: 1, createdAt: 0 } as const

export class ExplorerLog extends SessionLog {
  /** Every event below this seq is durable. */
  acknowledged = 0
  private readonly write: Write
  private writing: Promise<void> | undefined

  /** @param refuses - is this append refused? */
  constructor(refuses: (event: NewEvent) => boolean, write: Write) {
    super({ ...HEADER }, [], {
      intercept: (event) => {
        if (refuses(event)) throw new ExplorerRefusal(`the log refused ${event.type}`)
      },
    })
    this.write = write
  }

  override durable(seq: number): undefined | Promise<void> {
    const { write } = this
    if (write === undefined || seq < this.acknowledged) return undefined
    this.writing ??= this.written(write)
    return this.writing.then(() => this.durable(seq))
  }

  private async written(write: () => Promise<void>): Promise<void> {
    const upTo = this.length
    try {
      await write()
      this.acknowledged = upTo
    } finally {
      this.writing = undefined
    }
  }
}
