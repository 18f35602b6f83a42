/**
 * The check of the built-in model on questions about calls.
 */
import { expect, it } from 'vitest'
import type { StoredEvent } from '../../../src/events/event.ts'
import { closedQuestions } from '../../../src/testing/lifecycle/closed-questions.ts'
import { lifecycleModel } from '../../../src/testing/lifecycle/lifecycle-model.ts'
import { runPath } from '../../../src/testing/lifecycle/run-path.ts'

const asked = [
  'followup',
  'hop',
  'gate enters',
  'model calls, policy waits',
  'policy asks',
] as const
const problems = (log: readonly StoredEvent[]): unknown =>
  closedQuestions({ log, stage: undefined as never })

it.each([
  ['answered', 'person denies'],
  ['closed by a cancel', 'cancel'],
  ['closed by a disposal', 'dispose'],
] as const)('a question that is %s is recorded as decided', async (_, move) => {
  const { log } = await runPath(lifecycleModel, [...asked, move])
  expect(log.filter(({ type }) => type === 'approval/decided')).toHaveLength(1)
  expect(problems(log)).toEqual([])
})

it('one of which nothing is decided when its turn ends is named by its call', async () => {
  const { log } = await runPath(lifecycleModel, [...asked, 'cancel'])
  expect(problems(log.filter(({ type }) => type !== 'approval/decided'))).toEqual([
    expect.stringMatching(/^the question about call \S+ was neither answered nor recorded/),
  ])
})
