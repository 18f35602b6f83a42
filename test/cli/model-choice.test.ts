/**
 * Which model answers: asked, given by the environment, or the offline planner.
 */
import { describe, expect, it } from 'vitest'
import { SetupFault, UsageFault } from '../../src/cli/fault.ts'
import { makeModel, readChoice } from '../../src/cli/model-choice.ts'
import { notInstalled, PROVIDERS } from '../../src/cli/providers.ts'

const provider = (name: string, model: string): object => ({ kind: 'provider', name, model })

describe('readChoice', () => {
  it.each([
    [undefined, {}, { kind: 'offline' }],
    [undefined, { OPENAI_API_KEY: ' ' }, { kind: 'offline' }],
    [undefined, { OPENAI_API_KEY: 'k' }, provider('openai', 'gpt-5-mini')],
    [undefined, { OPENAI_BASE_URL: 'http://x/v1' }, provider('openai-compatible', 'gpt-5-mini')],
    [
      undefined,
      { ANTHROPIC_API_KEY: 'k', DEEPSEEK_API_KEY: 'k' },
      provider('anthropic', 'claude-sonnet-4-5'),
    ],
    [undefined, { DEEPSEEK_API_KEY: 'k', TURNWISE_MODEL: 'v' }, provider('deepseek', 'v')],
    ['offline', { OPENAI_API_KEY: 'k' }, { kind: 'offline' }],
    ['openai-compatible:qwen:7b', {}, provider('openai-compatible', 'qwen:7b')],
  ])('%s with %j', (asked, env, choice) => {
    expect(readChoice(asked, env)).toEqual(choice)
  })

  it.each(['openai', 'openai:', ':x', 'nobody:x', 'constructor:x', 'toString:x'])(
    '%s is a usage error that names the providers',
    (asked) => {
      expect(() => readChoice(asked, {})).toThrow(UsageFault)
      expect(() => readChoice(asked, {})).toThrow('openai, openai-compatible, anthropic, deepseek')
    },
  )
})

describe('makeModel', () => {
  it.each([
    ['openai', 'OPENAI_API_KEY'],
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['deepseek', 'DEEPSEEK_API_KEY'],
    ['openai-compatible', 'OPENAI_BASE_URL'],
  ] as const)('%s without %s fails before anything is created', async (name, variable) => {
    const made = makeModel({ kind: 'provider', name, model: 'm' }, {}, {})
    await expect(made).rejects.toThrow(SetupFault)
    await expect(made).rejects.toThrow(`${name} needs ${variable} in the environment`)
  })

  it.each(['openai', 'anthropic', 'deepseek', 'openai-compatible'] as const)(
    'makes a model of %s whose route is what was asked',
    async (name) => {
      const env = { [PROVIDERS[name].baseUrl]: 'http://127.0.0.1:1/v1' }
      const made = await makeModel({ kind: 'provider', name, model: 'm' }, env, {})
      expect(made).toMatchObject({ title: `${name}:m`, model: { provider: name, modelId: 'm' } })
    },
  )

  it('names the command that installs a missing package, for this version of Node', () => {
    const missing = Object.assign(
      new Error("Cannot find package '@ai-sdk/openai' imported from x"),
      {
        code: 'ERR_MODULE_NOT_FOUND',
      },
    )
    const message = (version: string): string =>
      (notInstalled('openai', missing, version) as SetupFault).message
    expect(message('20.20.0')).toMatch(/npm install @ai-sdk\/openai@3$/)
    expect(message('24.9.0')).toMatch(/npm install @ai-sdk\/openai$/)
    expect(notInstalled('openai', missing, '24.9.0')).toMatchObject({ code: 'UNKNOWN_PROVIDER' })
  })

  it('leaves any other failure of loading as it is', () => {
    const broken = new Error('syntax')
    const deeper = Object.assign(new Error("Cannot find package 'zod'"), {
      code: 'ERR_MODULE_NOT_FOUND',
    })
    expect(notInstalled('openai', broken, '24.9.0')).toBe(broken)
    expect(notInstalled('openai', deeper, '24.9.0')).toBe(deeper)
  })
})
