/**
 * Paths of a model: shortest first, all of them, and what is refused.
 */
import { describe, expect, it } from 'vitest'
import { extendModel } from '../../../src/testing/lifecycle/extend-model.ts'
import { lifecycleModel } from '../../../src/testing/lifecycle/lifecycle-model.ts'
import { pathsOf, type PathsOptions } from '../../../src/testing/lifecycle/paths.ts'
import { small } from './small.ts'

type Only = PathsOptions<'idle' | 'opening', 'followup' | 'hop' | 'clear'>

const ways = (options: Only = {}): string[] =>
  pathsOf(small, options).map(({ from, to, moves }) => `${from} -> ${to}: ${moves.join(' > ')}`)

describe('the paths of a model', () => {
  it('are one for each move of each standing, shortest first, those included that change nothing', () => {
    expect(ways()).toEqual([
      'idle -> opening: followup',
      'idle -> idle: clear',
      'opening -> idle: followup > hop',
    ])
  })

  it('can be those alone that end with a move, or lead from or to a state', () => {
    expect(ways({ only: ['clear'] })).toEqual(['idle -> idle: clear'])
    expect(ways({ only: ['opening'] })).toEqual([
      'idle -> opening: followup',
      'opening -> idle: followup > hop',
    ])
  })

  it('can be the first few', () => {
    expect(ways({ limit: 1 })).toEqual(['idle -> opening: followup'])
  })

  it('are plain data', () => {
    const [path] = pathsOf(lifecycleModel, { only: ['person allows'], limit: 1 })
    expect(JSON.parse(JSON.stringify(path))).toEqual(path)
  })

  it('are none in a state that moves of the extended model alone led to', () => {
    const model = extendModel(lifecycleModel, { without: ['maintain'] })
    expect(pathsOf(model).filter(({ to }) => to === 'maintaining')).toEqual([])
  })
})

/** Any object may be given where there are no types. */
const paths: (model: object) => unknown = (model) =>
  (pathsOf as (model: object) => unknown)({ ...small, ...model })

describe('refused is', () => {
  it('a name that the model does not have', () => {
    expect(() => pathsOf(small, { only: ['flying' as 'hop'] })).toThrow(
      /expected states and moves of the model "small", found "flying"; no path was made/,
    )
  })

  it('a model that remembers without bound', () => {
    const counts = {
      phase: 'idle',
      seen: () => true,
      on: { clear: { do: ({ n }: { n: number }) => ({ n: n + 1 }) } },
    }
    expect(() =>
      pathsOf({ ...small, remembers: { n: 0 }, states: { idle: counts } } as never, {
        maxStandings: 50,
      }),
    ).toThrow(/found more than 50 standings; no path was made/)
  })

  it('a model that begins nowhere', () => {
    expect(() => paths({ initial: 'nowhere' })).toThrow(/found no state "nowhere" to begin in/)
  })

  it('a way to no state', () => {
    const idle = { ...small.states.idle, on: { followup: 'nowhere' } }
    expect(() => paths({ states: { idle } })).toThrow(
      /found a way from "idle" by "followup" to no state, "nowhere"/,
    )
  })

  it('a state that no microtask settles', () => {
    const opening = { ...small.states.opening, on: {} }
    expect(() => paths({ states: { ...small.states, opening } })).toThrow(
      /found the state "opening" unsettled until "hop", which is not possible there/,
    )
  })

  it('a move that nothing makes', () => {
    expect(() => paths({ moves: { followup: small.moves.followup, clear: () => {} } })).toThrow(
      /found the move "hop" in the state "opening", which nothing makes/,
    )
  })
})
