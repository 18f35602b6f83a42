/**
 * What is recorded of a request that differs from the last one, and what the model is asked with then.
 */
import { describe, expect, it } from 'vitest'
import { createAgent } from '../../src/actors/agent.ts'
import type { AgentOptions } from '../../src/actors/agent-options.ts'
import type { PartialConfig } from '../../src/actors/gates.port.ts'
import type { Model, ModelRequest } from '../../src/actors/model.port.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { modelOf, stop } from './pushed-model.ts'
import { finish, ofType, rig, type RigOptions, say } from './rig.ts'

const ROUTE = { provider: 'p', model: 'm' }
const SETTINGS = { temperature: 1, tags: ['x'] }

/** A model that only keeps what it is asked with. */
function keeping(more: Partial<Model> = {}) {
  const asked: Partial<ModelRequest>[] = []
  const model = modelOf(async function* (request) {
    const { messages, ...rest } = request
    asked.push(rest)
    expect(messages.at(-1)).toMatchObject({ role: 'user' })
    yield stop
  })
  return { asked, model: { ...model, ...more } }
}

type Given = Omit<RigOptions, 'model'>
type Options = Given & { readonly model: Model }

/** Headers and routes in the log once `options` have had a turn each, one agent after another on one log. */
async function turns(...lives: readonly Options[]) {
  let log: AgentOptions['log'] | undefined
  let rows: object[] = []
  for (const options of lives) {
    const { agent } = rig({ ...options, ...(log !== undefined && { log }) })
    agent.followup('go')
    await agent.whenIdle()
    ;({ log } = agent)
    rows = agent.log
      .read()
      .filter(({ type }) => type === 'request/header' || type === 'request/context')
      .map(({ data }) => data as object)
  }
  return rows
}

/** A request gate that answers one configuration after another. */
const oneByOne = (...configs: readonly PartialConfig[]): NonNullable<AgentOptions['gates']> => {
  const left = [...configs]
  return { request: ({ config }) => left.shift() ?? config }
}

describe('the model is asked', () => {
  it.each<[string, Given, Partial<Model>, object]>([
    ['with its route and no more', {}, {}, {}],
    ['with a limit of tokens', { maxTokens: 7 }, {}, { maxTokens: 7 }],
    ['with settings', { settings: SETTINGS }, {}, { settings: SETTINGS }],
    ['with the defaults of its adapter', {}, { defaults: SETTINGS }, { settings: SETTINGS }],
    ['with a system prompt', { system: 'be brief' }, {}, { system: 'be brief' }],
    ['with one that is made', { system: () => 'be kind' }, {}, { system: 'be kind' }],
  ])('%s', async (_, options, more, expected) => {
    const { model, asked } = keeping(more)
    const { agent } = rig({ ...options, model })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(asked).toStrictEqual([{ ...ROUTE, tools: [], ...expected }])
    await finish(agent)
  })
})

describe('what is recorded', () => {
  it('of a first request is no more than it has', async () => {
    const at = { turn: 1, step: 1 }
    expect(await turns({ model: keeping().model })).toStrictEqual([
      { ...at, ...ROUTE, reason: 'initial' },
      { ...at, ...ROUTE },
    ])
    expect(await turns({ model: keeping({ contextWindow: 9 }).model })).toStrictEqual([
      { ...at, ...ROUTE, reason: 'initial' },
      { ...at, ...ROUTE, contextWindow: 9 },
    ])
  })

  it.each<[string, PartialConfig, object[]]>([
    ['a new provider is a new route', { ...ROUTE, provider: 'q' }, [{ provider: 'q', model: 'm' }]],
    ['a new model is a new route', { ...ROUTE, model: 'n' }, [{ provider: 'p', model: 'n' }]],
    ['a new limit is none', { ...ROUTE, maxTokens: 1 }, []],
  ])('of a change: %s', async (_, config, routes) => {
    const { model } = keeping()
    const { agent } = rig({ model, gates: oneByOne(ROUTE, config) })
    for (const text of ['A', 'B', 'C']) {
      agent.followup(say(text))
      await agent.whenIdle()
    }
    const at = { turn: 2, step: 1 }
    const headers = ofType(agent, 'request/header').map(({ data }) => data)
    expect(headers.slice(1)).toStrictEqual([{ ...at, ...config, reason: 'change' }])
    const contexts = ofType(agent, 'request/context').map(({ data }) => data)
    expect(contexts.slice(1)).toStrictEqual(routes.map((route) => ({ ...at, ...route })))
    await finish(agent)
  })

  it('of a next life is the logged configuration with the options of that life in it', async () => {
    const first = keeping({ defaults: { top: 1 } }).model
    const next = keeping({ defaults: { low: 2 } }).model
    const rows = await turns(
      { model: first, maxTokens: 5, settings: SETTINGS },
      { model: next },
      { model: next, maxTokens: 6 },
    )
    const [one, , two, three] = rows
    const at = { turn: 1, step: 1 }
    expect(one).toStrictEqual({
      ...at,
      ...ROUTE,
      maxTokens: 5,
      settings: { ...SETTINGS, top: 1 },
      adapterDefaults: ['top'],
      reason: 'initial',
    })
    expect(two).toStrictEqual({
      ...ROUTE,
      turn: 2,
      step: 1,
      maxTokens: 5,
      settings: { ...SETTINGS, low: 2 },
      adapterDefaults: ['low'],
      reason: 'resume',
    })
    expect(three).toStrictEqual({ ...two, turn: 3, maxTokens: 6 })
    expect(rows).toHaveLength(4)
  })

  it('of a next life with another context window is the route too', async () => {
    const rows = await turns(
      { model: keeping({ contextWindow: 9 }).model },
      { model: keeping({ contextWindow: 8 }).model },
      { model: keeping({ contextWindow: 8 }).model },
    )
    const windows = rows.filter((row) => !('reason' in row))
    expect(windows).toStrictEqual([
      { turn: 1, step: 1, ...ROUTE, contextWindow: 9 },
      { turn: 2, step: 1, ...ROUTE, contextWindow: 8 },
    ])
  })
})

describe('a request that cannot be made ends the turn', () => {
  it.each<[string, Given, Partial<Model>, string]>([
    [
      'since its tools cannot be listed',
      {
        tools: {
          list: () => {
            throw new Error('registry broke')
          },
        },
      },
      {},
      'registry broke',
    ],
    [
      'since an adapter adds what JSON cannot keep',
      {},
      { defaults: { temperature: Number.NaN } },
      'settings.temperature is NaN, which JSON cannot keep',
    ],
  ])('%s', async (_, options, more, message) => {
    const { model, asked } = keeping(more)
    const { agent, ends, log } = rig({ ...options, model })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual([`turn/end 1 error:UNKNOWN ${JSON.stringify(message)}`])
    expect(log().at(-2)).toBe('step/end 1.1')
    expect(asked).toEqual([])
    await finish(agent)
  })

  it('since there is a route and no model', async () => {
    const agent = createAgent({ provider: 'p', modelId: 'm' })
    agent.followup(say('A'))
    await settle()
    expect(ofType(agent, 'request/header')).toEqual([])
    expect(ofType(agent, 'turn/end').map(({ data }) => data.reason)).toMatchObject([
      {
        kind: 'error',
        code: 'UNKNOWN',
        message: expect.stringContaining('give the agent a model'),
      },
    ])
    await finish(agent)
  })
})
