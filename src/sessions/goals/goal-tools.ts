/**
 * The tools by which a model ends the goal it works for.
 *
 * @module
 */
import type { AnyTool } from '../../actors/tool.port.ts'
import type { AgentGoal } from './goal-port.ts'

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
  return Object.freeze([
    {
      name: 'complete_goal',
      description: 'Says that the goal is reached. No further round starts.',
      parameters: REASON('What was reached.'),
      run(input: unknown, { agent }) {
        goalOf(agent).complete(reasonIn(input))
        return 'The goal is complete.'
      },
    },
    {
      name: 'block_goal',
      description: 'Says that the goal cannot be worked on. No further round starts.',
      parameters: REASON('What is in the way.'),
      run(input: unknown, { agent }) {
        goalOf(agent).block(reasonIn(input))
        return 'The goal is blocked.'
      },
    },
  ] satisfies AnyTool[])
}
