/**
 * Turns what XState tells of actors into messages of the Stately inspector.
 *
 * P1 The protocol is the package's own: it is given stand-ins that hold nothing but what may be seen.
 * P2 Nothing here throws, whatever is given.
 *
 * @module
 */
import type { InspectionEvent } from 'xstate'
import type { Agent } from '../../actors/agent-handle.ts'
import type { StoredEvent } from '../../events/event.ts'
import { placeOf } from '../../projections/place-of.ts'
import { ActorBook, introductionOf, type ShownActor } from './actor-book.ts'
import { bounded } from './bounded.ts'
import type { Channel, Told } from './link.ts'
import type { Packages } from './packages.ts'
import {
  type SafeActor,
  safeActor,
  safeEvent,
  safeSnapshot,
  type SafeSnapshot,
} from './safe-events.ts'

/** A message as the package makes it. */
type Message = Parameters<Parameters<Packages['createInspector']>[0]['send']>[0]

/** Where an actor is before it says so. */
const BEGUN = safeSnapshot(undefined, false)

/** Reports actors to one channel. */
export class Reporter implements Told {
  readonly #book = new ActorBook()
  /** Actors whose introductions are being made. */
  readonly #coming = new Map<string, ShownActor>()
  readonly #reveal: boolean
  readonly #inspect: (event: object) => void
  #channel: Channel | undefined
  #ended = false

  constructor(createInspector: Packages['createInspector'], reveal: boolean) {
    this.#reveal = reveal
    const send = (message: Message): void => {
      contained(() => {
        this.#send(message)
      })
    }
    const { inspect } = createInspector({ send }, { autoStart: false })
    this.#inspect = (event) => inspect.next?.(event as never)
  }

  /** From now on messages go to `channel`. */
  tell(channel: Channel): void {
    this.#channel = channel
  }

  take(event: InspectionEvent): void {
    if (this.#ended) return
    contained(() => {
      this.#take(event)
    })
  }

  greeting(most: number): readonly string[] {
    return this.#book.greeting(most)
  }

  introductions(): readonly string[] {
    return this.#book.introductions()
  }

  watch(agent: Agent): () => void {
    const root = this.#book.root(agent.id)?.sessionId
    if (root === undefined) return () => {}
    const log = `${root}.log`
    this.#join({ id: 'log', sessionId: log, parentId: root, definition: '{"id":"log"}' })
    return agent.subscribe({ from: agent.log.length }, (event) => {
      if (!this.#ended) this.#recorded(event, log, root)
    })
  }

  /** Stops taking, and waits until what was taken has been handed on: the package does that in a macrotask. */
  async end(): Promise<void> {
    this.#ended = true
    await new Promise((resolve) => {
      setTimeout(resolve, 1)
    })
  }

  #take(event: InspectionEvent): void {
    if (event.type === '@xstate.actor') this.#join(safeActor(event))
    if (event.type !== '@xstate.event' && event.type !== '@xstate.snapshot') return
    const { sessionId } = event.actorRef
    const told = safeEvent(event.event, this.#reveal)
    if (event.type === '@xstate.event') this.#moved(sessionId, told, event.sourceRef?.sessionId)
    else this.#stands(sessionId, told, safeSnapshot(event.snapshot, this.#reveal))
  }

  #join(actor: SafeActor): void {
    const shown: ShownActor = { ...actor, snapshot: BEGUN }
    this.#book.join(shown)
    this.#coming.set(actor.sessionId, shown)
    this.#inspect({ type: '@xstate.actor', ...this.#placeOf(shown), actorRef: standIn(shown) })
  }

  #moved(sessionId: string, event: { type: string }, source: string | undefined): void {
    this.#inspect({
      type: '@xstate.event',
      ...this.#placeOf({ sessionId }),
      ...(source !== undefined && { sourceRef: { sessionId: source } }),
      event,
    })
  }

  #stands(sessionId: string, event: { type: string }, snapshot: SafeSnapshot): void {
    const actor = this.#book.actor(sessionId)
    if (actor !== undefined) actor.snapshot = snapshot
    this.#inspect({ type: '@xstate.snapshot', ...this.#placeOf({ sessionId }), event, snapshot })
  }

  #placeOf({ sessionId }: { readonly sessionId: string }): object {
    return { rootId: this.#book.rootOf(sessionId), actorRef: { sessionId } }
  }

  /** A durable event, sent by the agent to its log. */
  #recorded(recorded: StoredEvent, log: string, root: string): void {
    const { seq, type, data } = recorded
    if (type === 'assistant/chunk') return
    const facts = { type, seq, ...placeOf(recorded) }
    const event = this.#reveal ? { ...facts, data: bounded(data) } : facts
    this.#moved(log, event, root)
    this.#stands(log, event, { ...BEGUN, context: { last: type, seq } })
  }

  #send(message: Message): void {
    const { sessionId } = message
    const text =
      message.type === '@xstate.actor' ? this.#introduce(message) : JSON.stringify(message)
    if (message.type !== '@xstate.actor') this.#book.add(sessionId, text)
    this.#channel?.send(text)
  }

  /** By now the actor may be replaced by the next one in its place: what it did is told all the same. */
  #introduce(message: Message): string {
    const actor = this.#coming.get(message.sessionId)
    if (actor === undefined) return JSON.stringify(message)
    this.#coming.delete(message.sessionId)
    actor.introduction = message
    return introductionOf(actor, message, BEGUN)
  }
}

/** What the package reads of an actor. */
const standIn = ({ id, sessionId, parentId }: ShownActor): object => ({
  id,
  sessionId,
  ...(parentId !== undefined && { _parent: { sessionId: parentId } }),
  logic: { config: { id } },
  getSnapshot: () => BEGUN,
})

function contained(act: () => void): void {
  try {
    act()
  } catch {
    // A viewer is no part of a run: what it cannot be shown it does not see.
  }
}
