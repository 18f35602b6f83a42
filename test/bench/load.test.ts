/**
 * `npm run load`, small: real process, real store, no assertion about time.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FairnessWatch, judgeLog, type Zeros } from '../../bench/load/judge.ts'
import { createAgent } from '../../src/actors/agent.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import { script } from '../../src/testing/script.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'

const MAIN = join(import.meta.dirname, '../../bench/load/main.ts')

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

const load = (...args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--expose-gc', '--no-warnings', MAIN, ...args],
      (error, out, err) => {
        resolve({ code: error === null ? 0 : (child.exitCode ?? -1), out, err })
      },
    )
  })

it('300 sessions, 20 running: nothing lost, doubled, out of order or unhandled, flat, and fair', async () => {
  const { code, out, err } = await load(
    '--sessions',
    '300',
    '--running',
    '20',
    '--turns',
    '3',
    '--json',
  )
  expect(err).toBe('')
  const report = JSON.parse(out) as Record<string, unknown>
  expect(report).toMatchObject({
    turns: 3 * (300 + 43),
    ranAtOnce: 20,
    zeros: { lost: 0, doubled: 0, outOfOrder: 0, unhandled: 0 },
    memory: { flat: true },
    fairness: { passedOver: 1 },
    metrics: { created: 300, resumed: 600, accepted: 1029, now: { resident: 0, pending: 0 } },
    passed: true,
  })
  expect(code).toBe(0)
}, 120_000)

it('wrong options are a usage error', async () => {
  expect(await load('--sessions', '0')).toMatchObject({
    code: 2,
    err: '--sessions should be a positive number\n',
  })
  expect(await load('--store', 'stone')).toMatchObject({ code: 2 })
})

/** What the judge says of a session with these prompts, answered by their ids unless another answer is given. */
async function judged(
  accepted: number,
  ids: readonly [id: string, answer?: string][],
): Promise<Zeros> {
  const model = scriptedModel(ids.map(([id, answer = id]) => [script.text(`re: ${answer}`)]))
  const agent = createAgent({ model })
  for (const [id] of ids) await agent.run({ id, content: id })
  const zeros = { lost: 0, doubled: 0, outOfOrder: 0, unhandled: 0 }
  judgeLog(zeros, 's1', agent.log.read(), accepted)
  return zeros
}

it('the judge finds what is lost, doubled and out of order, and a broken log', async () => {
  const none = { lost: 0, doubled: 0, outOfOrder: 0, unhandled: 0 }
  expect(await judged(2, [['s1-1'], ['s1-2']])).toEqual(none)
  expect(await judged(3, [['s1-1'], ['s1-2']])).toEqual({ ...none, lost: 1 })
  expect(await judged(2, [['s1-2'], ['s1-1']])).toEqual({ ...none, outOfOrder: 1 })
  expect(await judged(2, [['s1-1'], ['s1-2', 's1-1']])).toEqual({ ...none, lost: 1, doubled: 1 })
  const zeros = { ...none }
  judgeLog(zeros, 's1', [{ seq: 0, time: 0, type: 'turn/end' } as unknown as StoredEvent], 0)
  expect(zeros).toEqual({ ...none, unhandled: 1 })
})

it('the judge finds a tenant that is passed over', () => {
  const watch = new FairnessWatch()
  const tell = (type: 'waiting' | 'started', id: string, tenant: string): void =>
    watch.hear({ type, id, tenant })
  tell('waiting', 'a1', 'a')
  tell('waiting', 'b1', 'b')
  tell('waiting', 'b2', 'b')
  tell('started', 'b1', 'b')
  expect(watch.passedOver).toBe(1)
  tell('started', 'b2', 'b')
  expect([watch.passedOver, watch.waits]).toEqual([2, 3])
})
