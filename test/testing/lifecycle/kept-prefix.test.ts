/**
 * The check of the built-in model on what was seen when a turn was cut.
 */
import { expect, it } from 'vitest'
import type { StoredEvent } from '../../../src/events/event.ts'
import { keptPrefix } from '../../../src/testing/lifecycle/kept-prefix.ts'
import { lifecycleModel } from '../../../src/testing/lifecycle/lifecycle-model.ts'
import { runPath } from '../../../src/testing/lifecycle/run-path.ts'
import type { LifecycleEvent } from '../../../src/testing/lifecycle/words.ts'

const problems = (log: readonly StoredEvent[]): unknown =>
  keptPrefix({ log, stage: undefined as never })

const logOf = async (...moves: LifecycleEvent[]): Promise<readonly StoredEvent[]> => {
  const all = ['followup', 'hop', 'gate enters', ...moves] as const
  return (await runPath(lifecycleModel, all)).log
}

const isMessage = ({ type }: StoredEvent): boolean => type === 'assistant/message'

it('text that was seen when a turn was cut stands in a message', async () => {
  const log = await logOf('model begins', 'cancel', 'hop')
  expect(log.filter(isMessage)).toHaveLength(1)
  expect(problems(log)).toEqual([])
})

it('a turn whose prefix is nowhere is named', async () => {
  const log = await logOf('model begins', 'cancel', 'hop')
  const end = log.find(({ type }) => type === 'turn/end')
  expect(problems(log.filter((event) => !isMessage(event)))).toEqual([
    `the turn that ended at event ${end?.seq} was cut, and text that was seen is in no message`,
  ])
})

it('a failed attempt leaves nothing behind, and that is right', async () => {
  const log = await logOf('model begins', 'model breaks off')
  expect(log.filter(isMessage)).toEqual([])
  expect(problems(log)).toEqual([])
})
