/**
 * Projections of one living log: their current state, and every change.
 *
 * M1 A projection nobody watches costs nothing per event: `read` catches up when it is asked.
 * M2 A watcher gets the current state, then each state that differs, in the order of the log, once each. It never gets
 *    an error or an end from here.
 * M3 A watcher or a projection that throws harms no other; it is reported.
 *
 * @module
 */
import type { Observable, Subscriber } from 'rxjs'
import type { StoredEvent } from '../events/event.ts'
import { contained, type OnFault } from './contained-observable.ts'
import type { Projection } from './projection.ts'

/** What is needed of a log. */
export interface EventSource {
  /** Events with `seq >= from`, oldest first. */
  read(from?: number): readonly StoredEvent[]
  /** Calls `observer` for each event appended from now on. @returns unsubscribe */
  observe(observer: (event: StoredEvent) => void): () => void
}

/** A projection as far as it has been folded. */
class Folding<S> {
  readonly #projection: Projection<S>
  state: S
  /** Seq of the next event. */
  next: number

  constructor(projection: Projection<S>, state: S = projection.initial, next = 0) {
    this.#projection = projection
    this.state = state
    this.next = next
  }

  /** Takes one event. If the projection throws, nothing has changed. */
  take(event: StoredEvent): void {
    if (event.seq < this.next) return
    this.state = this.#projection.evolve(this.state, event)
    this.next = event.seq + 1
  }
}

/** A projection that somebody watches. */
class Watch<S> {
  readonly #folding: Folding<S>
  readonly #subscribers = new Set<Subscriber<S>>()

  constructor(folding: Folding<S>) {
    this.#folding = folding
  }

  /** @returns how to leave; its answer tells whether nobody is left. */
  join(subscriber: Subscriber<S>): () => boolean {
    this.#subscribers.add(subscriber)
    subscriber.next(this.#folding.state)
    return () => {
      this.#subscribers.delete(subscriber)
      return this.#subscribers.size === 0
    }
  }

  /** An event at which the projection throws is passed over; `read` would throw at it every time. */
  take(event: StoredEvent): void {
    const folding = this.#folding
    const before = folding.state
    folding.take(event)
    if (folding.state === before) return
    for (const subscriber of Array.from(this.#subscribers)) subscriber.next(folding.state)
  }
}

/** The projections of one log. */
export class ReadModel {
  readonly #source: EventSource
  readonly #onFault: OnFault
  readonly #read = new WeakMap<object, object>()
  readonly #watches = new Map<object, Watch<unknown>>()
  #leave: (() => void) | undefined

  /** @param onFault - told what watchers and projections throw; must not throw. Default: nobody is told. */
  constructor(source: EventSource, onFault: OnFault = () => {}) {
    this.#source = source
    this.#onFault = onFault
  }

  /** The current state. What the projection throws is thrown here. */
  read<S>(projection: Projection<S>): S {
    const known = this.#read.get(projection) as Folding<S> | undefined
    const folding = known ?? new Folding(projection)
    if (known === undefined) this.#read.set(projection, folding)
    for (const event of this.#source.read(folding.next)) folding.take(event)
    return folding.state
  }

  /** The current state at subscription, then every change. Keep the projection: its identity is the key. */
  select<S>(projection: Projection<S>): Observable<S> {
    return contained<S>(this.#onFault, (subscriber) => {
      try {
        const leave = this.#watch(projection).join(subscriber)
        return () => {
          if (leave()) this.#unwatch(projection)
        }
      } catch (thrown) {
        this.#onFault(thrown)
        return undefined
      }
    })
  }

  #watch<S>(projection: Projection<S>): Watch<S> {
    const known = this.#watches.get(projection) as unknown as Watch<S> | undefined
    if (known !== undefined) return known
    const state = this.read(projection)
    const { next } = this.#read.get(projection) as Folding<S>
    const watch = new Watch(new Folding(projection, state, next))
    this.#watches.set(projection, watch as unknown as Watch<unknown>)
    this.#leave ??= this.#source.observe((event) => this.#deliver(event))
    return watch
  }

  #unwatch(projection: object): void {
    this.#watches.delete(projection)
    if (this.#watches.size > 0) return
    this.#leave?.()
    this.#leave = undefined
  }

  #deliver(event: StoredEvent): void {
    for (const watch of this.#watches.values()) {
      try {
        watch.take(event)
      } catch (thrown) {
        this.#onFault(thrown)
      }
    }
  }
}
