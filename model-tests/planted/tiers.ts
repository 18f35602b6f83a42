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
import { simulate } from '../fuzz.ts'

/** The first finding, in a sentence; undefined when nothing was found. */
type Tier = () => Promise<string | undefined>

const CHARTS = [agentMachine, turnMachine, stepMachine]
const RULES = [recordsOrActs, restsWhereItStarts, windowsAnswer, plain, postsItsGate]

const charts: Tier = async () => {
  await Promise.resolve()
  const broken = CHARTS.flatMap((chart) => RULES.flatMap((rule) => rule(chart)))
  return broken[0] ?? missingWindows(CHARTS)[0]
}

const SEEDS = 100

const simulation: Tier = async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { problems } = await simulate(seed)
    if (problems.length > 0) return `seed ${seed}: ${problems[0]}`
  }
  return undefined
}

export const TIERS = { charts, simulation } as const satisfies Readonly<Record<string, Tier>>

export type TierName = keyof typeof TIERS
