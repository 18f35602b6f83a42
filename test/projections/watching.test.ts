/**
 * What the watchers of a living log cost it, and what they do not hear twice.
 *
 * @module
 */
import { beforeEach, describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../src/events/event.ts'
import type { Projection } from '../../src/projections/projection.ts'
import { ReadModel, type EventSource } from '../../src/projections/read-model.ts'
import { stored } from '../support/stored.ts'

/** Appends whole groups before it tells of the first of them, and counts who observes. */
class Source implements EventSource {
  readonly events: StoredEvent[] = []
  readonly #observers = new Set<(event: StoredEvent) => void>()

  read(from = 0): readonly StoredEvent[] {
    return this.events.slice(from)
  }

  observe(observer: (event: StoredEvent) => void): () => void {
    this.#observers.add(observer)
    return () => this.#observers.delete(observer)
  }

  get observed(): number {
    return this.#observers.size
  }

  append(length: number): void {
    const from = this.events.length
    for (let seq = from; seq < from + length; seq += 1) {
      this.events.push(stored('turn/start', { turn: seq + 1 }, seq))
    }
    for (const event of this.events.slice(from)) {
      for (const observer of Array.from(this.#observers)) observer(event)
    }
  }
}

const counting = (name: string): Projection<number> => ({
  name,
  initial: 0,
  evolve: (count) => count + 1,
})
const first = counting('first')
const second = counting('second')

let source: Source
let model: ReadModel
let seen: number[]
beforeEach(() => {
  source = new Source()
  model = new ReadModel(source)
  seen = []
})

describe('watching', () => {
  it('hears nothing of a group again that it has caught up with', () => {
    let joined = false
    model.select(first).subscribe((count) => {
      if (count === 0 || joined) return
      joined = true
      model.select(second).subscribe((state) => seen.push(state))
    })
    source.append(3)
    source.append(1)
    expect(seen).toEqual([3, 4])
  })

  it('observes the log once, from the first watcher to the last', () => {
    expect(source.observed).toBe(0)
    const watchers = [first, first, second].map((projection) =>
      model.select(projection).subscribe((state) => seen.push(state)),
    )
    const observed = watchers.map((watcher) => {
      const before = source.observed
      watcher.unsubscribe()
      return [before, source.observed]
    })
    expect(observed).toEqual([
      [1, 1],
      [1, 1],
      [1, 0],
    ])
    model.select(first).subscribe()
    expect(source.observed).toBe(1)
  })

  it('of one projection goes on when nobody watches another one any more', () => {
    const other = model.select(first).subscribe()
    model.select(second).subscribe((state) => seen.push(state))
    other.unsubscribe()
    source.append(2)
    expect(seen).toEqual([0, 1, 2])
  })

  it('goes on behind an event at which its projection throws, and tells nobody by default', () => {
    const faulty: Projection<number> = {
      ...first,
      evolve: (count, { seq }) => {
        if (seq === 1) throw new Error('evolve')
        return count + 1
      },
    }
    model.select(faulty).subscribe((state) => seen.push(state))
    source.append(3)
    expect(seen).toEqual([0, 1, 2])
  })
})
