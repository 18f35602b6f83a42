/**
 * What is wrong with a run at a quiet point: by its log and its record alone.
 *
 * @module
 */
import { checkInvariants } from '../check-invariants.ts'
import type { RunRecord } from '../invariants/run-record.ts'
import type { Breach, ExploredRun } from './options.ts'
import { questions } from './moves.ts'
import type { World } from './world.ts'

/** Can nothing happen any more without a command? Then it must be at rest; if it says that it is, it must be too. */
function atRest(world: World): boolean {
  const { agent, clock, decisions, seen } = world
  if (clock.waiting + decisions.waiting.length + questions(world).length === 0) return true
  if (agent.status === 'disposed') return seen.disposals.every(({ settled }) => settled)
  return agent.status === 'idle' && agent.activity === 'idle' && seen.disposals.length === 0
}

function recordOf(world: World): RunRecord {
  const { agent, seen, clock } = world
  const { nextTurn, nextStep } = agent.inbox
  const rests = atRest(world)
  return {
    statuses: seen.statuses,
    waiters: rests ? seen.waiters : [],
    bodies: seen.bodies,
    requests: seen.requests,
    signals: seen.signals,
    errors: seen.errors,
    refusals: seen.refusals,
    disposals: seen.disposals,
    timers: clock.ofAgent,
    waits: agent.options.drainGraceMs === Infinity ? [] : waitsOf(world),
    atRest: rests,
    inbox: {
      nextTurn: nextTurn.map(({ message }) => message.id),
      nextStep: nextStep.map(({ message }) => message.id),
    },
  }
}

const waitsOf = ({ decisions }: World): NonNullable<RunRecord['waits']> =>
  decisions.waiting.map(({ pending }) => ({ aborted: pending.aborted }))

/** A run as rules and users see it. */
export const runOf = (world: World): ExploredRun => ({
  agent: world.agent,
  log: world.log.read(),
  record: recordOf(world),
  notes: world.notes,
})

/** The breaches of a run. */
export function judge(world: World, run: ExploredRun): Breach[] {
  const breaches: Breach[] = [...checkInvariants(run.log, run.record)]
  for (const message of world.seen.faults)
    breaches.push({ invariant: 'I-NOREJECT', rule: 'unexpected-throw', seq: null, message })
  for (const [rule, judgeOf] of Object.entries(world.plan.invariants)) {
    const message = judgeOf(run)
    if (message !== undefined) breaches.push({ invariant: 'own', rule, seq: null, message })
  }
  return breaches
}
