/**
 * `turnwise paths`: what it lists, walks, and says of a counterexample, a bad file, a signal.
 */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, put, useCommand } from './command-rig.ts'
import { FakeOut } from './fake-out.ts'

useCommand()

const LIBRARY = JSON.stringify(join(import.meta.dirname, '../../src/testing/index.ts'))

/** A model whose agent is disposed of by a cancel, which nobody foresees. */
const putWrong = (): void =>
  put(
    'wrong.model.ts',
    `import { extendModel, lifecycleModel } from ${LIBRARY}
     export default extendModel(lifecycleModel, {
       name: 'wrong',
       moves: { cancel: ({ agent }) => void agent.dispose() },
     })`,
  )

describe('turnwise paths', () => {
  it('walks the shortest paths of the built-in model, and exits 0 where the agent agrees', async () => {
    const { code, out, err } = await call(['paths', '--limit', '40'])
    expect(code).toBe(0)
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^lifecycle: 40 paths between \d+ states, the longest of \d moves$/),
      expect.stringMatching(/^40 paths run, the agent did what the model says \(\d[\d.]* s\)$/),
      '',
    ])
    expect(err).toBe('')
  })

  it('lists paths and runs none', async () => {
    const { code, out } = await call(['paths', '--list', '--only', 'person allows', '--limit', '1'])
    expect([code, out]).toEqual([
      0,
      'asking -> tooling: followup > hop > gate enters > model calls, policy waits > policy asks > person allows\n',
    ])
  })

  it('lists them as JSON, one path a line', async () => {
    const { out } = await call(['paths', '--list', '--json', '--only', 'cancel, keep; abort'])
    const paths = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { moves: string[] })
    expect(new Set(paths.map(({ moves }) => moves.at(-1)))).toEqual(
      new Set(['cancel, keep', 'abort']),
    )
    expect(paths[0]).toEqual({ from: 'idle', to: 'idle', moves: ['cancel, keep'] })
  })

  it('lets more messages pend when it is told to', async () => {
    const words = ['paths', '--list', '--only', 'inject']
    const more = await call([...words, '--most', '2,1,2'])
    expect(more.out.length).toBeGreaterThan((await call(words)).out.length)
  })

  it('tells the first counterexample move by move, and as a test, and exits 1', async () => {
    putWrong()
    const { code, out } = await call(['paths', '--model', 'wrong.model.ts', '--only', 'converging'])
    expect(code).toBe(1)
    expect(out).toContain('1 path run, 1 counterexample')
    expect(out.slice(out.indexOf('Counterexample'))).toMatchInlineSnapshot(`
      "Counterexample: followup > cancel
        1. followup -> opening
           + inbox next-turn @0 +["m1"]
           + turn/start 1
           + inbox next-turn @0 -1 claimed
        2. cancel -> converging
           + cancel/requested disposed 1
      The move was answered otherwise:
        - aborted  [model]
        + (nothing)  [agent]

      As a test:

      import assert from 'node:assert/strict'
      import { test } from 'node:test'
      import { runPath } from 'turnwise/testing'
      import model from "./wrong.model.ts"

      test("wrong: followup > cancel", async () => {
        const { disagreements } = await runPath(model, [
          "followup",
          "cancel",
        ])
        assert.deepEqual(disagreements, [])
      })

      "
    `)
  })

  it('goes on behind a counterexample when it is told to', async () => {
    putWrong()
    const words = ['paths', '--model', 'wrong.model.ts', '--only', 'cancel', '--limit', '5']
    const { code, out } = await call([...words, '--all'])
    expect(code).toBe(1)
    expect(out).toMatch(/^5 paths run, \d counterexamples? \(/m)
  })

  it('tells it as one line of JSON', async () => {
    putWrong()
    const { code, out } = await call(['paths', '--model', './wrong.model.ts', '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      model: 'wrong',
      ran: expect.any(Number) as number,
      counterexample: {
        moves: expect.arrayContaining(['cancel']) as string[],
        disagreements: [{ kind: 'answer' }, { kind: 'standing' }, { kind: 'status' }],
        test: expect.stringContaining('import model from "./wrong.model.ts"') as string,
      },
    })
  })

  it('says on a terminal in one moving line how far it is', async () => {
    const err = new FakeOut({ isTTY: true })
    await call(['paths', '--limit', '40'], { err })
    expect(err.text).toContain(' of 40 paths')
    expect(err.shown()).toEqual([''])
  })

  it('says it elsewhere a few times, in a long walk', async () => {
    const { err } = await call(['paths', '--limit', '2000'])
    expect(err.split('\n')).toHaveLength(11)
    expect(err).toContain('1,000 of 2,000 paths\n')
  })

  it('stops at Ctrl-C between two paths, and tells what it has', async () => {
    const { code, out } = await call(['paths'], {
      signals: (send) => {
        setImmediate(() => send('SIGINT'))
      },
    })
    expect(code).toBe(130)
    expect(out).toMatch(/^\d+ paths? run, .*, [\d,]+ were not run \(/m)
  })
})

const refused = async (...words: string[]): Promise<[number, string]> => {
  const { code, err } = await call(['paths', ...words])
  return [code, err]
}

describe('turnwise paths refuses', () => {
  it('a file that is not there', async () => {
    const [code, err] = await refused('--model', 'none.ts')
    expect(code).toBe(1)
    expect(err).toContain(
      'INVALID_OPTION: expected a lifecycle model as the default export of none.ts',
    )
    expect(err).toContain('nothing was run')
  })

  it('a file that does not load', async () => {
    put('broken.mjs', 'export default (')
    const [code, err] = await refused('--model', 'broken.mjs')
    expect(code).toBe(1)
    expect(err).toContain('found that it does not load: ')
  })

  it.each([
    ['no default export', 'export const model = 1'],
    ['another default export', 'export default { name: "x", states: {} }'],
  ])('a file with %s', async (what, text) => {
    put('other.mjs', text)
    const [code, err] = await refused('--model', 'other.mjs')
    expect(code).toBe(1)
    expect(err).toContain(`found ${what}; nothing was run. Write: export default extendModel(`)
  })

  it('a model that contradicts itself', async () => {
    put(
      'lost.ts',
      `import { lifecycleModel } from ${LIBRARY}
       export default { ...lifecycleModel, name: 'lost', states: { idle: { ...lifecycleModel.states.idle, on: { followup: 'nowhere' } } } }`,
    )
    const [code, err] = await refused('--model', 'lost.ts')
    expect(code).toBe(1)
    expect(err).toContain('found a way from "idle" by "followup" to no state, "nowhere"')
  })

  it('a name that the model does not have', async () => {
    const [code, err] = await refused('--only', 'flying')
    expect(code).toBe(1)
    expect(err).toContain('found "flying"; no path was made. Its states are: ')
  })

  it.each([
    [['--limit', '0'], '--limit must be a whole number from 1 on'],
    [['--most', '3'], '--most must be PROMPTS,STEERS,NOTES'],
    [['--depth', '3'], "Unknown option '--depth'"],
    [['here'], 'nothing was expected behind the options, found "here"'],
  ])('%j, with exit code 2', async (words, message) => {
    const [code, err] = await refused(...words)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})
