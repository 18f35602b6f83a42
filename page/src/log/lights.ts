/**
 * Which states of a chart are lit, from where the log says that it may be.
 *
 * @module
 */
import type { ChartStanding } from '../../../src/inspect/account/standing.ts'
import type { LiveState } from '../../../src/inspect/viewer/wire.ts'

/** Paths of the states that are lit. */
export interface Lights {
  /** Where the chart is; empty where it does not run. */
  readonly current: readonly string[]
  /** Where it may have gone since, which leaves no event. */
  readonly perhaps: readonly string[]
}

/** Where a chart usually waits, where the log cannot tell it from states that are soon left. */
const USUAL = new Set([
  'running.turning',
  'open.stepping',
  'open.gating',
  'streaming',
  'calling.running',
  'calling.approving',
  'draining.waiting',
  'backingOff',
])

/**
 * Right behind an event a chart is in the state that recorded it. At the end of a log time has passed, so that only the
 * states in which a chart can wait are left.
 */
export function lightsOf({ states, waits }: ChartStanding, atEnd: boolean): Lights {
  const possible = atEnd && waits.length > 0 ? waits : states
  const usual = atEnd ? possible.find((path) => USUAL.has(path)) : undefined
  const current = usual ?? possible[0]
  return {
    current: current === undefined ? [] : [current],
    perhaps: possible.filter((path) => path !== current),
  }
}

/** What a living agent says of itself and no log tells. */
export function liveLights(live: LiveState | null): Lights | undefined {
  if (live?.status === 'disposed') return { current: ['disposed'], perhaps: [] }
  return live?.activity === 'maintenance' ? { current: ['maintenance'], perhaps: [] } : undefined
}
