/**
 * The model of a stage: each request waits until a move says what is streamed.
 *
 * @module
 */
import type { Clock } from '../../actors/clock.ts'
import type { Model, ModelContext, ModelRequest } from '../../actors/model.port.ts'
import type { Chunk } from '../../events/chunk.ts'
import { script, type ScriptItem } from '../script.ts'
import { scriptedModel } from '../scripted-model.ts'
import type { Holds } from './holds.ts'

/** What is streamed, and behind it: the end, more when a move says so, or nothing, whatever the signal says. */
export interface Said {
  readonly items: readonly ScriptItem[]
  readonly rest: 'end' | 'more' | 'nothing'
}

const OPEN: ScriptItem = { do: 'end' }
/** What comes when nobody waits for it any more. */
const LATE = [script.text('late')]

/** Makes it. It waits as `model`, in mid-answer as `speech`, and once it says nothing as `deaf stream`. */
export function stageModel(holds: Holds, clock: Clock): Model {
  const play = (
    items: readonly ScriptItem[],
    request: ModelRequest,
    context: ModelContext,
  ): AsyncIterable<Chunk> => scriptedModel([items], { clock }).stream(request, context)
  return {
    provider: 'stage',
    modelId: 'stage',
    async *stream(request, context) {
      let said = (await holds.wait('model', context.signal)) as Said
      while (said.rest === 'more') {
        yield* play([...said.items, OPEN], request, context)
        said = (await holds.wait('speech', context.signal)) as Said
      }
      if (said.rest === 'end') {
        yield* play(said.items, request, context)
        return
      }
      yield* play([...said.items, OPEN], request, context)
      await holds.wait('deaf stream')
      yield* play(LATE, request, context)
    },
  }
}
