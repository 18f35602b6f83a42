/**
 * The explorer on every room with a bound for every day; `npm run explore` goes further. Each state is reached by making
 * its moves on a new agent, and judged by its log.
 */
import { describe, expect, it } from 'vitest'
import { explore } from '../src/testing/explore/explore.ts'
import type { Move } from '../src/testing/explore/options.ts'
import { type RoomName, ROOMS } from './explore-rooms.ts'

/** What is searched of a room that is too wide for every day. */
const BOUND = { maxStates: 200, maxMoves: 4000 }
/** Rooms that are searched to their end. */
const EXHAUSTED: readonly RoomName[] = [
  'late',
  'waits',
  'cuts',
  'deep gates',
  'deep tools',
  'deep attempts',
  'deep writes',
]

const names = Object.keys(ROOMS) as RoomName[]
const searched = new Map<RoomName, { states: number; moves: readonly Move[] }>()

const moves = (): Move[] => [...searched.values()].flatMap((each) => each.moves)

describe('every interleaving within the bound', () => {
  it.each(names)(
    'of %s keeps every law',
    async (room) => {
      const { counterexamples, states, paths, exhausted } = await explore({
        ...ROOMS[room],
        ...(EXHAUSTED.includes(room) ? { maxStates: Infinity } : BOUND),
        source: { name: room, from: './explore-rooms.ts' },
      })
      expect(exhausted || !EXHAUSTED.includes(room)).toBe(true)
      expect(counterexamples.map(({ test, diagram }) => `${test}\n${diagram}`)).toEqual([])
      searched.set(room, { states, moves: [...paths()].flat() })
    },
    60_000,
  )
})

describe('what was searched', () => {
  it('is at least 7 000 states', () => {
    const states = [...searched.values()].reduce((sum, each) => sum + each.states, 0)
    expect(states).toBeGreaterThanOrEqual(7000)
  })

  it('holds every kind of signal and of failure', () => {
    const settled = new Set(moves().map((move) => ('settle' in move ? move.settle : '')))
    for (const kind of ['model', 'stream', 'write', 'preStep', 'turnStopping', 'body work', 'task'])
      expect(settled).toContain(kind)
    expect(moves().some((move) => 'timer' in move)).toBe(true)
    expect(moves().some((move) => move.refuse !== undefined)).toBe(true)
    expect(moves().some(({ inside = [] }) => inside.some(({ issue }) => issue === 'throw'))).toBe(
      true,
    )
  })

  it('holds commands from every kind of place, also inside each other', () => {
    const issued = moves().map(({ inside = [] }) => inside)
    const places = new Set(issued.flat().map(({ at }) => at.replace(/ .*/, '')))
    expect([...places].toSorted()).toEqual(
      expect.arrayContaining(['abort', 'body', 'durable', 'gate', 'model', 'same', 'tick', 'told']),
    )
    expect(issued.some(({ length }) => length === 2)).toBe(true)
  })
})
