/**
 * What forks of a scenario have made, and what they would have made with the inbox.
 *
 * @module
 */
import type { EventLog } from '../../../log/event-log.ts'
import { inbox } from '../../../projections/inbox.ts'
import { fold } from '../../../projections/projection.ts'
import { forkOf, type ForkOptions } from '../../../sessions/fork.ts'
import type { Registry } from '../../../sessions/registry-port.ts'
import { listed } from '../../print-request.ts'
import type { PrintedInbox } from '../scenario.ts'
import type { ScenarioStore } from './scenario-store.ts'

const printed = (events: Parameters<typeof fold>[1]): PrintedInbox => {
  const { nextTurn, nextStep } = fold(inbox, events)
  return {
    'next-turn': nextTurn.map(({ message }) => listed(message)),
    'next-step': nextStep.map(({ message }) => listed(message)),
  }
}

export class Forks {
  /** What the probe may ask for. */
  readonly facts = new Map<string, unknown>()
  /** The log of the last child. */
  child: EventLog | undefined
  private readonly store: ScenarioStore

  constructor(store: ScenarioStore) {
    this.store = store
  }

  async fork(registry: Registry, parentId: string, options: ForkOptions): Promise<void> {
    const parent = this.store.get(parentId)
    const events = parent?.read() ?? []
    const { id, parent: named, inheritedLength } = await registry.fork(parentId, options)
    this.child = this.store.get(id)
    this.facts.set('parent', named)
    this.facts.set('inheritedLength', inheritedLength)
    this.facts.set('parentUnchanged', parent?.length === events.length)
    this.facts.set('child', printed(this.child?.read() ?? []))
    if (parent === undefined) return
    const more = { ...options, inheritInbox: true }
    const inherited = forkOf({ header: parent.header, events }, { id: 'x', createdAt: 0 }, more)
    this.facts.set('childWithInheritInbox', printed(inherited.events))
  }
}
