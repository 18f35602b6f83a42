/**
 * Agents that a configuration names: started with the registry, an exact session resumed where it is stored.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import { checkSessionId } from '../log/log-place.ts'
import type { ConfiguredAgent, Registry } from './registry-port.ts'

/** What starting them needs of a registry. */
export interface Starting {
  readonly registry: Pick<Registry, 'create' | 'resume'>
  readonly has: (id: string) => Promise<boolean>
  readonly failed: (id: string, error: unknown) => void
}

/** @throws TurnwiseError INVALID_OPTION when entries contradict themselves or each other. */
export function checkConfigured(agents: readonly ConfiguredAgent[]): void {
  const names = new Set<string>()
  const sessions = new Set<string>()
  for (const { id, sessionId, resumeSessionId } of agents) {
    if (sessionId !== undefined && resumeSessionId !== undefined) {
      refuse(`either sessionId or resumeSessionId of configured agent ${id}`, 'both')
    }
    if (names.has(id)) refuse(`configured agents of different names`, `${id} twice`)
    names.add(id)
    const exact = sessionId ?? resumeSessionId
    if (exact === undefined) continue
    checkSessionId(exact)
    if (sessions.has(exact)) refuse('a session for one configured agent', `${exact} for two`)
    sessions.add(exact)
  }
}

function refuse(expected: string, found: string): never {
  throw new TurnwiseError(
    'INVALID_OPTION',
    `expected ${expected}, found ${found}; nothing was started.`,
  )
}

/** Starts them in order. Never rejects. */
export async function startConfigured(
  agents: readonly ConfiguredAgent[],
  at: Starting,
): Promise<void> {
  for (const agent of agents) {
    try {
      await startOne(agent, at)
    } catch (error) {
      at.failed(agent.id, error)
    }
  }
}

async function startOne(
  { id: _name, sessionId, resumeSessionId, wake = false, ...options }: ConfiguredAgent,
  { registry, has }: Starting,
): Promise<void> {
  const exact = sessionId ?? resumeSessionId
  if (exact === undefined) await registry.create(options)
  else if (resumeSessionId !== undefined || (await has(exact)))
    await registry.resume(exact, { ...options, wake })
  else await registry.create({ ...options, id: exact })
}
