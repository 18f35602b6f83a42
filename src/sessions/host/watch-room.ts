/**
 * Keeps the accounts of a host in step with one agent: its inbox, its turns, its slot, its rest, its loss.
 *
 * It commands nothing. The one thing it does to the agent is a gate in front of all others, where turns wait for a slot.
 *
 * @module
 */
import type { Agent, LiveNotice } from '../../actors/agent-handle.ts'
import { runOutside } from '../../actors/initiator.ts'
import type { GateLists } from '../../actors/read-options.ts'
import { findDoor } from '../../actors/service-door.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { Room } from './room.ts'
import type { RunSlots } from './run-slots.ts'
import type { Tally } from './tally.ts'

/** What is told of a room. */
export interface RoomWatcher {
  readonly slots: RunSlots
  readonly tally: Tally
  readonly elapsed: () => number
  /** Do no more turns begin? */
  readonly closing: boolean
  /** It may have come to rest, or gone back to work. Must not throw. */
  look(room: Room): void
  /** Somebody else owns the session now. */
  lost(room: Room): void
  /** A turn that has not begun is to be put back. */
  putBack(room: Room): void
}

type PreStep = GateLists['preStep'][number]

/** Watches `agent` in `room` until it is gone. */
export function watchRoom(room: Room, agent: Agent, by: RoomWatcher): void {
  const gated = by.slots.limits(room.tenant)
  if (gated) findDoor(agent)?.gateFirst(slotGate(room, by))
  const onTurn = (event: StoredEvent): void => {
    if (event.type === 'turn/start') room.turnAt = by.elapsed()
    if (!gated && (event.type === 'turn/start' || event.type === 'step/start')) by.slots.note(room)
    if (event.type === 'turn/end') endTurn(room, event, by)
    if (event.type === 'approval/asked') by.slots.leave(room)
    if (MAY_STAND_STILL.has(event.type)) queueMicrotask(() => by.look(room))
  }
  agent.log.observe(onTurn)
  agent.listen((notice) => {
    onNotice(room, agent, notice, by)
  })
  agent.log.lost?.addEventListener('abort', () => {
    by.lost(room)
  })
  recount(room, agent)
  if (agent.log.ledger.openTurn !== null && !gated) by.slots.note(room)
  if (agent.log.lost?.aborted === true) by.lost(room)
}

/** Events after which a turn may do nothing but wait for an approval, or no longer. */
const MAY_STAND_STILL: ReadonlySet<string> = new Set([
  'approval/asked',
  'approval/decided',
  'tool/settled',
  'tool/result',
])

function endTurn(room: Room, { data }: StoredEvent<'turn/end'>, by: RoomWatcher): void {
  const { turn, reason } = data
  by.slots.leave(room)
  by.tally.turnMs.add(by.elapsed() - room.turnAt)
  by.tally.tell({ type: 'ended', id: room.id, tenant: room.tenant.name, turn, reason })
}

function onNotice(room: Room, agent: Agent, notice: LiveNotice, by: RoomWatcher): void {
  if (notice.type === 'inserted' || notice.type === 'claimed' || notice.type === 'discarded')
    recount(room, agent)
  if (notice.type !== 'status') return
  if (notice.status !== 'idle') {
    by.look(room)
    return
  }
  // An end of a turn that the log refused gives its slot back here.
  by.slots.leave(room)
  void runOutside(() => agent.whenIdle()).then(() => {
    by.look(room)
  })
}

function recount(room: Room, { inbox }: Agent): void {
  const queued = inbox.nextTurn.length + inbox.nextStep.length
  room.tenant.add('queued', queued - room.queued)
  room.queued = queued
}

/** Where turns wait. A turn that has begun goes on while the host closes. */
export function slotGate(room: Room, by: RoomWatcher): PreStep {
  return async ({ step, signal }, next) => {
    if (by.closing && step === 1) {
      queueMicrotask(() => by.putBack(room))
      await aborted(signal)
    }
    const wait = by.closing ? undefined : by.slots.take(room, signal)
    if (wait !== undefined) await wait
    signal.throwIfAborted()
    return next()
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })
