import { describe, expect, it } from 'vitest'
import type { Model } from '../../src/actors/model.port.ts'
import { routeModels } from '../../src/adapters/route-models.ts'
import { hear } from '../support/heard.ts'
import { requestOf } from '../support/provider-models.ts'

const speaking = (text: string, facts: Partial<Model> = {}): Model => ({
  ...facts,
  async *stream() {
    yield { kind: 'text-delta', block: 0, text }
    yield { kind: 'finish', reason: 'stop' }
  },
})

describe('routeModels', () => {
  it('sends each request to the provider that it names', async () => {
    const model = routeModels({ p1: speaking('one'), p2: speaking('two') })
    expect((await hear(model, requestOf({ provider: 'p2' }))).text).toBe('two')
    expect((await hear(model, requestOf({ provider: 'p1' }))).text).toBe('one')
  })

  it.each(['p3', 'constructor', ''])('fails with UNKNOWN_PROVIDER for %j', async (provider) => {
    const { failure, chunks } = await hear(
      routeModels({ p1: speaking('one') }),
      requestOf({ provider }),
    )
    expect(failure).toEqual({
      code: 'UNKNOWN_PROVIDER',
      message: `no model is routed for provider '${provider}'; known are 'p1'`,
    })
    expect(chunks).toEqual([])
  })

  it('names no route unless one is the default', () => {
    const facts = { modelId: 'm1', contextWindow: 10, defaults: { temperature: 0 } }
    const models = { p1: speaking('one', facts), p2: speaking('two') }
    expect(Object.keys(routeModels(models))).toEqual(['stream'])
    expect(routeModels(models, { default: 'p1' })).toMatchObject({ provider: 'p1', ...facts })
  })

  it.each([
    { models: { p1: {} as Model }, options: {} },
    { models: { p1: speaking('one') }, options: { default: 'p2' } },
  ])('refuses %j', ({ models, options }) => {
    expect(() => routeModels(models, options)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
  })
})
