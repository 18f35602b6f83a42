/**
 * What an agent belongs to: another agent, known by async context or named, or a scope.
 *
 * @module
 */
import type { Agent } from '../actors/agent-handle.ts'
import { currentInitiator } from '../actors/initiator.ts'
import { TurnwiseError } from '../errors.ts'
import { Household } from './household.ts'
import type { CreateOptions, OwnerScope, Registry, ResumeOptions } from './registry-port.ts'
import type { LogHeader } from '../events/event.ts'
import type { Resident, Residents } from './residents.ts'

/** An owner that is no agent. */
export class Scope implements OwnerScope {
  readonly name: string
  readonly household = new Household()
  private readonly registry: Pick<Registry, 'create' | 'resume'>

  constructor(name: string, registry: Pick<Registry, 'create' | 'resume'>) {
    this.name = name
    this.registry = registry
  }

  create(options: CreateOptions = {}): Promise<Agent> {
    return this.registry.create({ ...options, owner: this })
  }

  resume(id: string, options: ResumeOptions = {}): Promise<Agent> {
    return this.registry.resume(id, { ...options, owner: this })
  }

  unload(): Promise<void> {
    return this.household.end(
      new TurnwiseError(
        'FACTORY_INACTIVE',
        `expected a loaded owner, but ${this.name || 'the scope'} was unloaded; nothing was created.`,
      ),
    )
  }
}

/** What an agent belongs to, with the household it ends with. */
export interface Ownership {
  readonly owner: Resident | undefined
  readonly households: readonly Household[]
}

/** Belongs to the registry alone. */
const NOBODY: Ownership = { owner: undefined, households: [] }

/** @throws TurnwiseError SESSION_NOT_LIVE for an agent that does not live here; INVALID_OPTION for a foreign scope. */
export function ownershipOf(
  owner: Agent | OwnerScope | undefined,
  residents: Residents,
): Ownership {
  if (owner === undefined) return byContext(residents)
  if (owner instanceof Scope) return { owner: undefined, households: [owner.household] }
  const resident = residents.living(owner as Agent)
  return { owner: resident, households: [resident.children] }
}

/**
 * What `resident` belongs to once it is handed over.
 *
 * @throws TurnwiseError INVALID_OPTION for itself and for what belongs to it; what an owner that has ended refuses with.
 */
export function nextOwnership(
  resident: Resident,
  to: Agent | OwnerScope | undefined,
  residents: Residents,
): Ownership {
  if (to === undefined) return NOBODY
  const ownership = ownershipOf(to, residents)
  for (const { signal } of ownership.households) signal.throwIfAborted()
  for (let above = ownership.owner; above !== undefined; above = above.owner)
    if (above === resident)
      throw new TurnwiseError(
        'INVALID_OPTION',
        `expected an owner that does not itself belong to agent ${resident.id}, found ${ownership.owner?.id}; nothing was changed.`,
      )
  return ownership
}

/** An agent that is created in a gate or a tool of another one is its child. */
function byContext(residents: Residents): Ownership {
  const initiator = currentInitiator()
  const owner = initiator === undefined ? undefined : residents.get(initiator.agent)
  return owner === undefined ? NOBODY : { owner, households: [owner.children] }
}

/** What the header of a session says of the agent it belongs to. */
export const childOf = ({ id, agent }: Resident): Pick<LogHeader, 'parent' | 'depth'> => ({
  parent: id,
  depth: (agent.log.header.depth ?? 0) + 1,
})
