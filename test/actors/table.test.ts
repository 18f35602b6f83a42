import { beforeEach, describe, expect, it, vi } from 'vitest'
import { breaking, brokenContext, brokenStart, ending, guarded, nested } from './table-charts.ts'
import { parent } from './table-families.ts'
import { bothTraces } from './table-trace.ts'
import type { MakeMachine, Poke } from './table-trace.ts'

const pokes = (...names: string[]): Poke[] =>
  names.map((type) => (type === 'stop' ? type : { type }))

const cases: [rule: string, make: MakeMachine, pokes: Poke[]][] = [
  [
    'enters and leaves nested states in the order of the chart',
    nested,
    pokes('next', 'back', 'back', 'hop', 'up', 'back', 'again'),
  ],
  [
    'lets inner transitions win over outer ones',
    nested,
    pokes('outer', 'next', 'outer', 'both', 'back', 'both', 'both'),
  ],
  [
    'tells internal from reentering self transitions',
    nested,
    pokes('inner', 'reenter', 'self', 'selfAgain', 'stay', 'next', 'inner', 'noop'),
  ],
  ['keeps the snapshot when an event is unknown', nested, pokes('nothing', 'stay', 'nothing')],
  [
    'takes the first candidate whose guard passes',
    guarded,
    [
      ...pokes('try', 'try', 'try'),
      { type: 'try', go: true } as Poke,
      ...pokes('back'),
      { type: 'try', text: 'inline' } as Poke,
    ],
  ],
  ['fails with the guard that throws', guarded, pokes('try', 'fails', 'try')],
  [
    'raises the event of a completed state and ends with its output',
    ending,
    pokes('finish', 'finish', 'finish'),
  ],
  [
    'starts, asks and finishes a child',
    parent('plain'),
    pokes('go', 'ask', 'end', 'go', 'leave', 'go', 'finish', 'go'),
  ],
  [
    'restarts a child when its state is entered again',
    parent('plain'),
    pokes('go', 'reenter', 'ask', 'reenter', 'stop'),
  ],
  [
    'passes the failure of a child to its parent',
    parent('plain'),
    pokes('go', 'break', 'go', 'ask'),
  ],
  [
    'passes a failure at the start of a child to its parent',
    parent('breaks at start'),
    pokes('go', 'go'),
  ],
  ['takes a child that ends at once', parent('ends at start'), pokes('go', 'go')],
  [
    'fails when it sends to a child that is not there',
    parent('plain'),
    pokes('go', 'end', 'lost', 'go'),
  ],
  ['stops its children with it', parent('plain'), pokes('go', 'stop', 'ask')],
  ['fails with an action that throws on entry', breaking, pokes('entry', 'own')],
  ['fails with an action of a transition that throws', breaking, pokes('own', 'entry')],
  ['fails at its start when its first actions throw', brokenStart, pokes('any')],
  ['fails at its start when its context cannot be made', brokenContext, pokes('any')],
]

// XState warns of events to actors that are over; both sides are sent them on purpose.
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

describe('a machine run from its table', () => {
  it.each(cases)('%s', (_, make, list) => {
    const { stock, table } = bothTraces(make, list)
    expect(stock.length).toBeGreaterThan(5)
    expect(table).toEqual(stock)
  })
})
