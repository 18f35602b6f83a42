/** A printed log reads back to the same events, and lines are compared as the notation says. */
import { expect, test } from 'vitest'
import { checkLog } from '../../src/events/enclosure.ts'
import { parseLog } from '../../src/testing/parse-log.ts'
import { printLog } from '../../src/testing/print-event.ts'
import { checkRun } from '../../src/testing/check-run.ts'
import { diffLines, lineMatches, valueMatches } from '../../src/testing/scenario/compare.ts'
import { casesOf } from '../scenarios/run-cases.ts'

const AREAS = [
  'turn',
  'inbox',
  'cancel',
  'keep-inbox',
  'tools',
  'max-tokens',
  'options',
  'superset',
]

test.each(AREAS)('every log of the area %s reads back to the lines it was printed as', (area) => {
  for (const { id, expect: expected } of casesOf('cases', area)) {
    const log = ((expected?.['log'] ?? []) as string[]).filter(
      (line) => !line.startsWith('assistant/chunk'),
    )
    expect([id, printLog(parseLog(log), { verbose: true })]).toEqual([id, log])
    expect([id, checkRun(parseLog(log))]).toEqual([id, []])
  }
})

test('a line that is none is named', () => {
  expect(() => parseLog(['turn/start 1', 'turn/stop 1'])).toThrow('"turn/stop 1"')
})

test.each([
  [
    'turn/end 1 error:UNKNOWN "<names provider and model>"',
    'turn/end 1 error:UNKNOWN "no provider, no model"',
    true,
  ],
  [
    'turn/end 1 error:UNKNOWN "<names provider and model>"',
    'turn/end 1 error:UNKNOWN "no provider"',
    false,
  ],
  ['request/failed 1.1 #1 SERVER retry +*', 'request/failed 1.1 #1 SERVER retry +512ms', true],
  ['request/failed 1.1 #1 SERVER retry +*', 'request/failed 1.1 #1 SERVER retry', false],
  ['request/failed 1.1 #1 SERVER retry +3000', 'request/failed 1.1 #1 SERVER retry +3000ms', true],
  ['tool/result 1.1 c1 denied', 'tool/result 1.1 c1 denied "no"', true],
  ['tool/result 1.1 c1 error', 'tool/result 1.1 c1 error:ABORTED', false],
  ['turn/end 1 blocked uncommitted ["X"]', 'turn/end 1 blocked uncommitted ["X" <plugin>]', true],
  ['assistant/message 1.1 "a" | reasoning "r"', 'assistant/message 1.1 reasoning "r" | "a"', true],
  ['assistant/message 1.1 "a"', 'assistant/message 1.1 "a" [interrupted]', false],
])('%s against %s', (want, got, same) => {
  expect(lineMatches(want, got)).toBe(same)
})

test('the first difference is shown with what came instead', () => {
  expect(diffLines('log', ['a', 'b'], ['a', 'b'])).toEqual([])
  expect(diffLines('log', ['a', 'b'], ['a'])[0]).toContain('log[1] expected: b')
  expect(diffLines('log', ['a'], ['a', 'x'])[0]).toContain('(nothing more)')
})

test('values are compared by what is wanted: numbers count lists, words name records', () => {
  expect(valueMatches({ batch: 1 }, { batch: ['A'], step: 2 })).toBe(true)
  expect(valueMatches('cancel', { reason: 'cancel', ids: [] })).toBe(true)
  expect(valueMatches(2, ['a'])).toBe(false)
  expect(valueMatches([], [1])).toBe(false)
})

test('logs that are read back may stand as logs', () => {
  const events = parseLog([
    'inbox next-turn @0 +["A"]',
    'turn/start 1',
    'inbox next-turn @0 -1 claimed',
    'turn/end 1 blocked uncommitted ["A"]',
  ])
  expect(() => checkLog(events)).not.toThrow()
})

test.each([
  [['turn/start 1', 'turn/start 2'], 'the open turn is 1'],
  [['turn/start 1', 'step/start 1.1', 'turn/end 1 completed'], 'step 1 is open'],
  [
    [
      'turn/start 1',
      'step/start 1.1',
      'tool/call 1.1 c1 t',
      'step/end 1.1',
      'turn/end 1 completed',
    ],
    'without outcome',
  ],
  [['turn/start 1', 'turn/end 1 completed', 'step/start 1.1'], 'the open turn is none'],
  [
    [
      'inbox next-turn @0 +["A"]',
      'turn/start 1',
      'inbox next-turn @0 -1 claimed',
      'turn/end 1 blocked',
    ],
    'A has no fate',
  ],
])('checkRun finds what is wrong with %j', (lines, problem) => {
  expect(checkRun(parseLog(lines)).join('\n')).toContain(problem)
})

test('checkRun finds a status that was announced twice', () => {
  expect(checkRun([], ['running', 'idle', 'idle'])).toEqual(['status idle was announced twice'])
})
