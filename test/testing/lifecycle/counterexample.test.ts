/**
 * How a counterexample is told.
 */
import { expect, it } from 'vitest'
import {
  printCounterexample,
  printPathTest,
} from '../../../src/testing/lifecycle/counterexample.ts'
import { extendModel } from '../../../src/testing/lifecycle/extend-model.ts'
import { lifecycleModel } from '../../../src/testing/lifecycle/lifecycle-model.ts'
import { runPath } from '../../../src/testing/lifecycle/run-path.ts'

it('is told move by move with what each added to the log, then as the difference', async () => {
  const model = extendModel(lifecycleModel, { moves: { abort: () => 'aborted' } })
  const run = await runPath(model, ['followup', 'hop', 'gate enters', 'model calls', 'abort'])
  expect(printCounterexample(run).join('\n')).toMatchInlineSnapshot(`
    "  1. followup -> opening
         + inbox next-turn @0 +["m1"]
         + turn/start 1
         + inbox next-turn @0 -1 claimed
      2. hop -> gated
      3. gate enters -> streaming
         + step/start 1.1
         + user/message "m1"
         + request/header initial
         + request/context stage/stage
      4. model calls -> tooling
         + assistant/chunk 1.1 block-start
         + assistant/chunk 1.1 tool-call-delta
         + assistant/chunk 1.1 block-end
         + assistant/chunk 1.1 usage
         + assistant/chunk 1.1 finish
         + assistant/message 1.1 call c1=held
         + tool/call 1.1 c1 held
      5. abort -> draining
    The log puts the agent elsewhere:
      - draining; pending: 0 prompts, 0 steers, 0 notes; waiting: tool  [model]
      + tooling; pending: 0 prompts, 0 steers, 0 notes; waiting: tool  [agent]"
  `)
})

it('of a whole run says what came at the end', async () => {
  const run = await runPath(lifecycleModel, ['followup', 'hop'], { check: () => 'was no good' })
  expect(printCounterexample(run).slice(-4)).toEqual([
    '  at the end',
    '     + cancel/requested disposed 1',
    '     + turn/end 1 aborted:disposed uncommitted ["m1"]',
    'A check of the model failed: was no good',
  ])
})

it('is a test that stands alone', () => {
  expect(printPathTest(['followup', 'cancel, keep'], 'a title')).toMatchInlineSnapshot(`
    "import assert from 'node:assert/strict'
    import { test } from 'node:test'
    import { lifecycleModel, runPath } from 'turnwise/testing'

    test("a title", async () => {
      const { disagreements } = await runPath(lifecycleModel, [
        "followup",
        "cancel, keep",
      ])
      assert.deepEqual(disagreements, [])
    })
    "
  `)
})

it('is a test of a model of the user, with its bounds', () => {
  const test = printPathTest(['cancel'], 'a title', {
    from: './own.model.js',
    most: { prompts: 3, steers: 1, notes: 1 },
  })
  expect(test.split('\n').slice(2, 8)).toMatchInlineSnapshot(`
    [
      "import { extendModel, runPath } from 'turnwise/testing'",
      "import model from "./own.model.js"",
      "",
      "test("a title", async () => {",
      "  const { disagreements } = await runPath(extendModel(model, { remembers: { most: {"prompts":3,"steers":1,"notes":1} } }), [",
      "    "cancel",",
    ]
  `)
})
