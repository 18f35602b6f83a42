/**
 * `turnwise paths` as a process, with a model that a user has written against the package; and the test that it prints
 * for a counterexample, run as it stands.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build, start } from './built.ts'
import type { Built, Running } from './built.ts'

let built: Built
let cwd: string

beforeAll(() => {
  built = build()
  // Below the package, so that its own name leads to it, as that of an installed package would.
  cwd = join(built.main, '../../../own')
  mkdirSync(cwd)
  put('sound.model.js', '{}')
  put('wrong.model.js', "{ name: 'wrong', moves: { abort: () => 'aborted' } }")
}, 60_000)
afterAll(() => {
  built.remove()
})

const put = (file: string, extension: string): void =>
  writeFileSync(
    join(cwd, file),
    `import { extendModel, lifecycleModel } from 'turnwise/testing'
     export default extendModel(lifecycleModel, ${extension})`,
  )

const turnwise = (...words: string[]): Running =>
  start(process.execPath, [built.main, ...words], { cwd })

/** Runs the test that was printed last. */
async function runPrinted(out: string): Promise<[code: number | string, out: string]> {
  expect(out).toContain('import assert')
  writeFileSync(join(cwd, 'printed.test.js'), out.slice(out.indexOf('import assert')))
  const running = start(process.execPath, ['--test', 'printed.test.js'], { cwd })
  return [await running.ended, running.out()]
}

describe('turnwise paths', () => {
  it('walks a model of the user, and ends by itself', async () => {
    const running = turnwise('paths', '--model', 'sound.model.js', '--limit', '50')
    expect([await running.ended, running.err()]).toEqual([0, ''])
    expect(running.out()).toContain('50 paths run, the agent did what the model says')
  })

  it('prints a counterexample whose test fails for the same reason', async () => {
    const running = turnwise('paths', '--model', 'wrong.model.js', '--only', 'abort', '--all')
    expect(await running.ended).toBe(1)
    const [code, out] = await runPrinted(running.out())
    expect(code).toBe(1)
    expect(out).toContain("kind: 'answer'")
  })

  it('prints a test that passes once the fault is mended', async () => {
    const running = turnwise('paths', '--model', 'wrong.model.js', '--only', 'abort', '--all')
    await running.ended
    const [code] = await runPrinted(running.out().replace('wrong.model.js', 'sound.model.js'))
    expect(code).toBe(0)
  })

  it('ends quietly when its reader has gone', async () => {
    const running = turnwise('paths', '--list')
    running.process.stdout?.destroy()
    expect(await running.ended).toBe(141)
    expect(running.err()).toBe('')
  })
})
