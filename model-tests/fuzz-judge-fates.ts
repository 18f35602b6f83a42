/**
 * What became of every message: exactly one fate an insertion.
 *
 * @module
 */
import type { EventType, StoredEvent } from '../src/events/event.ts'
import { judgeAttempts } from './fuzz-judge-attempts.ts'
import { judgeCompactions } from './fuzz-judge-compactions.ts'
import { judgeCalls } from './fuzz-judge-calls.ts'
import type { World } from './fuzz-world.ts'

/** Judges messages, calls and attempts. */
export function judgeFates(world: World, events: readonly StoredEvent[]): void {
  const fates = new Fates(world)
  for (const event of events) fates.see(event)
  fates.end()
  judgeCalls(world, events)
  judgeAttempts(world, events)
  judgeCompactions(world, events)
}

type Fate = 'pending' | 'claimed' | 'over' | 'committed'

type Seen = { readonly [T in EventType]?: (fates: Fates, data: StoredEvent<T>['data']) => void }

/** Every insertion is followed to its one fate. */
class Fates {
  private readonly world: World
  private readonly at = new Map<string, Fate>()

  constructor(world: World) {
    this.world = world
  }

  see({ type, data }: StoredEvent): void {
    const see = SEEN[type] as ((fates: Fates, data: unknown) => void) | undefined
    see?.(this, data)
  }

  enter(id: string): void {
    const state = this.at.get(id) ?? 'over'
    this.world.law(state === 'over', `a message entered twice, it was ${state}`)
    this.at.set(id, 'pending')
  }

  go(ids: readonly string[], from: Fate, to: Fate): void {
    for (const id of ids) {
      const state = this.at.get(id) ?? 'unknown'
      this.world.law(state === from, `a message went from ${state} to ${to}`)
      this.at.set(id, to)
    }
  }

  commit(id: string): void {
    const state = this.at.get(id) ?? 'over'
    const may = state === 'claimed' || state === 'over'
    this.world.law(may, `a message was committed while ${state}`)
    this.at.set(id, 'committed')
  }

  end(): void {
    if (this.world.log.ledger.openTurn !== null) return
    for (const state of this.at.values())
      this.world.law(state !== 'claimed', 'a claimed message has no fate')
  }
}

const SEEN: Seen = {
  'inbox/inserted': (fates, { message }) => {
    fates.enter(message.id)
  },
  'inbox/claimed': (fates, { nextStep, nextTurn }) => {
    fates.go([...nextStep, ...nextTurn], 'pending', 'claimed')
  },
  'inbox/discarded': (fates, { ids }) => {
    fates.go(ids, 'pending', 'over')
  },
  'inbox/replaced': (fates, { ids, messages }) => {
    fates.go(ids, 'pending', 'over')
    for (const { id } of messages) fates.enter(id)
  },
  'user/message': (fates, { message }) => {
    fates.commit(message.id)
  },
  'context/message': (fates, { message }) => {
    fates.commit(message.id)
  },
  'turn/end': (fates, { uncommitted }) => {
    fates.go(uncommitted, 'claimed', 'over')
  },
}
