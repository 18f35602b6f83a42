/**
 * The goal service: goals of any number of agents, with the tools by which their models end them.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import { wholeOrInfinite } from '../../actors/read-options.ts'
import { TurnwiseError } from '../../errors.ts'
import type { GoalState } from '../../projections/goal.ts'
import { LocalGoal } from './agent-goal.ts'
import type { AgentGoal, GoalOptions, Goals } from './goal-port.ts'
import { goalTools } from './goal-tools.ts'

const tell = ({ objective }: GoalState, round: number): string =>
  `The goal: ${objective}\n\nThis is round ${round}. Work on towards it. Call complete_goal when it is reached, block_goal when you cannot go on.`

/** Agents whose rounds somebody sends: two services would turn each other's rounds away as forged. */
const watched = new WeakSet<Agent>()

function refuseWatched(agent: Agent): void {
  if (!watched.has(agent)) return
  throw new TurnwiseError(
    'INVALID_OPTION',
    `expected an agent without a goal service, found that another one is attached to ${agent.id}; nothing was changed. Unload that one first, and wait for it.`,
  )
}

/**
 * Makes a goal service. Give its tools to the agents, then attach them.
 *
 * @throws TurnwiseError INVALID_OPTION
 */
export function createGoals(options: GoalOptions = {}): Goals {
  const maxGoalRounds = wholeOrInfinite(options, 'maxGoalRounds', Infinity)
  const parts = { maxGoalRounds, prompt: options.prompt ?? tell }
  const byAgent = new WeakMap<Agent, LocalGoal>()
  const byId = new Map<string, LocalGoal>()
  const of = (id: string): AgentGoal | undefined => byId.get(id)

  function attach(agent: Agent): AgentGoal {
    const known = byAgent.get(agent)
    if (known !== undefined) return known
    refuseWatched(agent)
    const gone = (): void => {
      watched.delete(agent)
      byAgent.delete(agent)
      if (byId.get(agent.id) === attached) byId.delete(agent.id)
    }
    const attached = new LocalGoal(agent, parts, gone)
    watched.add(agent)
    byAgent.set(agent, attached)
    byId.set(agent.id, attached)
    agent.onDispose(gone)
    return attached
  }

  return {
    tools: goalTools(of),
    attach,
    of,
    async unload() {
      await Promise.all([...byId.values()].map((attached) => attached.unload()))
    },
  }
}
