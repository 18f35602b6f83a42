/**
 * A language model of the AI SDK as it looks from outside: versions 2, 3 and 4 of its specification.
 *
 * Nothing is imported from the AI SDK, so that any of its versions can be used and none has to be installed.
 *
 * @module
 */
import { TurnwiseError } from '../../errors.ts'

/** Versions of the specification that are understood. */
export type SpecVersion = 'v2' | 'v3' | 'v4'

/** One part of a stream. Which fields it has depends on its type and on the version. */
export interface StreamPart {
  readonly type: string
  readonly [field: string]: unknown
}

/** Where parts are read from: the reader of a web stream. */
export interface PartReader {
  read(): Promise<{ done: boolean; value?: unknown }>
  cancel(reason?: unknown): Promise<void>
}

/** What `doStream` answers. */
export interface StreamAnswer {
  readonly stream: { getReader(): PartReader }
  readonly response?:
    | { readonly headers?: Readonly<Record<string, string>> | undefined }
    | undefined
}

/** The part of a language model that is used: every `LanguageModelV2`, `V3` and `V4` has this shape. */
export interface LanguageModelLike {
  readonly specificationVersion: SpecVersion
  readonly provider: string
  readonly modelId: string
  // A parameter of type `never` takes the options of each version.
  doStream(options: never): PromiseLike<StreamAnswer>
}

/** A record of unknown values, or undefined. */
export const recordOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined

const VERSIONS: readonly unknown[] = ['v2', 'v3', 'v4'] satisfies SpecVersion[]

const found = (value: unknown): string => {
  if (value === null) return 'null'
  return typeof value === 'string' ? `'${value}'` : `a value of type ${typeof value}`
}

function faultOf(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return `the string '${value}'; strings name models of a gateway, so pass the model object of a provider package`
  }
  const fields = recordOf(value)
  if (fields === undefined) return found(value)
  if (!VERSIONS.includes(fields['specificationVersion'])) {
    return `specificationVersion ${found(fields['specificationVersion'])}`
  }
  for (const name of ['provider', 'modelId'] as const) {
    if (typeof fields[name] !== 'string') return `${name} ${found(fields[name])}`
  }
  return typeof fields['doStream'] === 'function' ? undefined : 'no method doStream'
}

/**
 * Makes sure that the model never repeats a request by itself: the agent owns retries. Models of provider packages do
 * not; a wrapper that says how often it retries is set to 0.
 */
function switchOffRetries(model: LanguageModelLike): void {
  const wrapper: { maxRetries?: unknown } = model as { maxRetries?: unknown }
  if (typeof wrapper.maxRetries !== 'number' || wrapper.maxRetries === 0) return
  const before = wrapper.maxRetries
  if (Reflect.set(model, 'maxRetries', 0)) return
  throw new TurnwiseError(
    'INVALID_OPTION',
    `the language model repeats failed requests by itself (maxRetries ${before}) and that cannot be switched off from outside; nothing was created. Make it with maxRetries 0: the agent owns retries.`,
  )
}

/**
 * Checks that `value` is a language model and switches off its own retries.
 *
 * @throws TurnwiseError INVALID_OPTION, which says what was expected and found.
 */
export function checkedLanguageModel(value: unknown): LanguageModelLike {
  const fault = faultOf(value)
  if (fault !== undefined) {
    throw new TurnwiseError(
      'INVALID_OPTION',
      `a language model of the AI SDK was expected (an object with specificationVersion 'v2', 'v3' or 'v4', provider, modelId and doStream), but found ${fault}; nothing was created.`,
    )
  }
  const model = value as LanguageModelLike
  switchOffRetries(model)
  return model
}
