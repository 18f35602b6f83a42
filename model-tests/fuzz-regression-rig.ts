/**
 * What the regression tests share: agents on logs that refuse or fail, and a watch over the process.
 *
 * @module
 */
import { createAgent } from '../src/actors/agent.ts'
import type { Agent } from '../src/actors/agent-handle.ts'
import type { AgentOptions } from '../src/actors/agent-options.ts'
import type { EventType, NewEvent, StoredEvent } from '../src/events/event.ts'
import { createMemoryLog } from '../src/log/memory-log.ts'
import { SessionLog } from '../src/log/session-log.ts'
import { scriptedModel } from '../src/testing/scripted-model.ts'

/** A log that cannot be made durable. */
class FullLog extends SessionLog {
  override durable(): Promise<void> {
    return Promise.reject(new Error('disk full'))
  }
}

/** A log that never is durable. */
export const fullLog = (): SessionLog => new FullLog({ id: 'a', formatVersion: 1, createdAt: 0 })

/** A log that refuses the events that `refuses` picks. */
export const refusing = (refuses: (event: NewEvent) => boolean): SessionLog =>
  createMemoryLog({
    id: 'a',
    intercept(event) {
      if (refuses(event)) throw new Error(`refused ${event.type}`)
    },
  })

/** Is it the first event of its type? */
export const firstOf = (type: EventType): ((event: NewEvent) => boolean) => {
  let seen = 0
  return (event) => event.type === type && (seen += 1) === 1
}

/** An agent with a scripted model, on a log in memory. */
export function agentOf(options: AgentOptions = {}): { agent: Agent; log: SessionLog } {
  const log = options.log ?? createMemoryLog({ id: 'a' })
  const model = scriptedModel(['text "one"', 'text "two"', 'text "three"'])
  return { agent: createAgent({ model, ...options, log }), log: log as SessionLog }
}

/** A message whose text is its id. */
export const say = (id: string): { id: string; content: string } => ({ id, content: id })

/** The types of a log. */
export const types = (log: SessionLog): string[] => log.read().map((event) => event.type)

/** Acts at the first event of a type. */
export const on = <T extends EventType>(
  log: SessionLog,
  type: T,
  act: (event: StoredEvent<T>) => void,
): void => {
  let done = false
  log.observe((event) => {
    if (done || event.type !== type) return
    done = true
    act(event as StoredEvent<T>)
  })
}
