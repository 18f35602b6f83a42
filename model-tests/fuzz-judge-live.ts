/**
 * What must hold while it happens: order, no nesting, nothing new after a cancel, idle only at quiescence.
 *
 * @module
 */
import type { AgentStatus, Inbox, LiveNotice } from '../src/actors/agent-handle.ts'
import { CancelGuard } from './fuzz-cancel-guard.ts'
import { command } from './fuzz-commands.ts'
import { countWindow } from './fuzz-coverage.ts'
import type { World } from './fuzz-world.ts'

/** Observes the agent from its creation on. */
export function watchLive(world: World): void {
  const guard = new CancelGuard(world)
  let depth = 0
  const alone = (what: string, look: () => void): void => {
    if (depth > 0) world.problem(`a callback ran inside ${what}`)
    depth += 1
    look()
    depth -= 1
  }
  world.log.observe((event) => {
    alone(event.type, () => {
      world.count(event.type)
      if (event.type === 'cancel/requested') countWindow(world, event.data.turn)
      guard.see(event)
      if (event.type === 'turn/end') closeSignals(world, event.data.turn)
      command(world, event.type)
    })
  })
  world.agent.listen((notice) => {
    if (notice.type === 'diagnostic') {
      world.notices.push({ notice, position: world.log.length })
      return
    }
    alone(`live ${notice.type}`, () => {
      world.notices.push({ notice, position: world.log.length })
      seeNotice(world, notice)
      command(world, `live ${notice.type}${notice.type === 'status' ? ` ${notice.status}` : ''}`)
    })
  })
}

/** Remembers the signals of a turn as they are at its end. */
function closeSignals(world: World, turn: number): void {
  const signals = [...(world.signals.get(turn) ?? [])]
  world.closedSignals.push([turn, signals.map((signal) => [signal, signal.aborted])])
}

const idsOf = ({ nextStep, nextTurn }: Inbox): string[] =>
  [...nextStep, ...nextTurn].map(({ message }) => message.id)

function seeNotice(world: World, notice: LiveNotice): void {
  if (notice.type === 'inserted') {
    const listed = idsOf(world.agent.inbox).includes(notice.message.id)
    world.law(listed, 'inserted was told before the list had it')
  }
  if (notice.type === 'status') seeStatus(world, notice.status)
}

function seeStatus(world: World, status: AgentStatus): void {
  const { agent } = world
  world.law(agent.status === status, 'a status was told before it changed')
  world.runningSince = status === 'running' ? world.epoch : -1
  if (status === 'idle') quiescent(world)
  const pending = idsOf(agent.inbox)
  const parked = agent.parked?.ids ?? []
  world.law(
    parked.every((id) => pending.includes(id)),
    'a message is parked that is not pending',
  )
}

/** Idle is announced without waking input that is not parked. */
function quiescent(world: World): void {
  if (world.disposing) return
  world.law(freeWaking(world).length === 0, 'idle was announced with waking work pending')
  const open = world.log.ledger.openTurn !== null && world.faithful
  world.law(!open, 'idle was announced in an open turn')
}

/** Pending waking messages that nothing holds back. */
export function freeWaking(world: World): readonly string[] {
  const { inbox, parked } = world.agent
  return [...inbox.nextStep, ...inbox.nextTurn]
    .filter((entry) => entry.wake && parked?.ids.includes(entry.message.id) !== true)
    .map((entry) => entry.message.id)
}
