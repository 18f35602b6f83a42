/** A counterexample as text: the test runs when it is pasted, and the diagram is one that Mermaid reads. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printTest } from '../../../src/testing/explore/counterexample.ts'
import { explore } from '../../../src/testing/explore/explore.ts'
import type { Counterexample } from '../../../src/testing/explore/options.ts'
import { readMermaid } from '../../support/mermaid.ts'
import { leaking } from './planted.ts'

const root = join(import.meta.dirname, '../../..')
const planted = pathToFileURL(join(import.meta.dirname, 'planted.ts')).href

/** Resolves the package as its users do, from the sources. */
const RESOLVE = `
import { registerHooks } from 'node:module'
registerHooks({
  resolve: (name, context, next) =>
    next(name === 'turnwise/testing' ? '${pathToFileURL(join(root, 'src/testing/index.ts')).href}' : name, context),
})
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnwise-pasted-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Pastes a test into a file and runs it with Node alone. */
function pasted(text: string): Promise<{ code: number; output: string }> {
  const file = join(folder, 'pasted.test.mjs')
  const hooks = join(folder, 'resolve.mjs')
  writeFileSync(file, text)
  writeFileSync(hooks, RESOLVE)
  const node = join(root, 'node_modules/.bin/node')
  const args = ['--import', pathToFileURL(hooks).href, '--test', '--test-reporter=spec', file]
  return new Promise((resolve) => {
    execFile(node, args, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, output: stdout + stderr })
    })
  })
}

const found = async (): Promise<Counterexample> => {
  const { counterexamples } = await explore({
    ...leaking,
    source: { name: 'leaking', from: planted },
  })
  return counterexamples[0] as Counterexample
}

describe('the test', () => {
  it('fails when it is pasted, naming the rule, as long as the fault is there', async () => {
    const { test } = await found()
    expect(test).toContain("test('request-after-cancel: ")
    const { code, output } = await pasted(test)
    expect(code).toBe(1)
    expect(output).toContain("rule: 'request-after-cancel'")
  })

  it('passes where the fault is not', async () => {
    const text = printTest([{ command: 'followup' }], [], { name: 'leaking', from: planted })
    expect(await pasted(text)).toMatchObject({ code: 0 })
  })

  it('has a place for the options where nobody says how to import them', () => {
    const text = printTest([{ settle: "it's", answer: 'a\\b' }], [], undefined)
    expect(text).toContain('const options = {}')
    expect(text).toContain(String.raw`{ settle: 'it\'s', answer: 'a\\b' },`)
  })
})

describe('the diagram', () => {
  it('is read by Mermaid, and ends with what is wrong', async () => {
    const { diagram } = await found()
    const { db } = await readMermaid(diagram)
    const messages = db.getMessages?.() ?? []
    expect(messages.length).toBeGreaterThan(10)
    expect(diagram.trimEnd().split('\n').at(-1)).toBe(
      '  Note over You,World: I-AUTH request-after-cancel: a request was made of turn 1 after the turn was cancelled',
    )
  })

  it('shows commands inside callbacks, refusals, and texts with marks of its notation', async () => {
    const { counterexamples } = await explore({
      model: ['text "a; b # c"'],
      budgets: { followup: 1, cancel: 1, inside: 1, refuse: 1 },
      refusals: ['turn/end'],
      invariants: {
        closed: ({ record, log }) =>
          record.refusals?.length === 1 && log.some(({ type }) => type === 'cancel/requested')
            ? 'refused; and #cancelled'
            : undefined,
      },
    })
    const diagram = counterexamples[0]?.diagram ?? ''
    const { db } = await readMermaid(diagram)
    expect(db.getMessages?.()).not.toHaveLength(0)
    expect(diagram).toContain('Log--xAgent: turn/end is refused')
  })
})
