import { describe, expect, it } from 'vitest'
import {
  fromAiSdk,
  type LanguageModelLike,
  type StreamPart,
} from '../../../src/adapters/ai-sdk/index.ts'
import type { StreamAnswer } from '../../../src/adapters/ai-sdk/language-model.ts'
import { deferred } from '../../support/deferred.ts'
import { fakeModel, finishPart, streamOf } from '../../support/fake-language-model.ts'
import { hear } from '../../support/heard.ts'
import { contextOf, requestOf } from '../../support/provider-models.ts'

const done = [finishPart('v3')]

describe('a value that is no language model is refused, and the message says what was found', () => {
  const base = fakeModel('v3', done)
  it.each([
    [undefined, 'found a value of type undefined'],
    [null, 'found null'],
    ['openai/gpt-5', "found the string 'openai/gpt-5'"],
    [{}, 'found specificationVersion a value of type undefined'],
    [{ ...base, specificationVersion: 'v1' }, "found specificationVersion 'v1'"],
    [{ ...base, provider: undefined }, 'found provider a value of type undefined'],
    [{ ...base, modelId: 7 }, 'found modelId a value of type number'],
    [{ ...base, doStream: undefined }, 'found no method doStream'],
  ])('%j', (value, found) => {
    expect(() => fromAiSdk(value as LanguageModelLike)).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        message: expect.stringContaining(found) as string,
      }),
    )
  })

  it('headers in the settings are refused: settings are recorded', () => {
    expect(() => fromAiSdk(base, { settings: { headers: { a: 'secret' } } })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
  })
})

describe('the route', () => {
  it('is that of the language model, or of the options', () => {
    expect(fromAiSdk(fakeModel('v3', done))).toMatchObject({ provider: 'fake.chat', modelId: 'm' })
    const settings = { temperature: 0 }
    const options = { provider: 'p', modelId: 'x', contextWindow: 9, settings }
    const model = fromAiSdk(fakeModel('v3', done), options)
    expect(model).toMatchObject({
      provider: 'p',
      modelId: 'x',
      contextWindow: 9,
      defaults: settings,
    })
  })

  it('to another model id fails, unless that model can be found', async () => {
    const request = requestOf({ model: 'other' })
    const { failure } = await hear(fromAiSdk(fakeModel('v3', done)), request)
    expect(failure?.message).toContain("names model 'other', but the adapter holds 'm'")
    const other = fakeModel('v4', [finishPart('v4')])
    const found = fromAiSdk(fakeModel('v3', done), { modelFor: () => other })
    expect((await hear(found, request)).reason).toBe('stop')
    expect(other.calls).toHaveLength(1)
  })
})

describe('one call', () => {
  it('carries prompt, tools, limits, settings, headers and signal, and asks for no repetition', async () => {
    const model = fakeModel('v3', done)
    const tool = { type: 'provider', id: 'x.search', name: 'search', args: {} }
    const adapter = fromAiSdk(model, {
      headers: { 'x-team': 'a' },
      settings: { temperature: 0, topP: 0.5 },
      providerTools: [tool],
    })
    const { signal } = new AbortController()
    const settings = { temperature: 0.2, providerOptions: { openai: { store: false } } }
    await hear(adapter, requestOf({ maxTokens: 99, settings }), contextOf(signal))
    expect(model.calls).toEqual([
      {
        prompt: [{ role: 'user', content: [{ type: 'text', text: 'How is it?' }] }],
        tools: [
          {
            type: 'function',
            name: 'weather',
            description: 'Tells the weather.',
            inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
          },
          tool,
        ],
        maxOutputTokens: 99,
        temperature: 0.2,
        topP: 0.5,
        providerOptions: { openai: { store: false } },
        headers: { 'x-team': 'a' },
        abortSignal: signal,
        includeRawChunks: false,
        maxRetries: 0,
      },
    ])
    expect(model.calls[0]?.['abortSignal']).toBe(signal)
  })

  it('without tools names none, and a tool of the provider takes the place of one of the same name', async () => {
    const model = fakeModel('v3', done)
    await hear(fromAiSdk(model), requestOf({ tools: [] }))
    expect(model.calls[0]).not.toHaveProperty('tools')
    const weather = { type: 'provider', id: 'x.weather', name: 'weather', args: {} }
    const own = fakeModel('v3', done)
    await hear(fromAiSdk(own, { providerTools: [weather] }))
    expect(own.calls[0]?.['tools']).toEqual([weather])
  })

  it.each([
    ['v3', 'temprature'],
    ['v3', 'headers'],
    ['v3', 'reasoning'],
  ] as const)('%s refuses the setting %s before anything is sent', async (version, name) => {
    const model = fakeModel(version, done)
    const { failure } = await hear(fromAiSdk(model), requestOf({ settings: { [name]: 1 } }))
    expect(failure?.message).toContain(`the setting '${name}' is unknown`)
    expect(model.calls).toEqual([])
  })

  it('may set the reasoning effort in version 4', async () => {
    const model = fakeModel('v4', [finishPart('v4')])
    await hear(fromAiSdk(model), requestOf({ settings: { reasoning: 'high' } }))
    expect(model.calls[0]).toMatchObject({ reasoning: 'high' })
  })
})

