/**
 * What a request is made with: what of the logged configuration lives on, what an adapter adds, and how both are compared.
 */
import { describe, expect, it } from 'vitest'
import {
  canonical,
  hasRoute,
  headerFields,
  loggedConfig,
  ownConfig,
  withDefaults,
} from '../../src/actors/request-config.ts'

const ROUTE = { provider: 'p', model: 'm' }
const AT = { turn: 1, step: 1, reason: 'initial' } as const

describe('the logged configuration', () => {
  it.each([
    ['without settings', {}, {}],
    [
      'with its settings',
      { maxTokens: 5, settings: { a: 1 } },
      { maxTokens: 5, settings: { a: 1 } },
    ],
    [
      'without what an adapter added',
      { settings: { a: 1, b: 2, c: null }, adapterDefaults: ['b'] },
      { settings: { a: 1, c: null } },
    ],
    [
      'without settings where an adapter added all',
      { settings: { a: 1 }, adapterDefaults: ['a'] },
      {},
    ],
  ])('lives on %s', (_, logged, config) => {
    expect(loggedConfig({ ...AT, ...ROUTE, ...logged })).toStrictEqual({ ...ROUTE, ...config })
  })
})

describe('the configuration of a new agent', () => {
  const model = { provider: 'p', modelId: 'm', stream: () => undefined as never }

  it.each([
    [{}, undefined, {}],
    [{}, model, ROUTE],
    [{ modelId: 'other' }, model, { provider: 'p', model: 'other' }],
    [{ provider: 'other', maxTokens: 1 }, model, { provider: 'other', model: 'm', maxTokens: 1 }],
    [{ settings: { a: 1 } }, undefined, { settings: { a: 1 } }],
  ])('of options %o', (options, given, config) => {
    expect(ownConfig(options, given)).toStrictEqual(config)
  })
})

it.each([
  [true, ROUTE],
  [false, { provider: 'p' }],
  [false, { model: 'm' }],
  [false, {}],
])('a route is complete: %s, of %o', (complete, config) => {
  expect(hasRoute(config)).toBe(complete)
})

describe('what an adapter adds', () => {
  it.each([
    ['nothing', { a: 1 }, undefined, { a: 1 }, []],
    ['what is missing', { a: 1 }, { a: 2, b: 3 }, { a: 1, b: 3 }, ['b']],
    ['all', undefined, { b: 3 }, { b: 3 }, ['b']],
    ['nothing where all is set', { a: 1 }, { a: 2 }, { a: 1 }, []],
  ])('is %s', (_, settings, defaults, both, added) => {
    const config = { ...ROUTE, ...(settings !== undefined && { settings }) }
    expect(withDefaults(config, defaults)).toStrictEqual({
      config: { ...ROUTE, settings: both },
      added,
    })
  })
})

it('a header says nothing of what there is none', () => {
  const bare = { config: ROUTE, added: [], system: undefined, tools: [] }
  expect(headerFields(bare)).toStrictEqual(ROUTE)
  const tools = [{ name: 't', parameters: {} }]
  expect(headerFields({ config: ROUTE, added: ['a'], system: '', tools })).toStrictEqual({
    ...ROUTE,
    system: '',
    tools,
    adapterDefaults: ['a'],
  })
})

describe('the text by which headers are compared', () => {
  it.each([
    ['sorts keys at every depth', { b: { d: 1, c: 2 }, a: 3 }, '{"a":3,"b":{"c":2,"d":1}}'],
    ['keeps lists as they are', { a: ['b', 'a', { d: 1, c: 2 }] }, '{"a":["b","a",{"c":2,"d":1}]}'],
    ['knows null', { b: null, a: [null] }, '{"a":[null],"b":null}'],
    ['is empty of nothing', undefined, ''],
  ])('%s', (_, value, text) => {
    expect(canonical(value)).toBe(text)
  })
})
