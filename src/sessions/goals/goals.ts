/**
 * The goal service: goals of any number of agents, with the tools by which their models end them.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import { wholeOrInfinite } from '../../actors/read-options.ts'
import type { GoalState } from '../../projections/goal.ts'
import { LocalGoal } from './agent-goal.ts'
import type { AgentGoal, GoalOptions, Goals } from './goal-port.ts'
import { goalTools } from './goal-tools.ts'

const tell = ({ objective }: GoalState, round: number): string =>
  `The goal: ${objective}\n\nThis is round ${round}. Work on towards it. Call complete_goal when it is reached, block_goal when you cannot go on.`

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
    const gone = (): void => {
      byAgent.delete(agent)
      if (byId.get(agent.id) === attached) byId.delete(agent.id)
    }
    const attached = new LocalGoal(agent, parts, gone)
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
