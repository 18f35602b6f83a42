/** Cases whose outcome stands in sentences: each sentence as an assertion. */
import { expect, test } from 'vitest'
import { runScenario } from '../../src/testing/scenario/run-scenario.ts'
import type { Scenario, ScenarioResult } from '../../src/testing/scenario/scenario.ts'
import { casesOf } from './run-cases.ts'

const AREAS = [
  'retry',
  'services',
  'owned-run',
  'keep-inbox',
  'continuation',
  'options',
  'request-error',
  'tools',
  'superset',
]

/** Runs a handed case, or a variant of it. */
function run(
  id: string,
  change: (scenario: Scenario) => Scenario = (same) => same,
): Promise<ScenarioResult> {
  const found = AREAS.flatMap((area) => casesOf('cases', area)).find(
    (scenario) => scenario.id === id,
  )
  if (found === undefined) throw new Error(`no case ${id}`)
  return runScenario(change(found))
}

const bodies = ({ events }: ScenarioResult): number =>
  (events['s1'] ?? []).filter(
    (event) => event.type === 'tool/result' && event.data.outcome.kind === 'ok',
  ).length

const withOptions =
  (options: string) =>
  (scenario: Scenario): Scenario => ({ ...scenario, setup: { ...scenario.setup, options } })

test('XR-02 a failure that is not transient is not retried and sets no timer', async () => {
  const { log } = await run('XR-02')
  expect(log.slice(-3)).toEqual([
    'request/failed 1.1 #1 AUTH fail',
    'step/end 1.1',
    'turn/end 1 error:AUTH "boom"',
  ])
})

test('XR-06 always mode retries everything after other recovery was asked, up to the hard cap', async () => {
  let asked = 0
  const result = await run('XR-06', (scenario) => ({
    ...scenario,
    setup: { ...scenario.setup, hooks: ['requestError counts'] },
    expect: { observed: { requestErrorCalls: 12 } },
  }))
  asked = (result.observed['requestErrorCalls'] as unknown[]).length
  expect(asked).toBe(12)
  const failed = result.log.filter((line) => line.startsWith('request/failed'))
  expect(failed).toHaveLength(12)
  expect(failed.slice(0, 11).every((line) => line.includes(' retry +'))).toBe(true)
  expect(result.log.slice(-3)).toEqual([
    'request/failed 1.1 #12 SERVER fail',
    'step/end 1.1',
    'turn/end 1 limit:attempts',
  ])
})

test('XR-07 an empty completion is a failed attempt, retried, and no empty message is committed', async () => {
  const { log } = await run('XR-07')
  expect(log.filter((line) => /^(?:request\/failed|assistant\/message)/.test(line))).toEqual([
    expect.stringMatching(/^request\/failed 1\.1 #1 EMPTY_RESPONSE retry \+\d+ms$/),
    'assistant/message 1.1 "ok"',
  ])
})

test('XR-13 a flush that fails before the body stops it: the turn errs and no body ran', async () => {
  const result = await run('XR-13', (scenario) => ({
    ...scenario,
    setup: {
      ...scenario.setup,
      tools: ['t'],
      hooks: ['the flush before a tool body rejects "store broke"'],
    },
    commands: [{ when: 'idle', do: 'followup A' }],
    expect: { observed: { bodiesStarted: [] } },
  }))
  expect(result.ok).toBe(true)
  expect(result.log.slice(-3)).toEqual([
    'tool/result 1.1 c1 error:ABORTED_BEFORE_DISPATCH',
    'step/end 1.1',
    'turn/end 1 error:UNKNOWN "store broke"',
  ])
})

test('XR-13 the second flush fails: no body ran and the turn errs', async () => {
  const result = await run('XR-13')
  expect(bodies(result)).toBe(0)
  expect(result.log.at(-1)).toMatch(/^turn\/end 1 error:UNKNOWN/)
})

test('SD-21 the interval starts at the own message, and the turn takes in the context before it', async () => {
  const { runs, log } = await run('SD-21')
  const [first] = runs['run']?.events ?? []
  expect(first).toMatchObject({ type: 'inbox/inserted', data: { message: { id: 'A' } } })
  expect(log).toContain('user/message "X" <plugin>')
  expect(log).toContain('user/message "A"')
})

test('KL-01 with restoreClaimed the message comes back, and the next wake runs both', async () => {
  const { log } = await run('KL-01', (scenario) => ({
    ...scenario,
    setup: { model: ['text "a"', 'text "b"'] },
    commands: [
      { when: 'idle', do: 'followup A' },
      { when: 'same tick', do: 'cancel user {keepInbox, restoreClaimed: true}' },
      { when: 'after idle', do: 'followup B' },
    ],
  }))
  expect(log.filter((line) => /restored|^user\/message/.test(line))).toEqual([
    'inbox next-turn @0 +["A"] restored',
    'user/message "A"',
    'user/message "B"',
  ])
})

test('CO-11 with the default budget the hook is not asked a 26th time, and nothing is left pending', async () => {
  const result = await run('CO-11', (scenario) => ({
    ...scenario,
    setup: { ...scenario.setup, options: 'maxStops: 25', model: ['text "x" x40'] },
    expect: { observed: { turnStoppingCalls: 25 }, inbox: { 'next-turn': [], 'next-step': [] } },
  }))
  expect(result.diffs).toEqual([])
  expect(result.log.at(-1)).toBe('turn/end 1 limit:stops')
})

test('SE-02 with the default claim the same commands give three turns', async () => {
  const { log } = await run('SE-02', (scenario) => ({
    ...scenario,
    setup: { model: ['text "1"', 'text "2"', 'text "3"'] },
  }))
  expect(log.filter((line) => line.startsWith('turn/end'))).toEqual([
    'turn/end 1 completed',
    'turn/end 2 completed',
    'turn/end 3 completed',
  ])
})

test('SD-04 a second run is refused where runs are not queued, and writes nothing', async () => {
  const { runs, log } = await run('SD-04', withOptions("concurrentRuns: 'reject'"))
  expect(Object.keys(runs)).toEqual(['r1'])
  expect(log.some((line) => line.includes('"B"'))).toBe(false)
})

test('RE-14 a cancel between endless retries ends them: no attempt starts behind it', async () => {
  const { log, requests } = await run('RE-14', (scenario) => ({
    ...scenario,
    setup: { ...scenario.setup, options: 'maxAttempts: 1000000' },
    commands: [
      { when: 'idle', do: 'followup A' },
      { when: 'model request 5 made', do: 'cancel user' },
    ],
  }))
  const failed = log.filter((line) => line.startsWith('request/failed')).length
  expect(requests.length - failed).toBeLessThanOrEqual(1)
  expect(log.at(-1)).toBe('turn/end 1 aborted:user')
})

test('NW-06 a tool that waits for its own disposal: the disposal goes on, only its promise rejects', async () => {
  const result = await run('NW-06', (scenario) => ({
    ...scenario,
    setup: { ...scenario.setup, tools: ['t awaits dispose of its own handle'] },
    expect: { status: 'disposed' },
  }))
  expect(result.diffs).toEqual([])
  expect(result.log.slice(-3)).toEqual([
    'tool/result 1.1 c1 error:SELF_WAIT',
    'step/end 1.1',
    'turn/end 1 aborted:disposed',
  ])
})
