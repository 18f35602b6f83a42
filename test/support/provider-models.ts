/**
 * The real provider packages against a provider on the loopback interface, and what they are asked.
 */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createDeepSeek } from '@ai-sdk/deepseek'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { fromAiSdk, type AiSdkOptions } from '../../src/adapters/ai-sdk/index.ts'
import type { Model, ModelContext, ModelRequest } from '../../src/actors/model.port.ts'
import type { WireFormat } from './spoken.ts'

/** A key that must turn up nowhere but in the headers of a request. */
export const SECRET_KEY = 'sk-test-0123456789abcdefSECRET'

/** Every package, by the wire format it reads. */
export const PACKAGES = {
  'openai-compatible': {
    format: 'openai-chat',
    make: (url: string, options?: AiSdkOptions) =>
      fromAiSdk(
        createOpenAICompatible({
          name: 'local',
          apiKey: SECRET_KEY,
          baseURL: `${url}/v1`,
          includeUsage: true,
        })('m'),
        options,
      ),
  },
  'openai-chat': {
    format: 'openai-chat',
    make: (url: string, options?: AiSdkOptions) =>
      fromAiSdk(createOpenAI({ apiKey: SECRET_KEY, baseURL: `${url}/v1` }).chat('m'), options),
  },
  deepseek: {
    format: 'openai-chat',
    make: (url: string, options?: AiSdkOptions) =>
      fromAiSdk(createDeepSeek({ apiKey: SECRET_KEY, baseURL: `${url}/v1` })('m'), options),
  },
  'openai-responses': {
    format: 'openai-responses',
    make: (url: string, options?: AiSdkOptions) =>
      fromAiSdk(createOpenAI({ apiKey: SECRET_KEY, baseURL: `${url}/v1` }).responses('m'), options),
  },
  anthropic: {
    format: 'anthropic',
    make: (url: string, options?: AiSdkOptions) =>
      fromAiSdk(createAnthropic({ apiKey: SECRET_KEY, baseURL: `${url}/v1` })('m'), options),
  },
} satisfies Record<
  string,
  { format: WireFormat; make: (url: string, options?: AiSdkOptions) => Model }
>

export type PackageName = keyof typeof PACKAGES

/** The packages that read a wire format. */
export const packagesFor = (format: WireFormat): PackageName[] =>
  (Object.keys(PACKAGES) as PackageName[]).filter((name) => PACKAGES[name].format === format)

/** A request that asks one question. */
export const requestOf = (fields: Partial<ModelRequest> = {}): ModelRequest => ({
  provider: 'p',
  model: 'm',
  tools: [
    {
      name: 'weather',
      description: 'Tells the weather.',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
    },
  ],
  messages: [
    {
      id: 'q',
      role: 'user',
      content: [{ type: 'text', text: 'How is it?' }],
      source: { kind: 'user' },
    },
  ],
  ...fields,
})

export const contextOf = (signal: AbortSignal = new AbortController().signal): ModelContext => ({
  agent: 'a',
  turn: 1,
  step: 1,
  attempt: 1,
  signal,
})
