/**
 * Puts the hiding of secrets between an agent and what it is given: models and tools.
 *
 * Their answers become events, so a secret must be gone before they reach the agent.
 *
 * @module
 */
import { ModelError } from '../actors/model.port.ts'
import type { Model } from '../actors/model.port.ts'
import type { AnyTool, Tool, ToolReturn } from '../actors/tool.port.ts'
import { causeChain } from '../errors.ts'
import type { Chunk } from '../events/chunk.ts'
import { HiddenStream } from './secrets.ts'
import type { Secrets } from './secrets.ts'

/** A model whose chunks and failures hold no secret. */
export const modelWithout = (secrets: Secrets, model: Model): Model =>
  secrets.none
    ? model
    : {
        ...model,
        async *stream(request, context) {
          const texts = new Map<number, HiddenStream>()
          try {
            for await (const chunk of model.stream(request, context)) {
              yield* hiddenChunks(secrets, texts, chunk)
            }
          } catch (error) {
            throw hiddenFailure(secrets, error)
          }
        },
      }

type Delta = Chunk & { readonly kind: 'text-delta' | 'reasoning-delta' | 'tool-call-delta' }

const isDelta = (chunk: Chunk): chunk is Delta => chunk.kind.endsWith('-delta')

/** The kind of the last delta of each block is needed to give back what was held. */
function* hiddenChunks(
  secrets: Secrets,
  texts: Map<number, HiddenStream & { last?: Delta }>,
  chunk: Chunk,
): Generator<Chunk, void> {
  if (isDelta(chunk)) {
    const stream = texts.get(chunk.block) ?? new HiddenStream(secrets)
    texts.set(chunk.block, Object.assign(stream, { last: chunk }))
    const text = stream.push(chunk.text)
    if (text !== '') yield { ...chunk, text }
    return
  }
  const ended =
    chunk.kind === 'block-end' ? [chunk.block] : chunk.kind === 'finish' ? [...texts.keys()] : []
  for (const block of ended) yield* heldBack(texts, block)
  yield secrets.hideIn(chunk)
}

function* heldBack(
  texts: Map<number, HiddenStream & { last?: Delta }>,
  block: number,
): Generator<Chunk, void> {
  const stream = texts.get(block)
  texts.delete(block)
  const text = stream?.end() ?? ''
  if (text !== '' && stream?.last !== undefined) yield { ...stream.last, text }
}

/** The classified failure without secrets, and without its cause, which may hold the request. */
function hiddenFailure(secrets: Secrets, error: unknown): Error {
  if (error instanceof ModelError) {
    const { code, message, status, retryAfterMs, requestId } = error
    return new ModelError(
      secrets.hideIn({
        code,
        message,
        ...(status !== undefined && { status }),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
        ...(requestId !== undefined && { requestId }),
      }),
    )
  }
  return new Error(secrets.hide(causeChain(error)))
}

/** A tool whose answers and failures hold no secret. */
export const toolWithout = (secrets: Secrets, tool: AnyTool): AnyTool =>
  secrets.none
    ? tool
    : { ...tool, run: (...words) => answerOf(secrets, tool as Tool<unknown>, words) }

async function answerOf(
  secrets: Secrets,
  tool: Tool<unknown>,
  [input, context]: Parameters<Tool<unknown>['run']>,
): Promise<ToolReturn> {
  try {
    return secrets.hideIn(await tool.run(input, context))
  } catch (error) {
    throw hiddenError(secrets, error)
  }
}

/** The same error where it says no secret; otherwise one that says only the hidden text. */
function hiddenError(secrets: Secrets, error: unknown): unknown {
  const text = causeChain(error)
  const hidden = secrets.hide(text)
  return hidden === text ? error : new Error(hidden)
}
