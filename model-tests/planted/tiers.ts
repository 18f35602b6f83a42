/**
 * The tiers of exploration, each with the bounded work that it does for `npm test`: each answers its first finding.
 *
 * @module
 */
import { agentMachine } from '../../src/machines/agent.machine.ts'
import { stepMachine } from '../../src/machines/step.machine.ts'
import { turnMachine } from '../../src/machines/turn.machine.ts'
import {
  missingWindows,
  plain,
  postsItsGate,
  recordsOrActs,
  restsWhereItStarts,
  windowsAnswer,
} from '../../test/machines/chart-rules.ts'
import { explore } from '../../src/testing/explore/explore.ts'
import { lifecycleModel } from '../../src/testing/lifecycle/lifecycle-model.ts'
import { pathsOf } from '../../src/testing/lifecycle/paths.ts'
import { runPath } from '../../src/testing/lifecycle/run-path.ts'
import { logsOf, wrongAtCuts } from '../crash-runs.ts'
import { ROOMS, type RoomName } from '../explore-rooms.ts'
import { differ, simulateBoth } from '../fuzz-both.ts'
import type { TierName } from './tier-names.ts'

/** The first finding, in a sentence; undefined when nothing was found. */
type Tier = () => Promise<string | undefined>

const CHARTS = [agentMachine, turnMachine, stepMachine]
const RULES = [recordsOrActs, restsWhereItStarts, windowsAnswer, plain, postsItsGate]

const charts: Tier = async () => {
  await Promise.resolve()
  const broken = CHARTS.flatMap((chart) => RULES.flatMap((rule) => rule(chart)))
  return broken[0] ?? missingWindows(CHARTS)[0]
}

const model: Tier = async () => {
  for (const path of pathsOf(lifecycleModel)) {
    // eslint-disable-next-line no-await-in-loop -- one walk at a time
    const { disagreements } = await runPath(lifecycleModel, path)
    const [first] = disagreements
    if (first !== undefined) {
      const expected = first.expected === undefined ? '' : `, expected ${first.expected}`
      return `${path.moves.join(' > ')}: found ${first.found}${expected}`
    }
  }
  return undefined
}

const rooms = Object.keys(ROOMS) as RoomName[]
const STATES = 320

const explorer: Tier = async () => {
  for (const room of rooms) {
    // eslint-disable-next-line no-await-in-loop -- the first finding ends it
    const { counterexamples } = await explore({ ...ROOMS[room], maxStates: STATES })
    const [first] = counterexamples
    if (first !== undefined) return `${room}: ${first.breaches[0]?.message}`
  }
  return undefined
}

const crashes: Tier = async () => {
  for (const room of rooms) {
    // eslint-disable-next-line no-await-in-loop -- the first finding ends it
    const [first] = await wrongAtCuts(await logsOf(room))
    if (first !== undefined) return `${room}: ${first}`
  }
  return undefined
}

const SEEDS = 100

const simulation: Tier = async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    // eslint-disable-next-line no-await-in-loop -- the first finding ends it
    const both = await simulateBoth(seed)
    const found = [...both.table.problems, ...both.stock.problems, ...differ(both)]
    if (found.length > 0) return `seed ${seed}: ${found[0]}`
  }
  return undefined
}

export const TIERS: Readonly<Record<TierName, Tier>> = {
  charts,
  simulation,
  explorer,
  model,
  crashes,
}
