/**
 * Options out of range are refused when the agent is made, in words that name the option, what was expected and what was found.
 */
import { describe, expect, it } from 'vitest'
import { createAgent } from '../../src/actors/agent.ts'
import { resolveSettings } from '../../src/actors/settings.ts'
import { TurnwiseError } from '../../src/errors.ts'

const GATES =
  'preStep, request, requestError, stepResult, toolPre, toolPost, continuation, turnStopping'
const COUNT = 'a whole number of at least 1'
const COUNT_OR_NONE = 'a whole number of at least 1, or Infinity'

const gate = (): void => {}
const other = (): void => {}
const run = (): string => 'ok'

const circle: { self?: unknown } = {}
circle.self = circle

/** Options, the name that is refused, what it should be, and how what was found is shown. */
type Row = readonly [options: object, name: string, expected: string, found: string]

const REFUSED: readonly Row[] = [
  [{ maxTokens: 0 }, 'maxTokens', COUNT, '0'],
  [{ maxSteps: 1.5 }, 'maxSteps', COUNT, '1.5'],
  [{ maxSteps: Infinity }, 'maxSteps', COUNT, 'Infinity'],
  [{ maxSteps: '3' }, 'maxSteps', COUNT, '"3"'],
  [{ maxSteps: null }, 'maxSteps', COUNT, 'null'],
  [{ maxSteps: run }, 'maxSteps', COUNT, 'a function'],
  [{ maxSteps: 7n }, 'maxSteps', COUNT, 'a bigint'],
  [{ maxSteps: circle }, 'maxSteps', COUNT, 'an object'],
  [{ maxStops: -1 }, 'maxStops', 'a whole number of at least 0', '-1'],
  [{ maxAttempts: Number.NaN }, 'maxAttempts', COUNT, 'NaN'],
  [{ maxBarrenTurns: 0 }, 'maxBarrenTurns', COUNT, '0'],
  [{ streamIdleMs: -1 }, 'streamIdleMs', 'a whole number of at least 0', '-1'],
  [{ maxParallelToolCalls: 0 }, 'maxParallelToolCalls', COUNT, '0'],
  [{ maxTurnTokens: 0 }, 'maxTurnTokens', COUNT_OR_NONE, '0'],
  [{ maxTurnMs: -Infinity }, 'maxTurnMs', COUNT_OR_NONE, '-Infinity'],
  [{ toolTimeoutMs: '1' }, 'toolTimeoutMs', COUNT_OR_NONE, '"1"'],
  [{ drainGraceMs: -1 }, 'drainGraceMs', 'a whole number of at least 0, or Infinity', '-1'],
  [{ claim: 'two' }, 'claim', 'one of one, all', '"two"'],
  [{ concurrentRuns: 1 }, 'concurrentRuns', 'one of queue, reject', '1'],
  [{ durability: true }, 'durability', 'one of strict, turn, none', 'true'],
  [{ gates: { preStop: gate } }, 'gates.preStop', `one of the gates ${GATES}`, '"preStop"'],
  [{ gates: { toolPre: 7 } }, 'gates.toolPre', 'a function or a list of functions', '7'],
  [
    { gates: { toolPre: [gate, 'x'] } },
    'gates.toolPre',
    'a function or a list of functions',
    '[null,"x"]',
  ],
  [{ repeatGuard: { maxPeriod: 0 } }, 'repeatGuard.maxPeriod', 'a positive whole number', '0'],
  [{ repeatGuard: { repeats: 1 } }, 'repeatGuard.repeats', 'a whole number of at least 2', '1'],
  [{ repeatGuard: { action: 'stop' } }, 'repeatGuard.action', 'end or ask', '"stop"'],
  [{ tools: {} }, 'tools', 'a list of tools, or a registry with list()', '{}'],
  [{ tools: circle }, 'tools', 'a list of tools, or a registry with list()', 'an object'],
  [{ tools: [{ run }] }, 'tools', 'tools with a name and a run function', '{}'],
  [{ tools: [{ name: 't' }] }, 'tools', 'tools with a name and a run function', '{"name":"t"}'],
  [{ tools: [undefined] }, 'tools', 'tools with a name and a run function', 'undefined'],
  [
    {
      tools: [
        { name: 't', run },
        { name: 't', run },
      ],
    },
    'tools',
    'tools with different names',
    '"t"',
  ],
]

const thrownBy = (call: () => unknown): unknown => {
  try {
    return call()
  } catch (error) {
    return error
  }
}

it.each(REFUSED)('%o is refused: %s should be %s, found %s', (options, name, expected, found) => {
  const error = thrownBy(() => createAgent(options))
  expect(error).toBeInstanceOf(TurnwiseError)
  expect(error).toMatchObject({
    code: 'INVALID_OPTION',
    summary: `option ${name} should be ${expected}, found ${found}; no agent was created.`,
  })
})

describe('the options at their bounds', () => {
  it.each([
    { maxTokens: 1, maxSteps: 1, maxStops: 0, maxAttempts: 1, maxBarrenTurns: 1 },
    { streamIdleMs: 0, drainGraceMs: 0, maxTurnTokens: 1, maxTurnMs: 1, toolTimeoutMs: 1 },
    { drainGraceMs: Infinity, maxTurnTokens: Infinity, toolTimeoutMs: Infinity },
    { claim: 'all', concurrentRuns: 'reject', durability: 'none' },
    { repeatGuard: { maxPeriod: 1, repeats: 2, action: 'ask' } },
  ] as const)('are taken as they are: %o', ({ maxTokens, ...options }) => {
    const given = maxTokens === undefined ? options : { ...options, maxTokens }
    expect(resolveSettings(given)).toMatchObject(options)
  })

  it.each([
    [undefined, undefined],
    [false, undefined],
    [true, { maxPeriod: 3, repeats: 3, action: 'end' }],
    [{ repeats: 5 }, { maxPeriod: 3, repeats: 5, action: 'end' }],
  ] as const)('the repeat guard %o is %o', (repeatGuard, guard) => {
    const given = repeatGuard === undefined ? {} : { repeatGuard }
    expect(resolveSettings(given).repeatGuard).toEqual(guard)
  })

  it('gates become frozen lists, in the order in which they were given', () => {
    const { gates } = resolveSettings({
      gates: { turnStopping: [gate, other], preStep: gate as never },
    })
    expect([gates.turnStopping, gates.preStep, gates.request]).toEqual([[gate, other], [gate], []])
    expect(Object.isFrozen(gates.turnStopping)).toBe(true)
  })

  it.each<[string, () => number, number]>([
    ['a function is asked at each decision', () => 4, 4],
    ['nonsense means one at a time', () => 0, 1],
    [
      'a throw means one at a time',
      () => {
        throw new Error('unknown')
      },
      1,
    ],
  ])('of the pool: %s', (_, maxParallelToolCalls, size) => {
    expect(resolveSettings({ maxParallelToolCalls }).maxParallelToolCalls()).toBe(size)
  })
})
