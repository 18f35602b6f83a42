/**
 * The agent of a session, wherever it comes from: it lives already, is resumed, or is created.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import { TurnwiseError } from '../../errors.ts'
import type { Registry } from '../registry-port.ts'
import { notFound, type SessionStore } from '../session-store.ts'

/** An agent, and how it came about. */
export interface Made {
  readonly agent: Agent
  readonly how: 'created' | 'resumed' | 'found'
}

export interface Making {
  readonly registry: Registry
  readonly store: SessionStore
  readonly unknown: 'create' | 'refuse'
}

/**
 * Finds or makes it.
 *
 * @param wake - if it is resumed: what waits in it starts by itself.
 * @throws TurnwiseError SESSION_NOT_FOUND, SESSION_LIVE; whatever else the registry refuses with.
 */
export async function makeAgent(
  { registry, store, unknown }: Making,
  id: string,
  wake: boolean,
): Promise<Made> {
  const living = registry.get(id)
  if (living !== undefined) return { agent: living, how: 'found' }
  const resume = async (): Promise<Made> => ({
    agent: await registry.resume(id, { wake }),
    how: 'resumed',
  })
  if (await store.has(id)) return resume()
  if (unknown === 'refuse') throw notFound(id)
  try {
    return { agent: await registry.create({ id }), how: 'created' }
  } catch (error) {
    // Another process was faster.
    const exists = error instanceof TurnwiseError && error.code === 'SESSION_ALREADY_EXISTS'
    if (!exists) throw error
    return resume()
  }
}
