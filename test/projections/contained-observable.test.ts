/**
 * Every way to subscribe is contained: each part of an observer is called if it is there, and nobody misses one that is not.
 *
 * @module
 */
import { Subject, type Observer } from 'rxjs'
import { beforeEach, expect, it } from 'vitest'
import { contained } from '../../src/projections/contained-observable.ts'

let told: string[]
let faults: unknown[]
beforeEach(() => {
  told = []
  faults = []
})

type Part = keyof Observer<number>
const tell = (part: Part) => (value?: number | string) => {
  told.push(value === undefined ? part : `${part} ${value}`)
}
const fail = (part: Part) => () => {
  throw new Error(part)
}

const subscribeTo = (source: Subject<number>) =>
  contained<number>(
    (fault) => faults.push(fault),
    (subscriber) => source.subscribe(subscriber),
  )

const ALL: readonly Part[] = ['next', 'error', 'complete']
const subsets = ALL.reduce<Part[][]>(
  (sets, part) => [...sets, ...sets.map((set) => [...set, part])],
  [[]],
)

it.each(subsets.flatMap((parts) => [true, false].map((ends) => ({ parts, ends }))))(
  'an observer of $parts hears them and no more, as an object and as functions (ends: $ends)',
  ({ parts, ends }) => {
    const observer: Partial<Observer<number>> = Object.fromEntries(
      parts.map((part) => [part, tell(part)]),
    )
    const object = new Subject<number>()
    const functions = new Subject<number>()
    subscribeTo(object).subscribe(observer)
    subscribeTo(functions).subscribe(
      observer.next ?? null,
      observer.error ?? null,
      observer.complete ?? null,
    )
    const heard = [object, functions].map((source) => {
      told = []
      source.next(1)
      if (ends) source.complete()
      else source.error('broken')
      return told
    })
    const said = { next: 'next 1', error: 'error broken', complete: 'complete' }
    const expected = parts
      .filter((part) => part === 'next' || part === (ends ? 'complete' : 'error'))
      .map((part) => said[part])
    expect(heard).toEqual([expected, expected])
    expect(faults).toEqual(ends || parts.includes('error') ? [] : ['broken', 'broken'])
  },
)

type Watched = ReturnType<typeof subscribeTo>
it.each<[string, (watched: Watched) => void]>([
  ['null', (watched) => watched.subscribe(null)],
  ['nothing', (watched) => watched.subscribe()],
  ['an empty observer', (watched) => watched.subscribe({})],
])('%s may subscribe', (_, subscribe) => {
  const source = new Subject<number>()
  subscribe(subscribeTo(source))
  source.next(1)
  source.complete()
  expect(faults).toEqual([])
})

it.each(ALL)('what %s throws is reported and goes no further', (part) => {
  const source = new Subject<number>()
  subscribeTo(source).subscribe({ [part]: fail(part) })
  if (part === 'next') source.next(1)
  else if (part === 'error') source.error('broken')
  else source.complete()
  expect(faults.map((fault) => (fault as Error).message)).toEqual([part])
})
