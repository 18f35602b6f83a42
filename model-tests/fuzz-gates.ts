/**
 * Gates of all eight kinds that answer at once, later, never until the abort, throw, or decide badly.
 *
 * @module
 */
import type { Gates, GateAt } from '../src/actors/gates.port.ts'
import type { AssistantMessage, Message, MessageInput } from '../src/events/message.ts'
import type { Dice } from './fuzz-chance.ts'
import { command } from './fuzz-commands.ts'
import { entered } from './fuzz-foreign.ts'
import { rudeWait } from './fuzz-wait.ts'
import type { World } from './fuzz-world.ts'

type GateName = keyof Gates

/** The gates of one world; each kind has none, one or two. */
export function fuzzGates(world: World, dice: Dice): Gates {
  const gates: { [name in GateName]?: unknown } = {}
  for (const name of Object.keys(ANSWERS) as GateName[]) {
    const count = dice.pick([0, 0, 1, 1, 2])
    if (count === 0 || world.off.has(`gate ${name}`)) continue
    gates[name] = Array.from({ length: count }, () => gate(world, name))
  }
  return gates as Gates
}

type Question = GateAt & { readonly [extra: string]: unknown }

function gate(world: World, name: GateName) {
  const asked = async (question: Question, next: () => Promise<unknown>): Promise<unknown> => {
    const decision = world.chance.name(`gate ${name}`)
    const dice = world.chance.dice(decision)
    const rude = !world.off.has(decision) && !world.calm
    entered(world, name, question, name === 'toolPost')
    command(world, `gate ${name}`)
    if (rude) await rudeWait(world, dice, question.signal)
    command(world, `gate ${name} later`)
    if (rude && dice.chance(0.08 * world.theme.faults)) throw new Error(`gate ${name} broke`)
    const behind = dice.chance(0.6) ? await next() : undefined
    return rude ? ANSWERS[name](world, dice, question, behind) : (behind ?? next())
  }
  return asked
}

type Answer = (world: World, dice: Dice, question: Question, behind: unknown) => unknown

const ANSWERS: { readonly [name in GateName]: Answer } = {
  preStep(world, dice, question, behind) {
    const batch = question['batch'] as readonly Message[]
    const { faults } = world.theme
    const way = dice.weighted({
      behind: 8,
      enter: 6,
      reject: 2 * faults,
      restore: 1.5 * faults,
      empty: faults,
      rewrite: 1,
      add: 1,
      drop: faults,
      duplicate: 0.4 * faults,
      alien: 0.2 * faults,
    })
    world.count(`preStep ${way}`)
    const answer = PRE_STEP[way]
    return answer === undefined
      ? (behind ?? { kind: 'enter', messages: batch })
      : answer(world, dice, batch)
  },
  request({ theme: { faults } }, dice, question) {
    const config = question['config'] as object
    const way = dice.weighted({
      same: 10,
      tokens: 2,
      model: 1,
      bad: 0.3 * faults,
      none: 0.3 * faults,
    })
    if (way === 'tokens') return { ...config, maxTokens: 1 + dice.below(3) }
    if (way === 'model') return { ...config, model: dice.pick(['m1', 'm2']) }
    if (way === 'bad') return { ...config, maxTokens: -1 }
    return way === 'none' ? {} : config
  },
  requestError({ theme: { faults } }, dice, _, behind) {
    const way = dice.weighted({ behind: 4, retry: 4, late: 2, bad: 0.3 * faults })
    if (way === 'retry') return { action: 'retry' }
    if (way === 'late') return { action: 'retry', delayMs: dice.below(60) }
    return way === 'bad' ? { action: 'retry', delayMs: 'soon' } : behind
  },
  stepResult({ theme: { faults } }, dice, question) {
    const message = question['message'] as AssistantMessage
    const way = dice.weighted({ same: 8, fewer: 2, rewrite: 1, bad: 0.3 * faults })
    if (way === 'fewer') return { ...message, content: message.content.slice(1) }
    if (way === 'rewrite')
      return { ...message, content: [...message.content, { type: 'text', text: 'more' }] }
    return way === 'bad' ? { role: 'user' } : message
  },
  toolPre({ theme: { faults, asks } }, dice, _, behind): unknown {
    const ask = 15 * asks
    const way = dice.weighted({ behind: 4, allow: 8, deny: 2 * faults, ask, bad: 0.3 * faults })
    if (way === 'deny') return { kind: 'deny', reason: 'not today' }
    if (way === 'ask') return { kind: 'ask', prompt: 'may it?' }
    if (way === 'bad') return { kind: 'perhaps' }
    return way === 'behind' && behind !== undefined ? behind : { kind: 'allow' }
  },
  toolPost(world, dice) {
    const contexts = dice.chance(0.3) ? [context(world, dice)] : []
    const { faults } = world.theme
    const way = dice.weighted({ accept: 6, content: 2, block: 2, bad: 0.3 * faults })
    if (way === 'content') return { kind: 'accept', content: 'rewritten', contexts }
    if (way === 'block') return { kind: 'block', feedback: 'no good', contexts }
    return way === 'bad' ? { kind: 'block' } : { kind: 'accept', contexts }
  },
  continuation(world, dice) {
    const { faults } = world.theme
    const answer = dice.weighted({ default: 6, continue: 1.5, stop: 1.5, bad: 0.2 * faults })
    world.count(`continuation ${answer}`)
    return answer
  },
  turnStopping(world, dice) {
    const way = dice.weighted({ none: 4, inject: 2, steer: 2 })
    if (way === 'none' || world.calm) return undefined
    try {
      const id = world.newId()
      if (way === 'steer') world.agent.steer({ id, content: 'object' })
      else world.agent.inject({ id, content: 'object' })
    } catch {
      // Disposed, or refused.
    }
    return undefined
  },
}

const context = (world: World, dice: Dice): MessageInput => {
  const id = world.anyId(dice)
  return { id, content: `context ${id}` }
}

const PRE_STEP: {
  readonly [way: string]: (world: World, dice: Dice, batch: readonly Message[]) => unknown
} = {
  enter: (_, __, batch) => ({ kind: 'enter', messages: [...batch] }),
  reject: () => ({ kind: 'reject', reason: 'no' }),
  restore: (_, dice, batch) => ({
    kind: 'reject',
    reason: 'later',
    restore: batch.filter(() => dice.chance(0.7)).map((message) => message.id),
  }),
  empty: () => ({ kind: 'enter', messages: [] }),
  rewrite: (_, __, batch) => ({
    kind: 'enter',
    messages: batch.map(({ id }) => ({ id, content: 'rewritten' })),
  }),
  add: (world, dice, batch) => ({ kind: 'enter', messages: [...batch, context(world, dice)] }),
  drop: (_, __, batch) => ({ kind: 'enter', messages: batch.slice(1) }),
  duplicate: (_, __, batch) => ({ kind: 'enter', messages: [...batch, ...batch] }),
  alien: () => ({ kind: 'later' }),
}
