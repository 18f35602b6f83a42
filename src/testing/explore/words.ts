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

/** The door of a stream: the explorer lets it go on. */
const GOES_ON = Object.freeze({ 'goes on': undefined })

/** A model that says at every request whatever the explorer chooses among `words`. */
export function wordModel({ items, times }: Words, hands: Hands, clock: Clock): Model {
  return {
    provider: 'explored',
    modelId: 'words',
    async *stream(request: ModelRequest, context: ModelContext): AsyncGenerator<Chunk> {
      const { signal } = context
      const chosen = await hands.decide('model', items, {
        signal,
        times,
      })
      const made = { request, context, history: [], gated: false, stalled: false }
      const doors = {
        wait: (_: string, until?: AbortSignal): Promise<void> =>
          hands.decide('stream', GOES_ON, until === undefined ? {} : { signal: until }),
      }
      yield* playItems(chosen, made, doors, clock)
    },
  }
}
