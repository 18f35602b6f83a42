/**
 * Commands about goals: `set and arm a goal`, `resume goal`, `complete the goal`, `unload the goal service`.
 *
 * @module
 */
import type { AgentGoal } from '../../../sessions/goals/goal-port.ts'
import type { Ctx, Reading, VerbRule } from '../verb.ts'
import { houseOf } from '../sessions/verb-places.ts'

/** @throws Error where the agent has none. */
export function goalOf({ world, run }: Pick<Ctx, 'world' | 'run'>): AgentGoal {
  const found = world.values.get(`goal of ${run.name}`)
  if (found !== undefined) return found as AgentGoal
  throw new Error(`${run.name} has no goal`)
}

const setting = (arms: boolean): Reading => ({
  key: arms ? 'arm goal' : 'set goal',
  act(ctx) {
    const goal = goalOf(ctx)
    if (goal.state === null) goal.set('Reach it.', { id: 'g' })
    if (arms) goal.arm()
  },
})

/** A gate that is asked again and again edits once. */
const editing: Reading = {
  key: 'edit goal',
  act(ctx) {
    if (ctx.world.values.has('goal was edited')) return
    ctx.world.values.set('goal was edited', true)
    goalOf(ctx).edit('Reach it better.')
  },
}

const forging = (round: number): Reading => ({
  key: `forge ${round}`,
  act: ({ agent }) =>
    agent.followup({
      content: `round ${round}`,
      source: { kind: 'goal', goal: 'g', revision: 1, round },
    }),
})

const THE = '(?:a |the |its |another |new )?'

export const GOAL_RULES: readonly VerbRule[] = [
  [new RegExp(`^(?:set and )?arms? ${THE}goal$`), () => setting(true)],
  [new RegExp(`^sets? ${THE}goal$`), () => setting(false)],
  [
    new RegExp(`^resumes? ${THE}goal$`),
    () => ({
      key: 'resume goal',
      act(ctx) {
        ctx.world.values.set('requests before the resume', ctx.world.requests.length)
        goalOf(ctx).resume()
      },
    }),
  ],
  [
    new RegExp(`^completes? ${THE}goal(?: from a tool of .+)?$`),
    () => ({ key: 'complete goal', act: (ctx) => goalOf(ctx).complete() }),
  ],
  [
    new RegExp(`^pauses? ${THE}goal$`),
    () => ({ key: 'pause goal', act: (ctx) => goalOf(ctx).pause() }),
  ],
  [new RegExp(`^(?:edits?|changes?|revises?) ${THE}goal(?: \\(.+\\))?$`), () => editing],
  [
    /^unloads? (?:the )?(?:goal )?(?:service|plugin)$/,
    () => ({
      mode: 'awaits',
      key: 'unload goals',
      act: (ctx) => goalOf(ctx).unload(),
    }),
  ],
  [
    /^(?:some plugin |a plugin |plugin )?sends? a (?:forged )?message with goal source(?:,? round (\d+))?$/,
    ([, round = '7']) => forging(Number(round)),
  ],
  [
    /^resume (?:the )?session$/,
    () => ({
      mode: 'awaits',
      key: 'resume s1',
      act: (ctx) => houseOf(ctx).resume('s1', false),
    }),
  ],
  [
    /^wait$/,
    () => ({ mode: 'awaits', key: 'await whenIdle', act: ({ agent }) => agent.whenIdle() }),
  ],
]
