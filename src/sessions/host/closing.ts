/**
 * The end of a host: what runs gets a while, what waits is put back, everything is written.
 *
 * C1 No turn begins once it has started: a message that was claimed and has not entered a step goes back to its list.
 * C2 It ends within its bounds, whatever hangs.
 *
 * @module
 */
import type { Clock } from '../../actors/clock.ts'
import { runOutside } from '../../actors/initiator.ts'
import { wholeOrInfinite } from '../../actors/read-options.ts'
import { findDoor } from '../../actors/service-door.ts'
import type { EventLog } from '../../log/event-log.ts'
import type { Registry } from '../registry-port.ts'
import type { CloseOptions, CloseReport } from './closing-port.ts'
import type { Room } from './room.ts'
import type { Rooms } from './rooms.ts'
import { type RoomWatcher, slotGate } from './watch-room.ts'

/** Why turns that have not begun are cut; recorded as it is. */
const CAUSE = { kind: 'hook', by: 'host', reason: 'closing' } as const

/** What is closed. */
export interface Closed {
  readonly rooms: Rooms
  readonly registry: Registry
  readonly clock: Clock
  readonly watcher: RoomWatcher
}

/** Fills in the defaults. @throws TurnwiseError INVALID_OPTION */
export const closeOptionsOf = (options: CloseOptions): Required<CloseOptions> => ({
  drainMs: wholeOrInfinite(options, 'drainMs', 10_000, 0),
  giveUpMs: wholeOrInfinite(options, 'giveUpMs', 10_000, 0),
})

/** The end of one host. */
export class Closing {
  private readonly host: Closed
  private readonly failures = new Set<unknown>()
  private readonly suspended = new Set<string>()
  private drained = 0

  constructor(host: Closed) {
    this.host = host
  }

  async run({ drainMs, giveUpMs }: Required<CloseOptions>): Promise<CloseReport> {
    const { rooms, clock } = this.host
    rooms.shut()
    const drain = new Bound(clock, drainMs)
    const giveUp = new Bound(clock, drainMs + giveUpMs)
    const endings = rooms.list().map((room) => this.end(room, drain))
    const everything = Promise.all(endings).then(() => this.endRegistry())
    await Promise.race([everything, giveUp.passed])
    drain.drop()
    giveUp.drop()
    const left = rooms.list().map(({ id }) => id)
    const failures = [...this.failures]
    const exitCode = left.length + failures.length === 0 ? 0 : 1
    return { drained: this.drained, suspended: this.suspended.size, left, failures, exitCode }
  }

  private async end(room: Room, drain: Bound): Promise<void> {
    const { living: agent } = room
    // Whoever leaves already is waited for by the registry.
    if (agent === undefined) return
    const door = findDoor(agent)
    if (room.slot === 'waiting') this.putBack(room)
    door?.gateFirst(slotGate(room, this.host.watcher))
    if (door?.standsStill !== true)
      await Promise.race([runOutside(() => agent.whenIdle()), drain.passed])
    this.count(room, door?.quiet === true)
    await this.suspend(room)
  }

  private count(room: Room, atRest: boolean): void {
    if (!atRest) this.suspended.add(room.id)
    else if (!this.suspended.has(room.id)) this.drained += 1
  }

  /** Puts back what a turn that has not begun had claimed, and suspends the agent. */
  putBack(room: Room): void {
    this.suspended.add(room.id)
    void this.suspend(room)
  }

  private async suspend(room: Room): Promise<void> {
    const { living } = room
    if (living !== undefined && hasNotBegun(living.log))
      living.cancel(CAUSE, { keepInbox: true, restoreClaimed: true })
    await this.host.rooms.suspend(room, 'closing').catch((error: unknown) => {
      this.failures.add(error)
    })
  }

  /** What the host does not know, such as children and what is just being made. */
  private async endRegistry(): Promise<void> {
    try {
      await this.host.registry.close()
    } catch (error) {
      const all: readonly unknown[] = error instanceof AggregateError ? error.errors : [error]
      for (const one of all) this.failures.add(one)
    }
  }
}

/** Is a turn open that has entered no step? */
function hasNotBegun(log: EventLog): boolean {
  if (log.ledger.openTurn === null) return false
  for (let seq = log.length - 1; seq >= 0; seq -= 1) {
    const type = log.at(seq)?.type
    if (type === 'step/start') return false
    if (type === 'turn/start') return true
  }
  return false
}

/** A time that is not waited beyond. */
class Bound {
  readonly passed: Promise<void>
  drop = (): void => {}

  constructor(clock: Clock, ms: number) {
    this.passed = new Promise((resolve) => {
      if (ms === 0) resolve()
      else if (ms !== Infinity) this.drop = clock.after(ms, resolve)
    })
  }
}
