/**
 * Reading and watching projections of a living log.
 *
 * @module
 */
import { firstValueFrom, map, take } from 'rxjs'
import { beforeEach, describe, expect, it } from 'vitest'
import type { NewEvent } from '../../src/events/event.ts'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import type { SessionLog } from '../../src/log/session-log.ts'
import { byType, type Projection } from '../../src/projections/projection.ts'
import { ReadModel } from '../../src/projections/read-model.ts'
import { status } from '../../src/projections/status.ts'
import { textMessage } from '../support/log-writer.ts'

let log: SessionLog
let model: ReadModel
let faults: unknown[]
let folded: number

/** Counts next-turn insertions, and how often it was asked. */
const count: Projection<number> = {
  name: 'count',
  initial: 0,
  evolve: (state, event) => {
    folded += 1
    return event.type === 'inbox/inserted' ? state + 1 : state
  },
}

beforeEach(() => {
  log = createMemoryLog({ id: 's1' })
  faults = []
  folded = 0
  model = new ReadModel(log, (error) => faults.push(error))
})

const inserted = (id: string): NewEvent => ({
  type: 'inbox/inserted',
  data: { target: 'next-turn', index: 0, message: textMessage(id), wake: true, actor: 'user' },
})
const note: NewEvent = { type: 'goal/change', data: { goal: 'g', revision: 1, change: null } }
const put = (...events: NewEvent[]): void => {
  log.append(events, 1)
}
const thrown = (text: string) => (): never => {
  throw new Error(text)
}
const texts = () => faults.map((fault) => (fault as Error).message)

describe('read', () => {
  it('catches up with the log, and folds each event once', () => {
    put(inserted('A'), note)
    expect(model.read(count)).toBe(1)
    put(inserted('B'))
    expect(model.read(count)).toBe(2)
    expect(model.read(count)).toBe(2)
    expect(folded).toBe(3)
  })

  it('M1 costs nothing per event for a projection nobody reads or watches', () => {
    model.read(count)
    put(inserted('A'), inserted('B'))
    expect(folded).toBe(0)
  })

  it('throws what the projection throws, every time', () => {
    const faulty: Projection<number> = { name: 'faulty', initial: 0, evolve: thrown('evolve') }
    put(note)
    expect(() => model.read(faulty)).toThrow('evolve')
    expect(() => model.read(faulty)).toThrow('evolve')
  })
})

