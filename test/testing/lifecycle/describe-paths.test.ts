/**
 * Tests of paths under any runner: how they are grouped, and what a failing one says.
 */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { describePaths, PathError } from '../../../src/testing/lifecycle/describe-paths.ts'
import { extendModel } from '../../../src/testing/lifecycle/extend-model.ts'
import { lifecycleModel } from '../../../src/testing/lifecycle/lifecycle-model.ts'
import { small } from './small.ts'

/** A runner that keeps the tests that it is given. */
function keeping() {
  const tests = new Map<string, () => Promise<void>>()
  const groups: string[] = []
  return {
    tests,
    describe: (name: string, body: () => void) => {
      groups.push(name)
      body()
      groups.pop()
    },
    test: (name: string, body: () => Promise<void>) => {
      tests.set([...groups, name].join(' / '), body)
    },
  }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('describePaths', () => {
  it('makes one test for each move in each state', async () => {
    const { tests, ...runner } = keeping()
    describePaths(small, runner)
    expect([...tests.keys()]).toEqual([
      'small: idle / followup',
      'small: idle / clear',
      'small: opening / hop',
    ])
    for (const test of tests.values()) await test()
  })

  it('makes those alone that are asked for', () => {
    const { tests, ...runner } = keeping()
    describePaths(small, { ...runner, only: ['clear'] })
    expect([...tests.keys()]).toEqual(['small: idle / clear'])
  })

  it('takes the globals of a runner that has them', () => {
    const { tests, describe: group, test } = keeping()
    vi.stubGlobal('describe', group)
    vi.stubGlobal('it', test)
    describePaths(small)
    expect(tests.size).toBe(3)
  })

  it('says in a failing test what was left, and how to run that alone', async () => {
    const { tests, ...runner } = keeping()
    const model = extendModel(lifecycleModel, { moves: { clear: () => 'true' } })
    describePaths(model, { ...runner, only: ['clear'] })
    const failure = await tests
      .get('lifecycle: idle / clear')?.()
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(PathError)
    const { message, run } = failure as PathError
    expect(message).toMatch(
      /^the agent left its model\n {2}1\. clear -> idle\nThe move was answered/,
    )
    expect(message).toContain('test("lifecycle: clear", async () => {')
    expect(run.disagreements).toHaveLength(1)
  })

  it('refuses to make no test at all', () => {
    expect(() => describePaths(small)).toThrow(/found neither; no test was made/)
    const { describe: group, test } = keeping()
    expect(() => describePaths(small, { describe: group, test, limit: 0 })).toThrow(
      /found none that "only" leaves; no test was made/,
    )
  })
})
