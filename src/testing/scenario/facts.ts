/**
 * What can be read of an agent at one moment.
 *
 * @module
 */
import { listed } from '../print-request.ts'
import type { PrintedInbox } from './scenario.ts'
import type { AgentRun, World } from './world.ts'

/** Facts by the names that expectations use. */
export interface Facts {
  readonly status: string
  readonly activity: string
  readonly inbox: PrintedInbox
  readonly parked: { readonly reason: string; readonly ids: readonly string[] } | null
  /** Turns that were opened. */
  readonly turns: number
  readonly turnsEnded: number
  readonly steps: number
  readonly turnEnded: boolean
  readonly requests: number
  readonly log: readonly string[]
  readonly bodiesStarted: readonly string[]
  readonly time: number
  /** Names of promises that have settled. */
  readonly resolved: readonly string[]
}

/** The pending messages of an agent, printed. */
export const inboxOf = (run: AgentRun): PrintedInbox => ({
  'next-turn': run.agent.inbox.nextTurn.map((entry) => listed(entry.message)),
  'next-step': run.agent.inbox.nextStep.map((entry) => listed(entry.message)),
})

const QUIET = /^(?:assistant\/chunk|request\/header|request\/context)$/

/** Reads everything now. */
export function factsOf(world: World, run: AgentRun): Facts {
  const has = (type: string): number => run.events.filter((event) => event.type === type).length
  const parked = run.agent.parked
  return {
    status: run.agent.status,
    activity: run.agent.activity,
    inbox: inboxOf(run),
    parked: parked === null ? null : { reason: parked.reason, ids: [...parked.ids] },
    turns: has('turn/start'),
    turnsEnded: has('turn/end'),
    steps: has('step/start'),
    turnEnded: has('turn/start') > 0 && has('turn/start') === has('turn/end'),
    requests: world.requests.filter((made) => made.agent === run.name).length,
    log: run.lines.filter(({ type }) => !QUIET.test(type)).map(({ line }) => line),
    bodiesStarted: world.bodies.map((body) => body.call),
    time: world.clock.now(),
    resolved: [...world.values.keys()]
      .filter((key) => key.startsWith('settled '))
      .map((key) => key.slice(8)),
  }
}