describe('select', () => {
  it('M2 gives the current state, then each state that differs, in order', () => {
    put(inserted('A'))
    const seen: number[] = []
    model.select(count).subscribe((state) => seen.push(state))
    put(note, inserted('B'), inserted('C'))
    put(note)
    expect(seen).toEqual([1, 2, 3])
  })

  it('gives two watchers the same, and one that leaves nothing more', () => {
    const early: number[] = []
    const late: number[] = []
    const first = model.select(count).subscribe((state) => early.push(state))
    put(inserted('A'))
    model.select(count).subscribe((state) => late.push(state))
    put(inserted('B'))
    first.unsubscribe()
    put(inserted('C'))
    expect(early).toEqual([0, 1, 2])
    expect(late).toEqual([1, 2, 3])
  })

  it('costs nothing more when the last watcher has left, and starts again for the next', () => {
    const watcher = model.select(count).subscribe()
    put(inserted('A'))
    watcher.unsubscribe()
    const before = folded
    put(inserted('B'))
    expect(folded).toBe(before)
    const seen: number[] = []
    model.select(count).subscribe((state) => seen.push(state))
    expect(seen).toEqual([2])
  })

  it('misses nothing and repeats nothing when it begins inside the delivery of a group', () => {
    const seen: number[] = []
    const stop = log.observe((event) => {
      if (event.seq === 0) model.select(count).subscribe((state) => seen.push(state))
    })
    put(inserted('A'), inserted('B'))
    put(inserted('C'))
    stop()
    expect(seen).toEqual([2, 3])
  })

  it('gives a watcher that joins inside a notification the new state once', () => {
    const seen: number[] = []
    let joined = false
    model.select(count).subscribe((state) => {
      if (state === 1 && !joined) {
        joined = true
        model.select(count).subscribe((inner) => seen.push(inner))
      }
    })
    put(inserted('A'))
    put(inserted('B'))
    expect(seen).toEqual([1, 2])
  })

  it('is not disturbed by a read in between', () => {
    const seen: number[] = []
    log.observe(() => model.read(count))
    model.select(count).subscribe((state) => seen.push(state))
    put(inserted('A'), inserted('B'))
    expect(seen).toEqual([0, 1, 2])
  })

  it('orders what a watcher appends behind the event it was told of', () => {
    const seen: number[] = []
    model.select(count).subscribe((state) => {
      if (state === 1) put(inserted('B'))
      seen.push(state)
    })
    put(inserted('A'))
    expect(seen).toEqual([0, 1, 2])
  })

  it('lets a watcher leave in its first notification', async () => {
    expect(await firstValueFrom(model.select(count))).toBe(0)
    const seen: number[] = []
    model
      .select(count)
      .pipe(take(1))
      .subscribe((state) => seen.push(state))
    put(inserted('A'))
    expect(seen).toEqual([0])
    expect(folded).toBe(0)
  })

  it('never ends and never fails, also when the log is closed', async () => {
    const ends: string[] = []
    model.select(status).subscribe({
      complete: () => ends.push('complete'),
      error: () => ends.push('error'),
    })
    put({ type: 'turn/start', data: { turn: 1 } })
    await log.close()
    expect(ends).toEqual([])
  })
})

describe('faults', () => {
  it('M3 a watcher that throws harms no other and stays subscribed', () => {
    const seen: number[] = []
    model.select(count).subscribe(thrown('watcher'))
    model.select(count).subscribe((state) => seen.push(state))
    put(inserted('A'))
    expect(seen).toEqual([0, 1])
    expect(texts()).toEqual(['watcher', 'watcher'])
  })

  it('contains what throws at the end of a pipe, or inside it', () => {
    const doubled = model.select(count).pipe(map((state) => state * 2))
    doubled.subscribe(thrown('end'))
    model
      .select(count)
      .pipe(map(thrown('operator')))
      .subscribe()
    expect(texts()).toEqual(['end', 'operator'])
  })

  it('gives an error of an operator to a watcher that takes errors, and contains what that throws', () => {
    const errors: string[] = []
    const broken = model.select(count).pipe(map(thrown('operator')))
    broken.subscribe({ error: (error: Error) => errors.push(error.message) })
    broken.subscribe({ error: thrown('handler') })
    expect(errors).toEqual(['operator'])
    expect(texts()).toEqual(['handler'])
  })

  it('passes over an event at which a projection throws, and harms no other projection', () => {
    const faulty: Projection<number> = {
      name: 'faulty',
      initial: 0,
      evolve: byType<number>({ 'goal/change': thrown('evolve'), 'inbox/inserted': (n) => n + 1 }),
    }
    const seen: number[] = []
    const others: number[] = []
    model.select(faulty).subscribe((state) => seen.push(state))
    model.select(count).subscribe((state) => others.push(state))
    put(inserted('A'), note, inserted('B'))
    expect(seen).toEqual([0, 1, 2])
    expect(others).toEqual([0, 1, 2])
    expect(texts()).toEqual(['evolve'])
  })

  it('reports a projection that throws on what is there already, and says nothing', () => {
    put(note)
    const seen: unknown[] = []
    const faulty: Projection<number> = { name: 'faulty', initial: 0, evolve: thrown('evolve') }
    model
      .select(faulty)
      .subscribe({ next: (state) => seen.push(state), error: () => seen.push('error') })
    expect(seen).toEqual([])
    expect(texts()).toEqual(['evolve'])
  })
})
