/**
 * Models whose streams a test feeds by hand, chunk by chunk.
 *
 * @module
 */
import type { Model, ModelContext } from '../../src/actors/model.port.ts'
import { settle } from '../../src/testing/virtual-clock.ts'

export const start = { kind: 'block-start', block: 0, type: 'text' } as const
/** A piece of the text block. */
export const text = (said: string) => ({ kind: 'text-delta', block: 0, text: said }) as const
export const stop = { kind: 'finish', reason: 'stop' } as const

/** A model that streams what the test pushes, whatever its signal says. */
export function pushed() {
  const waiting: ((result: IteratorResult<unknown>) => void)[] = []
  const queue: IteratorResult<unknown>[] = []
  const contexts: ModelContext[] = []
  let closed = 0
  const give = (result: IteratorResult<unknown>): void => {
    const next = waiting.shift()
    if (next === undefined) queue.push(result)
    else next(result)
  }
  const iterator: AsyncIterator<unknown> = {
    next: () =>
      new Promise((resolve) => {
        const ready = queue.shift()
        if (ready === undefined) waiting.push(resolve)
        else resolve(ready)
      }),
    return: () => {
      closed += 1
      return Promise.resolve({ done: true, value: undefined })
    },
  }
  const model: Model = {
    provider: 'p',
    modelId: 'm',
    stream: (_, context) => {
      contexts.push(context)
      return { [Symbol.asyncIterator]: () => iterator } as ReturnType<Model['stream']>
    },
  }
  return {
    model,
    contexts,
    push: async (...chunks: readonly unknown[]) => {
      for (const value of chunks) give({ done: false, value })
      await settle()
    },
    end: async () => {
      give({ done: true, value: undefined })
      await settle()
    },
    closed: () => closed,
  }
}

/** A model of one stream. */
export const modelOf = (stream: Model['stream']): Model => ({ provider: 'p', modelId: 'm', stream })