describe('retries belong to the agent', () => {
  it('a wrapper that repeats requests is told not to', () => {
    const wrapper = { ...fakeModel('v3', done), maxRetries: 2 }
    fromAiSdk(wrapper)
    expect(wrapper.maxRetries).toBe(0)
  })
  it('one that cannot be told is refused', () => {
    const wrapper = Object.freeze({ ...fakeModel('v3', done), maxRetries: 2 })
    expect(() => fromAiSdk(wrapper)).toThrow(/maxRetries 2/)
  })
  it('a failed call is made once', async () => {
    let calls = 0
    const model = {
      ...fakeModel('v3', done),
      async doStream(): Promise<never> {
        calls += 1
        throw Object.assign(new Error('slow down'), { statusCode: 429 })
      },
    }
    expect((await hear(fromAiSdk(model))).failure?.code).toBe('RATE_LIMIT')
    expect(calls).toBe(1)
  })
})

/** A language model that does not heed its signal. */
const deaf = (doStream: () => PromiseLike<StreamAnswer>): LanguageModelLike => ({
  ...fakeModel('v3', done),
  doStream,
})

describe('the signal', () => {
  it('ends a call that never answers, and closes an answer that comes too late', async () => {
    const late = deferred<StreamAnswer>()
    const abort = new AbortController()
    const hearing = hear(fromAiSdk(deaf(() => late.promise)), requestOf(), contextOf(abort.signal))
    abort.abort({ kind: 'user' })
    expect(await hearing).toMatchObject({ chunks: [], thrown: false })
    const closed = new Promise((resolve) => {
      late.resolve({ stream: new ReadableStream({ cancel: resolve }) })
    })
    expect(await closed).toBeUndefined()
  })

  it('ends a stream that never goes on, with the reason of the signal', async () => {
    const closed = deferred<unknown>()
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue({ type: 'text-delta', id: '0', delta: 'a' })
      },
      cancel: closed.resolve,
    })
    const abort = new AbortController()
    const cause = { kind: 'user' }
    const heard = await hear(
      fromAiSdk(deaf(async () => ({ stream }))),
      requestOf(),
      contextOf(abort.signal),
      ({ kind }) => {
        if (kind === 'text-delta') abort.abort(cause)
      },
    )
    expect(heard).toMatchObject({ text: 'a', finishes: 0, thrown: false })
    expect(await closed.promise).toBe(cause)
  })

  it('that aborts while the answer is late keeps its failure to itself', async () => {
    const late = deferred<StreamAnswer>()
    const abort = new AbortController()
    const hearing = hear(fromAiSdk(deaf(() => late.promise)), requestOf(), contextOf(abort.signal))
    abort.abort(Object.assign(new Error('silent'), { code: 'TIMEOUT' }))
    expect((await hearing).failure?.code).toBe('TIMEOUT')
    late.reject(new Error('nobody hears this'))
  })
})

describe('an answer that is none', () => {
  it.each([undefined, {}, { stream: [] }])('%j is a failure', async (answer) => {
    const model = { ...fakeModel('v3', done), doStream: async () => answer as never }
    expect((await hear(fromAiSdk(model))).failure?.message).toContain('answered without a stream')
  })

  it('a call that throws at once is a failure', async () => {
    const model = {
      ...fakeModel('v3', done),
      doStream(): never {
        throw new Error('at once')
      },
    }
    expect((await hear(fromAiSdk(model))).failure).toEqual({ code: 'UNKNOWN', message: 'at once' })
  })

  it('onPart sees what was thrown, whole', async () => {
    const seen: StreamPart[] = []
    const error = new Error('terminated')
    const parts = [{ type: 'text-delta', id: '0', delta: 'a' }, error]
    const model = { ...fakeModel('v3', []), doStream: async () => ({ stream: streamOf(parts) }) }
    await hear(fromAiSdk(model, { onPart: (part) => seen.push(part) }))
    expect(seen.at(-1)).toEqual({ type: 'error', error })
  })
})
