/**
 * Rude tools: deaf, throwing, slow, with contexts and early endings, and a dispatcher that breaks.
 *
 * @module
 */
import type { AnyTool, ToolContext, ToolSet } from '../src/actors/tool.port.ts'
import type { ToolDispatch } from '../src/actors/tool-dispatch.port.ts'
import type { Dice } from './fuzz-chance.ts'
import { command } from './fuzz-commands.ts'
import { entered } from './fuzz-foreign.ts'
import { rudeWait } from './fuzz-wait.ts'
import type { World } from './fuzz-world.ts'

/** The tools of one world: a list, or a registry that loses and gains tools. */
export function fuzzTools(world: World, dice: Dice): ToolSet {
  const run = (_: unknown, context: ToolContext): unknown => body(world, context)
  const tool = (name: string, more: Partial<AnyTool> = {}): AnyTool => ({
    name,
    parameters: {},
    run: run as never,
    ...more,
  })
  const tools: AnyTool[] = [
    tool('side', { parallel: true }),
    tool('alone', { repeatable: true }),
    tool('picky', { input: picky(world), parallel: true }),
    tool('classed', { parallel: () => world.chance.at('class').pick([true, false, 1]) }),
    tool('quick', { timeoutMs: 5, parallel: true }),
  ]
  if (!dice.chance(0.2)) return tools
  return { list: () => (world.chance.at('registry').chance(0.1) ? tools.slice(1) : tools) }
}

/** A schema that refuses some arguments, at once or later, and sometimes breaks. */
const picky = (world: World): NonNullable<AnyTool['input']> => ({
  '~standard': {
    version: 1,
    vendor: 'fuzz',
    validate(value) {
      const dice = world.chance.at('schema')
      if (dice.chance(0.05)) throw new Error('schema broke')
      const bad = typeof value !== 'object' || value === null || 'bad' in value
      const judged = bad ? { issues: [{ message: 'bad' }] } : { value }
      return dice.chance(0.5) ? judged : Promise.resolve(judged)
    },
  },
})

async function body(world: World, context: ToolContext): Promise<unknown> {
  const { key } = context.call
  started(world, context)
  const name = world.chance.name('body')
  const dice = world.chance.dice(name)
  if (world.off.has(name)) return 'calm'
  world.running += 1
  try {
    command(world, 'body')
    if (dice.chance(0.2)) context.concludeTurn()
    if (dice.chance(0.2)) addContext(world, dice, context)
    await rudeWait(world, dice, context.signal)
    command(world, 'body later')
    if (dice.chance(0.05) && !world.calm) await selfWait(world)
    return result(dice, context.signal, key)
  } finally {
    world.running -= 1
    if (context.signal.aborted) world.late.add(key)
  }
}

function started(world: World, context: ToolContext): void {
  const { key } = context.call
  entered(world, 'body', context)
  const runs = (world.bodies.get(key) ?? 0) + 1
  world.bodies.set(key, runs)
  if (runs > 1) world.problem('a body ran twice')
  const call = world.log
    .read()
    .find((event) => event.type === 'tool/call' && event.data.call.key === key)
  if (call === undefined) world.problem('a body ran without its tool/call')
  else if (world.strict && world.log.mode !== 'memory' && world.log.acked <= call.seq)
    world.problem('a body ran before its call was durable')
}

/** A tool that waits for its own agent must be told so, not hang. */
async function selfWait(world: World): Promise<void> {
  try {
    await world.agent.whenIdle()
    if (world.agent.status !== 'disposed') world.problem('a tool could wait for its own agent')
  } catch {
    world.count('SELF_WAIT')
  }
}

function addContext(world: World, dice: Dice, context: ToolContext): void {
  const id = world.anyId(dice)
  context.addContext({ id, content: `from ${context.call.key}` })
}

const RESULTS = { text: 6, json: 2, nothing: 2, throw: 2, code: 1, abort: 1, cycle: 0.5 } as const

function result(dice: Dice, signal: AbortSignal, key: string): unknown {
  const way = dice.weighted(RESULTS)
  if (way === 'throw') throw new Error('tool broke')
  if (way === 'code') throw Object.assign(new Error('tool broke'), { code: 'RATE_LIMIT' })
  if (way === 'abort') signal.throwIfAborted()
  if (way === 'json') return { key }
  if (way === 'cycle') return cycle()
  return way === 'text' ? `done ${key}` : undefined
}

function cycle(): object {
  const self: { self?: unknown } = {}
  self.self = self
  return self
}

/** Runs bodies elsewhere, and breaks now and then. */
export function fuzzDispatch(world: World): ToolDispatch {
  return async (_, run) => {
    const name = world.chance.name('dispatch')
    const dice = world.chance.dice(name)
    const way = world.off.has(name)
      ? 'run'
      : dice.weighted({ run: 6, before: 1, after: 1, never: 0.5, twice: 1, loose: 1 })
    world.count(`dispatch ${way}`)
    if (way === 'before') throw new Error('dispatch broke')
    if (way === 'never') return
    if (way === 'loose') {
      void run()
      return
    }
    await run()
    if (way === 'twice') await run()
    if (way === 'after') throw new Error('dispatch broke behind')
  }
}
