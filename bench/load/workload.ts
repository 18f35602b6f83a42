/**
 * What a load run does: which sessions are prompted in which order, whose they are, and how the model answers.
 *
 * @module
 */
import type { Model, ModelRequest } from '../../src/actors/model.port.ts'
import type { Message } from '../../src/events/message.ts'
import type { LatencyClock } from './latency-clock.ts'

/** Tenants; half of all sessions belong to the first one. */
const TENANTS = 8
/** Every so many sessions one gets two prompts at once. */
const PAIRS = 7
/** Virtual ms until an answer begins, at least and at most. */
const LATENCY: readonly [number, number] = [200, 1000]

/** Pseudo-random numbers in [0, 1) that are the same in each run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const sessionId = (index: number): string => `s${index}`
export const indexOf = (session: string): number => Number(session.slice(1))
export const promptId = (session: string, count: number): string => `${session}-${count}`

/** Even sessions belong to the first tenant, the others take turns. */
export const tenantOf = (session: string): string => {
  const index = indexOf(session)
  return index % 2 === 0 ? 'loud' : `t${1 + (((index - 1) / 2) % (TENANTS - 1))}`
}

/** Prompts that a session gets at once. */
export const promptsAtOnce = (index: number): number => (index % PAIRS === 0 ? 2 : 1)

/** The order in which the sessions are prompted in one round. */
export function orderOf(sessions: number, random: () => number): Uint32Array {
  const order = Uint32Array.from({ length: sessions }, (_, index) => index)
  for (let last = sessions - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const moved = order[last] as number
    order[last] = order[other] as number
    order[other] = moved
  }
  return order
}

/** The prompt that is to be answered. */
function promptOf(messages: ModelRequest['messages']): Message {
  const prompt = messages.findLast((entry) => entry.role === 'user')
  if (prompt === undefined) throw new Error('a request without a prompt')
  return prompt
}

/** Answers each prompt with its id, in two chunks. */
export function answeringModel(clock: LatencyClock, random: () => number): Model {
  const [least, most] = LATENCY
  return {
    provider: 'scripted',
    modelId: 'load',
    async *stream({ messages }) {
      const { id } = promptOf(messages)
      await clock.latency(Math.round(least + random() * (most - least)))
      yield { kind: 'block-start', block: 0, type: 'text' }
      yield { kind: 'text-delta', block: 0, text: 're: ' }
      yield { kind: 'text-delta', block: 0, text: id }
      yield { kind: 'block-end', block: 0 }
      yield { kind: 'usage', usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 } }
      yield { kind: 'finish', reason: 'stop' }
    },
  }
}
