/**
 * Rooms at rest, the one that has rested longest first, and the one timer that tells when it has rested long enough.
 *
 * @module
 */
import type { Clock } from '../../actors/clock.ts'
import type { Room } from './room.ts'

/** The rooms at rest. */
export class IdleOrder {
  private readonly rooms = new Set<Room>()
  private readonly clock: Clock
  private readonly idleMs: number
  private readonly onDue: (room: Room) => void
  private drop: (() => void) | undefined

  /** @param onDue - called for each room that has rested for `idleMs`; the room is out of the order then. */
  constructor(clock: Clock, idleMs: number, onDue: (room: Room) => void) {
    this.clock = clock
    this.idleMs = idleMs
    this.onDue = onDue
  }

  /** It rests from now on. Nothing happens if it did already. */
  add(room: Room): void {
    if (this.rooms.has(room)) return
    room.restedAt = this.clock.now()
    this.rooms.add(room)
    this.schedule()
  }

  /** It no longer rests. */
  delete(room: Room): void {
    this.rooms.delete(room)
    if (this.rooms.size > 0) return
    this.drop?.()
    this.drop = undefined
  }

  /** The room that has rested longest among those that `match`. */
  first(match: (room: Room) => boolean): Room | undefined {
    for (const room of this.rooms) if (match(room)) return room
    return undefined
  }

  private schedule(): void {
    const [first] = this.rooms
    if (this.drop !== undefined || first === undefined || this.idleMs === Infinity) return
    const ms = first.restedAt + this.idleMs - this.clock.now()
    this.drop = this.clock.after(ms, () => {
      this.drop = undefined
      this.fire()
      this.schedule()
    })
  }

  private fire(): void {
    const due = this.clock.now() - this.idleMs
    for (const room of this.rooms) {
      if (room.restedAt > due) return
      this.rooms.delete(room)
      this.onDue(room)
    }
  }
}
