/**
 * Sentences about goals that can be checked.
 *
 * @module
 */
import type { AgentGoal } from '../../../sessions/goals/goal-port.ts'
import { count } from '../phrase.ts'
import type { AgentRun, World } from '../world.ts'

/** What the sentences are about. */
interface Ctx {
  readonly world: World
  readonly run: AgentRun
  readonly goal: AgentGoal
}

type Rule = readonly [RegExp, (hit: RegExpExecArray, ctx: Ctx) => boolean]

interface Sent {
  readonly seq: number
  readonly round: unknown
  readonly revision: unknown
}

/** The rounds that were sent. */
const sent = ({ run }: Ctx): Sent[] =>
  run.events.flatMap(({ seq, type, data }) => {
    if (type !== 'inbox/inserted' || data.mark !== undefined) return []
    const { message, actor } = data
    if (message.source.kind !== 'goal' || actor !== 'goal') return []
    return [{ seq, round: message.source['round'], revision: message.source['revision'] }]
  })

const ends = ({ run }: Ctx): string[] =>
  run.events.flatMap(({ type, data }) => (type === 'turn/end' ? [data.reason.kind] : []))

/** Did a turn end blocked without a step? */
const isTurnedAway = ({ run }: Ctx): boolean => {
  let stepped = false
  return run.events.some(({ type, data }) => {
    if (type === 'turn/start') stepped = false
    if (type === 'step/start') stepped = true
    return type === 'turn/end' && data.reason.kind === 'blocked' && !stepped
  })
}

const checkpoints = ({ world, run }: Ctx): number[] =>
  (world.values.get(`checkpoints of ${run.name}`) ?? []) as number[]

const isDisarmed = ({ goal }: Ctx): boolean => !goal.armed

/** The human prompt was said, and a round after it. */
const humanFirst = (ctx: Ctx): boolean => {
  const said = ctx.run.events.flatMap(({ type, data }) =>
    type === 'user/message' ? [data.message.source.kind] : [],
  )
  return said[0] === 'user' && said.slice(1).includes('goal')
}

const RULES: readonly Rule[] = [
  [
    /^(\w+) followups with source \{goal, revision, round 1\.\.\d+\}$/,
    ([, n = ''], ctx) => {
      const wanted = Array.from({ length: count(n) }, (_, i) => i + 1)
      return (
        sent(ctx)
          .map(({ round }) => round)
          .join() === wanted.join()
      )
    },
  ],
  [
    /^each preceded by a successful durability checkpoint$/,
    (_hit, ctx) => sent(ctx).every(({ seq }) => checkpoints(ctx).includes(seq)),
  ],
  [
    /^(?:final|goal )?\s?(?:durable )?phase (?:stays )?(active|paused|blocked|complete)(?: with (?:code )?([\w-]+))?(?:; (?:activation )?disarmed)?(?:; (?:no further round until resume|explicit resume required))?$/,
    ([text, phase, code], ctx) =>
      ctx.goal.state?.phase === phase &&
      (code === undefined || ctx.goal.state?.code === code) &&
      (!/disarmed|no further/.test(text) || isDisarmed(ctx)),
  ],
  [/^goal disarmed$/, (_hit, ctx) => isDisarmed(ctx)],
  [
    /^no round (\d+)\b.*$/,
    ([, n], ctx) => sent(ctx).every(({ round }) => Number(round) < Number(n)),
  ],
  [/^blocked no-step turn$/, (_hit, ctx) => isTurnedAway(ctx)],
  [
    /^round of the old revision is rejected: blocked no-step turn$/,
    (_hit, ctx) => isTurnedAway(ctx),
  ],
  [
    /^a round of the new revision follows$/,
    (_hit, ctx) => new Set(sent(ctx).map(({ revision }) => revision)).size > 1,
  ],
  [
    /^stale round rejected, H runs, then a fresh round$/,
    (_hit, ctx) => isTurnedAway(ctx) && humanFirst(ctx),
  ],
  [/^(?:H|human work) (?:goes|wins)(?: first)?\b.*$/, (_hit, ctx) => humanFirst(ctx)],
  [/^round count (\d+)$/, ([, n], { goal }) => goal.state?.started === Number(n)],
  [
    /^nothing is pending and no turn opened$/,
    (_hit, ctx) => ends(ctx).length === 0 && ctx.run.agent.inbox.nextTurn.length === 0,
  ],
  [
    /^turn error disarms\b.*$/,
    (_hit, ctx) => ends(ctx).at(-1) === 'error' && isDisarmed(ctx) && sent(ctx).length === 1,
  ],
  [
    /^no round before the explicit resume$/,
    (_hit, { world }) => world.values.get('requests before the resume') === 0,
  ],
  [
    /^H runs as the next turn\b.*$/,
    (_hit, ctx) => ends(ctx)[0] === 'error' && ctx.run.agent.parked === null,
  ],
]

const NEVER: readonly Rule[] = [
  [/^round (\d+)$/, ([, n], ctx) => sent(ctx).every(({ round }) => Number(round) < Number(n))],
  [/^automatic retry$/, (_hit, ctx) => sent(ctx).length <= 1],
]

/** Whether a sentence about a goal holds; undefined if no rule reads it, or there is no goal. */
export function judgeGoal(
  kind: 'also' | 'never',
  sentence: string,
  world: World,
  run: AgentRun,
): boolean | undefined {
  const goal = world.values.get(`goal of ${run.name}`) as AgentGoal | undefined
  if (goal === undefined) return undefined
  for (const [pattern, holds] of kind === 'also' ? RULES : NEVER) {
    const hit = pattern.exec(sentence)
    if (hit !== null) return holds(hit, { world, run, goal })
  }
  return undefined
}
