/**
 * What an explored model may say, read once, and the model that says it.
 *
 * @module
 */
import type { Clock } from '../../actors/clock.ts'
import type { Model, ModelContext, ModelRequest } from '../../actors/model.port.ts'
import type { Chunk } from '../../events/chunk.ts'
import { parseScript } from '../parse-script.ts'
import type { ScriptItem } from '../script.ts'
import { playItems } from '../scripted-model.ts'
import type { Hands, ModelWord } from './options.ts'

/** Words by name. */
export interface Words {
  readonly items: { readonly [name: string]: readonly ScriptItem[] }
  readonly times: { readonly [name: string]: number }
}

/** A word that calls a tool leads to another request: without a bound there would be no end to it. */
const usualTimes = (items: readonly ScriptItem[]): number =>
  items.some((item) => item.do === 'call') ? 1 : Infinity

/** @throws ScriptPhraseError for a phrase that says nothing. */
export function readWords(words: readonly ModelWord[]): Words {
  const items: Record<string, readonly ScriptItem[]> = {}
  const times: Record<string, number> = {}
  for (const [i, word] of words.entries()) {
    const given = typeof word === 'string' ? { say: word } : word
    const { say } = given
    const name = given.name ?? (typeof say === 'string' ? say : `word ${i + 1}`)
    const read = typeof say === 'string' ? parseScript(say).items : say
    items[name] = read
    times[name] = given.times ?? usualTimes(read)
  }
  return { items, times }
}

const GOES_ON = Object.freeze({ 'goes on': undefined })
const NEVER = Object.freeze({})
const SILENCE = 'silence'
const DEAF = 'deaf silence'

/** A silence is a door that nobody opens: so it is seen that somebody waits there. */
function door(item: ScriptItem): ScriptItem {
  if (item.do !== 'stall' || item.slowMs !== undefined) return item
  return { do: 'gate', gate: item.deaf === true ? DEAF : SILENCE }
}

/** Where a stream waits for the explorer, or for ever. */
async function wait({ decide }: Hands, gate: string, signal: AbortSignal): Promise<void> {
  try {
    if (gate === SILENCE || gate === DEAF)
      await decide(SILENCE, NEVER, { signal, deaf: gate === DEAF })
    else await decide('stream', GOES_ON, { signal })
  } catch {
    // A polite stream ends when it is told to.
  }
}

/** A model that says at every request whatever the explorer chooses among `words`. */
export function wordModel({ items, times }: Words, hands: Hands, clock: Clock): Model {
  return {
    provider: 'explored',
    modelId: 'words',
    async *stream(request: ModelRequest, context: ModelContext): AsyncGenerator<Chunk> {
      const { signal } = context
      const chosen = await hands.decide('model', items, { signal, times })
      const made = { request, context, history: [], gated: false, stalled: false }
      const doors = { wait: (gate: string): Promise<void> => wait(hands, gate, signal) }
      yield* playItems(chosen.map(door), made, doors, clock)
    },
  }
}
