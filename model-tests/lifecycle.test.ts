/**
 * Every edge of the lifecycle model, reached by a shortest path, drives the real agent: after each move its log must put
 * it where the model is, and the whole log must hold the invariants.
 */
import { describe, expect, it, test } from 'vitest'
import type { AnyMachineSnapshot } from 'xstate'
import { chartOf } from '../src/testing/lifecycle/chart-of.ts'
import { describePaths } from '../src/testing/lifecycle/describe-paths.ts'
import { lifecycleModel } from '../src/testing/lifecycle/lifecycle-model.ts'
import { pathsOf } from '../src/testing/lifecycle/paths.ts'
import { ANSWERS, COMMANDS } from '../src/testing/lifecycle/words.ts'
import { explore } from './graph.ts'
import { windowsHit } from './windows-hit.ts'

const keyOf = ({ value, context }: AnyMachineSnapshot): string => JSON.stringify([value, context])
const paths = pathsOf(lifecycleModel)
const states = Object.keys(lifecycleModel.states)

describePaths(lifecycleModel, { describe, test })

describe('the model', () => {
  it('is worth walking', () => {
    expect(paths.length).toBeGreaterThan(10_000)
  })

  it('reaches every state, and makes every move', () => {
    expect([...new Set(paths.map(({ to }) => to))].toSorted()).toEqual(states.toSorted())
    const made = new Set(paths.map(({ moves }) => moves.at(-1)))
    expect([...COMMANDS, ...ANSWERS].filter((move) => !made.has(move))).toEqual([])
  })

  it('leaves every state but the last, and comes from everywhere to rest or to the end', () => {
    const home = new Set(['idle', 'disposed'])
    for (let before = 0; before < home.size;) {
      before = home.size
      for (const { from, to } of paths) if (home.has(to)) home.add(from)
    }
    expect(states.filter((state) => !home.has(state))).toEqual([])
  })

  it('foresees every command in every state, but those that can be aimed at nothing there', () => {
    const silent = Object.entries(lifecycleModel.states).flatMap(([state, { on }]) =>
      COMMANDS.filter((command) => !(command in on)).map((command) => `${command} in ${state}`),
    )
    expect(silent).toEqual([])
  })

  it('has the standings and shortest paths that @xstate/graph finds in its chart', () => {
    const events = Object.keys(lifecycleModel.moves).map((type) => ({ type }))
    const graph = explore(chartOf(lifecycleModel), events, keyOf)
    const lengths = [...graph.paths.values()].map((moves) => moves.length)
    expect(Math.max(...lengths) + 1).toBe(Math.max(...paths.map(({ moves }) => moves.length)))
    // Each standing is left by the same number of moves, those included that change nothing.
    const ways = new Set(paths.map(({ moves }) => moves.slice(0, -1).join(' > ')))
    expect(ways.size).toBe(graph.adjacency.length)
    const sum = [...ways].reduce((all, way) => all + (way === '' ? 0 : way.split(' > ').length), 0)
    expect(sum).toBe(lengths.reduce((all, length) => all + length, 0))
  })
})

it('a cancel on a shortest path into its states meets every window that waits for somebody outside', async () => {
  expect(await windowsHit()).toEqual([
    'W07 open.yielding',
    'W08 open.assembling',
    'W09 open.gating',
    'W11 composing',
    'W12 streaming',
    'W13 recovering',
    'W14 backingOff',
    'W15 transforming',
    'W17 calling.admitting',
    'W17 calling.approving',
    'W18 calling.running',
    'W19 calling.accounting',
    'W21 open.deciding',
    'W22 open.stopping',
  ])
})
