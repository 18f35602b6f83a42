/**
 * The tools by which a model ends the goal it works for.
 *
 * @module
 */
import type { AnyTool, ToolContext } from '../../actors/tool.port.ts'
import type { AgentGoal, GoalAnswer } from './goal-port.ts'

const REASON = (what: string) => ({
  type: 'object',
  properties: { reason: { type: 'string', description: what } },
})

const reasonIn = (input: unknown): { reason?: string } => {
  const { reason } = (input ?? {}) as { readonly reason?: unknown }
  return typeof reason === 'string' ? { reason } : {}
}

/** @param of - finds the goal of the agent that calls. */
export function goalTools(of: (agent: string) => AgentGoal | undefined): readonly AnyTool[] {
  const goalOf = (agent: string): AgentGoal => {
    const found = of(agent)
    if (found === undefined) throw new Error(`agent ${agent} has no goal`)
    return found
  }
  /** Ends it outside the move that starts the body: what refuses the change is the outcome of the call. */
  const ended = async (
    { agent, signal }: ToolContext,
    said: string,
    end: (goal: AgentGoal) => GoalAnswer,
  ): Promise<string> => {
    await Promise.resolve()
    if (signal.aborted) return ''
    end(goalOf(agent))
    return said
  }
  return Object.freeze([
    {
      name: 'complete_goal',
      description: 'Says that the goal is reached. No further round starts.',
      parameters: REASON('What was reached.'),
      run(input: unknown, context) {
        return ended(context, 'The goal is complete.', (goal) => goal.complete(reasonIn(input)))
      },
    },
    {
      name: 'block_goal',
      description: 'Says that the goal cannot be worked on. No further round starts.',
      parameters: REASON('What is in the way.'),
      run(input: unknown, context) {
        return ended(context, 'The goal is blocked.', (goal) => goal.block(reasonIn(input)))
      },
    },
  ] satisfies AnyTool[])
}
