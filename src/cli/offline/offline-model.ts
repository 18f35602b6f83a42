/**
 * The built-in model that needs no key and no network: a planner with fixed rules behind the port of a model.
 *
 * It must not pretend to be a language model: its answers say what it is.
 *
 * N1 It keeps nothing: what it does next is decided from the request alone, so a stored session goes on as it should.
 * N2 The same request gives the same chunks.
 *
 * @module
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Model, ModelContext, ModelRequest } from '../../actors/model.port.ts'
import type { Chunk } from '../../events/chunk.ts'
import { answerFrom } from './answer.ts'
import { findingsOf } from './findings.ts'
import { planNext } from './plan.ts'
import type { Plan } from './plan.ts'

/** How the planner streams. */
export interface OfflineModelOptions {
  /** Ms between two pieces of text, so that a person can follow. Default 0. */
  readonly paceMs?: number
}

/** Characters of one piece of text. */
const PIECE = 24

/** Makes the offline planner. */
export const offlineModel = ({ paceMs = 0 }: OfflineModelOptions = {}): Model => ({
  provider: 'offline',
  modelId: 'planner',
  async *stream(request, context) {
    const found = findingsOf(request)
    const plan = planFor(request, planNext(found))
    const text = plan.wishes.length === 0 ? answerFrom(found) : plan.says
    for (const chunk of chunksOf(text, plan, context)) {
      if (context.signal.aborted) return
      if (paceMs > 0) await pause(paceMs, undefined, { signal: context.signal })
      yield chunk
    }
  },
})

/** Without the tools that it plans with, there is nothing to plan. */
const planFor = (request: ModelRequest, plan: Plan): Plan => ({
  ...plan,
  wishes: plan.wishes.filter(({ tool }) => request.tools.some(({ name }) => name === tool)),
})

function* chunksOf(text: string, plan: Plan, { turn, step }: ModelContext): Generator<Chunk, void> {
  yield { kind: 'block-start', block: 0, type: 'text' }
  for (const piece of pieces(text)) yield { kind: 'text-delta', block: 0, text: piece }
  yield { kind: 'block-end', block: 0 }
  for (const [i, { tool, args }] of plan.wishes.entries()) {
    const block = i + 1
    yield {
      kind: 'block-start',
      block,
      type: 'tool-call',
      id: `offline-${turn}-${step}-${block}`,
      name: tool,
    }
    yield { kind: 'tool-call-delta', block, text: JSON.stringify(args) }
    yield { kind: 'block-end', block }
  }
  yield { kind: 'usage', usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } }
  yield { kind: 'finish', reason: plan.wishes.length > 0 ? 'tool-calls' : 'stop' }
}

/** Cuts a text between words into pieces of about {@link PIECE} characters; joined they are the text again. */
function* pieces(text: string): Generator<string, void> {
  let piece = ''
  for (const [word] of text.matchAll(/\s*\S+|\s+$/g)) {
    piece += word
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
