/**
 * Compares what a model foresaw with what the log, the living agent and what waits outside say. The model is never its
 * own oracle.
 *
 * @module
 */
import { factsOf, pendingOf, type Phase } from './facts.ts'
import type { LifecycleModel } from './model.ts'
import type { Remembered } from './remembered.ts'
import type { Stage } from './stage.ts'
import { type Standing, stateOf } from './standing.ts'

/** In these phases the status is idle. */
const RESTS = /^(?:idle|task)/

/** Statuses that are announced on the way from one phase to the next. */
export function announced(from: Phase, to: Phase): string[] {
  const rested = RESTS.test(from)
  if (to === 'disposed') {
    if (from === 'disposed') return []
    return rested ? ['disposed'] : ['idle', 'disposed']
  }
  const rests = RESTS.test(to)
  if (rested === rests) return []
  return [rests ? 'idle' : 'running']
}

const tell = (
  state: string,
  { pending, held }: Pick<Remembered, 'pending' | 'held'>,
  waits: string | readonly string[] = [],
): string => {
  const { prompts, steers, notes } = pending
  const parked = held ? ' (parked)' : ''
  const names = [waits].flat().toSorted().join(', ') || 'nothing'
  return `${state}; pending${parked}: ${prompts} prompts, ${steers} steers, ${notes} notes; waiting: ${names}`
}

/** Where a model says that the agent stands. */
export const foretold = <State extends string, Event extends string, Memory extends Remembered>(
  model: LifecycleModel<State, Event, Memory>,
  { state, remembered }: Standing<State, Memory>,
): string => tell(state, remembered, stateOf(model, state).waits)

/** Where the log says that the agent stands. */
export function found<State extends string, Event extends string, Memory extends Remembered>(
  model: LifecycleModel<State, Event, Memory>,
  stage: Stage,
): string {
  const facts = factsOf(stage)
  const state = (Object.keys(model.states) as State[]).find((name) => {
    const { phase, seen } = stateOf(model, name)
    return phase === facts.phase && seen(facts)
  })
  const where = state ?? `no state of the model (${facts.phase})`
  return tell(where, pendingOf(facts.log), facts.waits)
}
