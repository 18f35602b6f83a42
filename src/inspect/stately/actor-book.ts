/**
 * What a viewer that comes late must be told: every actor with its definition and where it stands, then what happened
 * last.
 *
 * A1 No definition is lost, however much has happened since.
 * A2 It stays small: agents beyond a number are forgotten, the one that moved longest ago first; an actor is replaced by
 *    the next one in its place.
 *
 * @module
 */
import type { SafeActor, SafeSnapshot } from './safe-events.ts'

/** An actor that is shown. */
export interface ShownActor extends SafeActor {
  /** Where it stands now. */
  snapshot: SafeSnapshot
  /** The message that introduces it, as the protocol has it; undefined until it is made. */
  introduction?: object
}

/** An actor with its place. */
interface Placed {
  readonly actor: ShownActor
  /** The names of the actors above it and its own, so that a new turn actor takes the place of the last one. */
  readonly place: string
  readonly rootId: string
}

/** Agents that are remembered, three or four actors each. */
export const MOST_AGENTS = 24
/** Messages that are repeated for a late viewer. */
export const RECENT = 500

/** Remembers actors and the last messages. */
export class ActorBook {
  readonly #actors = new Map<string, Placed>()
  readonly #places = new Map<string, string>()
  /** Agents in the order in which they last moved. */
  readonly #roots = new Set<string>()
  #recent: { readonly sessionId: string; readonly text: string }[] = []

  /** Takes an actor; the former one in its place is forgotten. */
  join(actor: ShownActor): void {
    const { sessionId, id, parentId } = actor
    const parent = parentId === undefined ? undefined : this.#actors.get(parentId)
    const place = parent === undefined ? sessionId : `${parent.place}/${id}`
    const rootId = parent?.rootId ?? sessionId
    const former = this.#places.get(place)
    if (former !== undefined) this.#actors.delete(former)
    this.#actors.set(sessionId, { actor, place, rootId })
    this.#places.set(place, sessionId)
    this.#moved(rootId)
  }

  /** A remembered actor. */
  actor(sessionId: string): ShownActor | undefined {
    return this.#actors.get(sessionId)?.actor
  }

  /** The agent that an actor belongs to. */
  rootOf(sessionId: string): string | undefined {
    return this.#actors.get(sessionId)?.rootId
  }

  /** The newest root of this name. */
  root(id: string): ShownActor | undefined {
    return [...this.#actors.values()]
      .map(({ actor }) => actor)
      .findLast((actor) => actor.id === id && actor.parentId === undefined)
  }

  /** Takes a message; one about a forgotten actor is not repeated. */
  add(sessionId: string, text: string): void {
    const rootId = this.rootOf(sessionId)
    if (rootId === undefined) return
    this.#moved(rootId)
    this.#recent.push({ sessionId, text })
    // Cut now and then, not at every message.
    if (this.#recent.length > RECENT * 2) this.#recent = this.#recent.slice(-RECENT)
  }

  /** Messages that introduce every actor, those above others first. */
  introductions(): string[] {
    return [...this.#actors.values()].flatMap(({ actor }) =>
      actor.introduction === undefined
        ? []
        : [introductionOf(actor, actor.introduction, actor.snapshot)],
    )
  }

  /**
   * Everything for a viewer that has seen nothing.
   *
   * @param most - messages about what happened last, at most {@link RECENT}.
   */
  greeting(most: number): string[] {
    const recent = this.#recent
      .slice(-Math.min(most, RECENT))

      .filter(({ sessionId }) => this.#actors.has(sessionId))
    return [...this.introductions(), ...recent.map(({ text }) => text)]
  }

  #moved(rootId: string): void {
    this.#roots.delete(rootId)
    this.#roots.add(rootId)
    const [longest] = this.#roots
    if (this.#roots.size <= MOST_AGENTS || longest === undefined) return
    this.#roots.delete(longest)
    for (const [sessionId, placed] of this.#actors) {
      if (placed.rootId !== longest) continue
      this.#actors.delete(sessionId)
      this.#places.delete(placed.place)
    }
  }
}

/** The message that introduces an actor. The package sorts the keys of definitions; these keep the order of the states. */
export const introductionOf = (
  { id, definition }: ShownActor,
  message: object,
  snapshot: SafeSnapshot,
): string => JSON.stringify({ ...message, name: id, definition, snapshot })
