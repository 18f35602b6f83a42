/**
 * What must hold when everything is over: nothing runs, nothing waits, every promise is kept, every view is the log.
 *
 * @module
 */
import { approvals } from '../src/projections/approvals.ts'
import { consumed } from '../src/projections/consumed-work.ts'
import { history } from '../src/projections/history.ts'
import { inbox } from '../src/projections/inbox.ts'
import { openWork } from '../src/projections/open-work.ts'
import { fold, type Projection } from '../src/projections/projection.ts'
import { sessionState } from '../src/projections/session-state.ts'
import { status } from '../src/projections/status.ts'
import { transcript } from '../src/projections/transcript.ts'
import { turns } from '../src/projections/turns.ts'
import { usage } from '../src/projections/usage.ts'
import { freeWaking } from './fuzz-judge-live.ts'
import type { World } from './fuzz-world.ts'

const VIEWS = [
  approvals,
  consumed,
  history,
  inbox,
  openWork,
  sessionState,
  status,
  transcript,
  turns,
  usage,
] as readonly Projection<unknown>[]

/** Judges an agent that has come to rest, or is gone. */
export function judgeRest(world: World): void {
  const { agent, log } = world
  world.law(!world.disposing || agent.status === 'disposed', 'is not disposed in the end')
  const free = world.disposing ? [] : freeWaking(world)
  world.law(free.length === 0, 'rests with waking work that nothing holds back')
  world.law(world.agentTimers === 0, `${world.agentTimers} timers are left`)
  for (const { what, settled } of world.promised)
    world.law(settled === 1, `a promise of ${what} settled ${settled} times`)
  for (const { leave, next } of world.followers) {
    world.law(next() === log.length, 'a subscription missed events')
    leave()
  }
  world.law(log.ledger.openTurn === null || !world.faithful, 'a turn is open at rest')
  views(world)
  authority(world)
}

function views(world: World): void {
  const events = world.log.read()
  for (const view of VIEWS) {
    const live = JSON.stringify(world.agent.read(view))
    const replayed = JSON.stringify(fold(view, events))
    world.law(live === replayed, `projection ${view.name} differs from its replay`)
  }
}

/** A signal that was handed out ends with its turn. */
function authority(world: World): void {
  for (const [turn, before] of world.closedSignals)
    for (const [signal, aborted] of before)
      if (signal.aborted !== aborted)
        world.problem(`a signal of turn ${turn} aborted after its end`)
}
