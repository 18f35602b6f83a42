/**
 * Takes rounds out of an inbox that nobody may run.
 *
 * It does not throw: what the log refuses stays, and the fence turns it away.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { ServiceDoor } from '../../actors/service-door.ts'
import type { ActorName } from '../../events/event.ts'

/** @param actor - who takes them out. */
export function withdrawRounds(agent: Agent, door: ServiceDoor, actor: ActorName): void {
  if (door.disposing) return
  const { nextTurn, nextStep } = agent.inbox
  for (const { message } of [...nextTurn, ...nextStep]) {
    if (message.source.kind !== 'goal') continue
    try {
      agent.inbox.remove(message.id, { actor })
    } catch (error) {
      door.diagnose(error)
    }
  }
}
