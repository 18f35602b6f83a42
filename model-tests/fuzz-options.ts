/**
 * Random options of an agent.
 *
 * @module
 */
import type { AgentOptions, SystemPrompt } from '../src/actors/agent-options.ts'
import type { Dice } from './fuzz-chance.ts'
import { command } from './fuzz-commands.ts'
import { entered } from './fuzz-foreign.ts'
import type { GateAt } from '../src/actors/gates.port.ts'
import { fuzzGates } from './fuzz-gates.ts'
import type { DurableMode, RefusalPlan } from './fuzz-log.ts'
import { fuzzModel } from './fuzz-model.ts'
import { fuzzDispatch, fuzzTools } from './fuzz-tools.ts'
import { rudeWait } from './fuzz-wait.ts'
import type { World } from './fuzz-world.ts'

/** Everything but log, clock and inspection. */
export function fuzzOptions(world: World, dice: Dice): AgentOptions {
  let ids = 0
  const maybe = <T>(name: string, p: number, make: () => T): T | undefined =>
    dice.chance(p) && !world.off.has(`option ${name}`) ? make() : undefined
  return defined({
    model: maybe('model', 0.97, () => fuzzModel(world)),
    tools: maybe('tools', 0.9, () => fuzzTools(world, dice)),
    gates: maybe('gates', 0.85, () => fuzzGates(world, dice)),
    system: maybe('system', 0.4, () => system(world, dice)),
    context: maybe('context', 0.3, () => contexts(world)),
    dispatch: maybe('dispatch', 0.2, () => fuzzDispatch(world)),
    claim: maybe('claim', 0.3, () => 'all' as const),
    continueAfter: maybe('continueAfter', 0.3, () => ({
      blocked: dice.chance(0.5),
      error: dice.chance(0.5),
    })),
    maxSteps: maybe('maxSteps', 0.3, () => 1 + dice.below(3)),
    maxStops: maybe('maxStops', 0.4, () => dice.below(3)),
    maxTurnTokens: maybe('maxTurnTokens', 0.15, () => 1 + dice.below(40)),
    maxTurnMs: maybe('maxTurnMs', 0.15, () => 1 + dice.below(80)),
    maxAttempts: maybe('maxAttempts', 0.5, () => 1 + dice.below(3)),
    maxBarrenTurns: maybe('maxBarrenTurns', 0.5, () => 1 + dice.below(4)),
    retry: maybe('retry', 0.4, () => ({
      retries: dice.below(4),
      baseMs: dice.pick([0, 5, 50]),
      jitter: 0,
      mode: dice.pick(['normal', 'always'] as const),
    })),
    streamIdleMs: maybe('streamIdleMs', 0.5, () => dice.pick([0, 10, 30])),
    drainGraceMs: maybe('drainGraceMs', 0.7, () => dice.pick([0, 3, 10, 10, Infinity])),
    rejectEmpty: maybe('rejectEmpty', 0.3, () => true),
    toolTimeoutMs: maybe('toolTimeoutMs', 0.3, () => 1 + dice.below(20)),
    maxParallelToolCalls: maybe('maxParallelToolCalls', 0.4, () => parallelism(world, dice)),
    repeatGuard: maybe('repeatGuard', 0.25, () => ({
      maxPeriod: 1 + dice.below(2),
      repeats: 2,
      action: dice.pick(['end', 'ask'] as const),
    })),
    durability: maybe('durability', 0.2, () => dice.pick(['turn', 'none'] as const)),
    concurrentRuns: maybe('concurrentRuns', 0.2, () => 'reject' as const),
    ids: () => {
      ids += 1
      return `g${ids}`
    },
  })
}

const defined = (fields: { readonly [K in keyof AgentOptions]: AgentOptions[K] | undefined }) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as AgentOptions

const parallelism = (world: World, dice: Dice): number | (() => number) =>
  dice.chance(0.5)
    ? 1 + dice.below(3)
    : () => {
        command(world, 'parallelism')
        return world.chance.at('parallelism').below(3)
      }

function system(world: World, dice: Dice): SystemPrompt {
  if (dice.chance(0.3)) return 'be kind'
  const text = prompt(world)
  return dice.chance(0.5)
    ? text
    : [
        { name: 'first', text },
        { name: 'fixed', text: 'be kind' },
        { name: 'last', text: prompt(world) },
      ]
}

const prompt =
  (world: World) =>
  async (at: GateAt): Promise<string> => {
    const own = world.chance.at('system')
    entered(world, 'system', at)
    command(world, 'system')
    await rudeWait(world, own, at.signal)
    command(world, 'system later')
    if (!world.calm && own.chance(0.05)) throw new Error('no prompt')
    return own.pick(['one', 'two', ''])
  }

const contexts = (world: World): NonNullable<AgentOptions['context']> =>
  ['weather', 'time'].map((name) => ({
    name,
    async text(at: GateAt) {
      const own = world.chance.at('context')
      entered(world, 'context', at)
      command(world, 'context')
      await rudeWait(world, own, at.signal)
      if (!world.calm && own.chance(0.05)) throw new Error('no weather')
      return own.pick(['sun', 'rain', '', undefined])
    },
  }))

/** How the log behaves. */
export function fuzzLogPlan(world: World, dice: Dice): { mode: DurableMode; plan: RefusalPlan } {
  const mode = dice.weighted({ memory: 4, slow: 3, flaky: 2, hanging: 1 })
  const way = dice.weighted({ never: 6, some: 1.5, often: 0.7, targeted: 2 })
  const plan: RefusalPlan =
    way === 'never' || world.off.has('refusals')
      ? { rate: 0, types: [] }
      : way === 'targeted'
        ? { rate: 0.5, types: [dice.pick(TYPES), dice.pick(TYPES)] }
        : { rate: way === 'some' ? 0.02 : 0.15, types: [] }
  return { mode: world.off.has('durability') ? 'memory' : mode, plan }
}

const TYPES = [
  'inbox/inserted',
  'inbox/claimed',
  'inbox/discarded',
  'turn/start',
  'turn/end',
  'step/start',
  'step/end',
  'user/message',
  'context/message',
  'request/header',
  'assistant/chunk',
  'assistant/message',
  'request/failed',
  'tool/call',
  'tool/settled',
  'tool/result',
  'gate/decided',
  'cancel/requested',
  'approval/asked',
  'approval/decided',
] as const
