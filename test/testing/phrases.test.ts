/** The notation is read broadly: many ways to say the same, and nothing is passed over in silence. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { hintsOf } from '../../src/testing/scenario/hints.ts'
import { readHook } from '../../src/testing/scenario/parse-hooks.ts'
import { readOptions } from '../../src/testing/scenario/parse-options.ts'
import { readTool } from '../../src/testing/scenario/parse-tools.ts'
import { parseVerbs } from '../../src/testing/scenario/parse-verbs.ts'
import { parseWhen } from '../../src/testing/scenario/parse-when.ts'
import { takeScope } from '../../src/testing/scenario/scope.ts'
import type { Setup } from '../../src/testing/scenario/setup.ts'
import { World } from '../../src/testing/scenario/world.ts'

interface Phrases {
  readonly commands: readonly { readonly phrase: string; readonly keys: readonly string[] }[]
  readonly moments: readonly { readonly phrase: string; readonly kind: string }[]
  readonly places: readonly { readonly phrase: string; readonly kind: string }[]
  readonly hooks: readonly string[]
  readonly tools: readonly { readonly phrase: string; readonly names: readonly string[] }[]
  readonly options: readonly { readonly phrase: string; readonly options: object }[]
}

const phrases = parse(readFileSync(new URL('phrases.yaml', import.meta.url), 'utf8')) as Phrases

const emptySetup = (): Setup => ({
  world: new World(),
  hints: hintsOf({ id: 'x' }),
  commanded: new Set(),
  gates: new Map(),
  assemblies: [],
  refusals: [],
  houseHooks: [],
  tools: new Map(),
  onAgent: [],
  options: {},
  unread: [],
  contexts: [],
  noRoute: false,
})

describe('commands', () => {
  test.each(phrases.commands)('$phrase', ({ phrase, keys }) => {
    const { verbs, unread } = parseVerbs(phrase)
    expect(unread).toEqual([])
    expect(verbs.map((verb) => verb.key)).toEqual(keys)
  })

  test('what cannot be read is named, and the rest is still read', () => {
    const { verbs, unread } = parseVerbs('followup A; compact the history; steer S')
    expect(unread).toEqual(['compact the history'])
    expect(verbs.map((verb) => verb.key)).toEqual(['followup A', 'steer S'])
  })
})

describe('moments', () => {
  test.each(phrases.moments)('$phrase', ({ phrase, kind }) => {
    expect(parseWhen(phrase)?.kind).toBe(kind)
  })

  test.each(phrases.places)('inside $phrase', ({ phrase, kind }) => {
    const when = parseWhen(`inside ${phrase}`)
    expect(when?.kind === 'inside' ? when.place.kind : undefined).toBe(kind)
  })

  test('a moment that nobody knows is none', () => {
    expect(parseWhen('when the cows come home')).toBeUndefined()
  })
})

describe('hooks', () => {
  test.each(phrases.hooks)('%s', (phrase) => {
    const setup = emptySetup()
    readHook(phrase, setup)
    expect(setup.unread).toEqual([])
  })

  test('a clause that says nothing is named', () => {
    const setup = emptySetup()
    readHook('preStep sings a song', setup)
    expect(setup.unread).toEqual(['hook "preStep sings a song": sings a song'])
  })
})

describe('tools', () => {
  test.each(phrases.tools)('$phrase', ({ phrase, names }) => {
    const setup = emptySetup()
    readTool(phrase, setup)
    expect(setup.unread).toEqual([])
    expect([...setup.tools.keys()]).toEqual(names)
  })
})

describe('options', () => {
  test.each(phrases.options)('$phrase', ({ phrase, options }) => {
    const setup = emptySetup()
    readOptions(phrase, setup)
    expect(setup.unread).toEqual([])
    expect(setup.options).toEqual(options)
  })
})

describe('scopes', () => {
  const asked = { n: 2, turn: 1, step: 2, call: 'c1', batch: ['A'] }
  test.each([
    ['rejects turn 1', 'rejects', true],
    ['rejects for step 1', 'rejects', false],
    ['rejects when step = 2', 'rejects', true],
    ['throws once', 'throws', false],
    ['throws twice', 'throws', true],
    ['denies for c1', 'denies', true],
    ['denies for c2', 'denies', false],
    ['rejects a batch containing "A"', 'rejects', true],
    ['rejects a batch containing "B"', 'rejects', false],
    ['switches the model from the third request on', 'switches the model', false],
    ['switches the model from the second request on', 'switches the model', true],
    ['always throws', 'throws', true],
    ['throws "once upon a time"', 'throws "once upon a time"', true],
  ])('%s', (phrase, rest, holds) => {
    const scope = takeScope(phrase)
    expect(scope.rest).toBe(rest)
    expect(scope.scope.holds(asked)).toBe(holds)
  })
})
