/**
 * A rude model: it hangs, ignores its signal, throws, sends rubbish, forgets its finish, and sometimes answers.
 *
 * @module
 */
import type { Model, ModelContext, ModelRequest } from '../src/actors/model.port.ts'
import type { Chunk, FinishReason } from '../src/events/chunk.ts'
import { macrotask } from '../src/testing/virtual-clock.ts'
import type { Dice } from './fuzz-chance.ts'
import { command } from './fuzz-commands.ts'
import { entered } from './fuzz-foreign.ts'
import { rudeWait } from './fuzz-wait.ts'
import type { World } from './fuzz-world.ts'

const TOOLS = ['side', 'side', 'side', 'alone', 'alone', 'picky', 'classed', 'quick', 'ghost']

/** The model of one world. */
export function fuzzModel(world: World): Model {
  return {
    provider: 'fuzz',
    modelId: 'm0',
    contextWindow: 1000,
    defaults: { temperature: 1 },
    stream(request, context) {
      entered(world, 'model', context)
      see(world, request, context)
      command(world, 'model')
      const name = world.chance.name('model')
      const dice = world.chance.dice(name)
      if (world.off.has(name)) return calmStream()
      const { faults } = world.theme
      const way = dice.weighted({
        stream: 20,
        throw: 2 * faults,
        nothing: 0.5 * faults,
        stubborn: 1,
      })
      world.count(`model ${way}`)
      if (way === 'throw') throw Object.assign(new Error('no'), { code: dice.pick(CODES) })
      if (way === 'nothing') return undefined as never
      const stream = play(world, dice, context)
      return way === 'stubborn' ? stubborn(stream) : stream
    },
  }
}

const CODES = ['SERVER', 'RATE_LIMIT', 'AUTH', 'WEIRD', 'CONTEXT_OVERFLOW'] as const

function see(world: World, request: ModelRequest, context: ModelContext): void {
  const { messages, ...header } = request
  world.requests.push({
    position: world.log.length,
    text: JSON.stringify(messages),
    late: () => JSON.stringify(request.messages),
    context,
    header: JSON.stringify(header),
  })
}

async function* calmStream(): AsyncGenerator<Chunk> {
  yield { kind: 'text-delta', block: 0, text: 'calm' }
  yield { kind: 'finish', reason: 'stop' }
}

/** An iterator whose `return` never answers. */
function stubborn(stream: AsyncGenerator<Chunk>): AsyncIterable<Chunk> {
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => stream.next(),
      return: () => new Promise(() => {}),
    }),
  }
}

async function* play(world: World, dice: Dice, { signal }: ModelContext): AsyncGenerator<Chunk> {
  const calls = world.calm ? 0 : dice.pick(world.theme.calls)
  if (dice.chance(0.2)) yield { kind: 'usage', usage: { inputTokens: dice.below(20) } }
  yield* spoken(world, dice, signal)
  for (let call = 0; call < calls; call += 1) yield* callChunks(world, dice, 10 + call)
  if (
    !world.calm &&
    dice.chance(0.25 * world.theme.faults) &&
    (yield* trouble(world, dice, signal))
  )
    return
  if (dice.chance(0.5)) yield { kind: 'usage', usage: { outputTokens: dice.below(30) } }
  await rudeWait(world, dice, signal)
  yield { kind: 'finish', reason: finish(world, dice) }
  command(world, 'after finish')
  yield { kind: 'text-delta', block: 99, text: 'late' }
}

async function* spoken(world: World, dice: Dice, signal: AbortSignal): AsyncGenerator<Chunk> {
  for (let block = 0; block < dice.below(3); block += 1) {
    await rudeWait(world, dice, signal)
    command(world, 'stream')
    const kind = dice.pick(['text-delta', 'text-delta', 'reasoning-delta'] as const)
    yield { kind, block, text: dice.pick(['a', 'bc', ' ', '']) }
  }
}

const finish = (world: World, dice: Dice): FinishReason =>
  world.calm
    ? 'stop'
    : dice.weighted({
        stop: 12,
        'tool-calls': 4,
        'max-tokens': 3 * world.theme.faults,
        error: 2.5 * world.theme.faults,
        aborted: world.theme.faults,
        'content-filter': 0.5,
        other: 0.5,
      })

function* callChunks(world: World, dice: Dice, block: number): Generator<Chunk> {
  const id = dice.chance(0.2) ? 'same' : world.newId('call')
  yield { kind: 'block-start', block, type: 'tool-call', id, name: dice.pick(TOOLS) }
  const text = dice.chance(0.25 * world.theme.faults)
    ? dice.pick(['{"a":', '[]', '"text"'])
    : dice.pick(['', '{}', '{"a":1}', '{"bad":true}'])
  if (text !== '') yield { kind: 'tool-call-delta', block, text }
  if (dice.chance(0.9)) yield { kind: 'block-end', block }
}

/** @returns whether the stream ends here. */
async function* trouble(
  world: World,
  dice: Dice,
  signal: AbortSignal,
): AsyncGenerator<Chunk, boolean> {
  const way = dice.weighted({ throw: 3, fail: 3, end: 2, garbage: 2, hang: 2, deaf: 1 })
  world.count(`stream ${way}`)
  if (way === 'throw') throw Object.assign(new Error('broke'), { code: dice.pick(CODES) })
  if (way === 'fail') {
    const failure = { code: dice.pick(CODES), message: 'failed', retryAfterMs: dice.below(20) }
    yield { kind: 'finish', reason: 'error', failure }
  }
  if (way === 'garbage') yield dice.pick([null, 7, { kind: 'what' }, {}]) as never
  if (way === 'hang') await Promise.race([world.untilCalm(), untilAborted(signal)])
  if (way === 'deaf') {
    await world.untilCalm()
    await macrotask()
  }
  return way === 'end' || dice.chance(0.3)
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
