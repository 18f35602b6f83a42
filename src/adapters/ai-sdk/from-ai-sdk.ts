/**
 * Makes a model of any language model of the AI SDK, whatever version of its specification it follows.
 *
 * D1 It never repeats a request: `doStream` of a provider package does not either, and wrappers are told so.
 * D2 It ends soon after the signal of the request aborts: in silence, or with TIMEOUT where that was the reason.
 * D3 Failures are classified: those the stream tells of end it with an `error` finish, all others are thrown.
 *
 * @module
 */
import {
  ModelError,
  type Model,
  type ModelContext,
  type ModelRequest,
} from '../../actors/model.port.ts'
import { TurnwiseError } from '../../errors.ts'
import type { Chunk } from '../../events/chunk.ts'
import type { RequestConfig } from '../../events/event.ts'
import { callOptions, isSettings, type ProviderTool } from './call-options.ts'
import { failureOf, isTimeout, type FailureScene } from './failure.ts'
import { BROKEN } from './finish.ts'
import {
  checkedLanguageModel,
  type LanguageModelLike,
  type StreamAnswer,
  type StreamPart,
} from './language-model.ts'
import { PartMapper } from './part-mapper.ts'
import { answerOf, partsOf } from './read-parts.ts'

/** How a language model is used. */
export interface AiSdkOptions {
  /** Name of the route. Default: that of the language model, such as `openai.chat`. */
  readonly provider?: string
  /** Default: that of the language model. */
  readonly modelId?: string
  /** Tokens that fit into one request. */
  readonly contextWindow?: number
  /** Settings of every request, such as `temperature` or `providerOptions`; recorded as defaults of the adapter. */
  readonly settings?: NonNullable<RequestConfig['settings']>
  /** Headers of every request; never recorded. */
  readonly headers?: Readonly<Record<string, string>>
  /** Tools that the provider defines, as its package makes them. */
  readonly providerTools?: readonly ProviderTool[]
  /** Finds the language model when a request names another model id; without it such a request fails. */
  readonly modelFor?: (modelId: string) => LanguageModelLike
  /** Sees every part as it comes, also warnings, response metadata and raw errors. What it throws is ignored. */
  readonly onPart?: (part: StreamPart) => void
}

/** One request as it is running. */
interface Run {
  readonly languageModel: LanguageModelLike
  readonly request: ModelRequest
  readonly signal: AbortSignal
  readonly options: AiSdkOptions
}

function tell(options: AiSdkOptions, part: StreamPart): void {
  try {
    options.onPart?.(part)
  } catch {
    // An observer changes nothing.
  }
}

/** Names of the tools whose calls the agent runs. */
const offeredBy = ({ request }: Run): ReadonlySet<string> =>
  new Set(request.tools.map(({ name }) => name))

/** Sends the request; undefined when the signal aborted before the answer. */
function send({ languageModel, request, signal, options }: Run): Promise<StreamAnswer | undefined> {
  const version = languageModel.specificationVersion
  const call = callOptions(request, signal, version, options)
  // The parameter is `never`, so that models of each version can be passed.
  return answerOf(() => languageModel.doStream(call as never), signal)
}

async function* read(
  answer: StreamAnswer,
  mapper: PartMapper,
  run: Run,
): AsyncGenerator<Chunk, void> {
  try {
    for await (const part of partsOf(answer, run.signal)) {
      tell(run.options, part)
      yield* mapper.map(part)
    }
  } catch (thrown) {
    // The stream has said what is wrong before it broke.
    throw mapper.failure === undefined ? thrown : new ModelError(mapper.failure)
  }
  if (!mapper.finished) throw new ModelError(mapper.failure ?? BROKEN)
}

/** Throws the classified failure, unless the agent itself has ended the request. */
function rethrow(
  thrown: unknown,
  { signal, options }: Run,
  headers: FailureScene['headers'],
): void {
  if (signal.aborted) return
  tell(options, { type: 'error', error: thrown })
  throw new ModelError(failureOf(thrown, { signal, headers }))
}

async function* stream(run: Run): AsyncGenerator<Chunk, void> {
  const { signal } = run
  let headers: FailureScene['headers']
  try {
    const answer = signal.aborted ? undefined : await send(run)
    headers = answer?.response?.headers
    if (answer !== undefined)
      yield* read(answer, new PartMapper({ signal, headers }, offeredBy(run)), run)
  } catch (thrown) {
    rethrow(thrown, run, headers)
  }
  if (signal.aborted && isTimeout(signal.reason)) {
    throw new ModelError(failureOf(signal.reason, { signal }))
  }
}

/** Finds the language model for a request; the agent's log must not name a model that did not answer. */
function languageModelFor(
  own: LanguageModelLike,
  request: ModelRequest,
  options: AiSdkOptions,
): LanguageModelLike {
  if (request.model === own.modelId || request.model === options.modelId) return own
  if (options.modelFor !== undefined) return checkedLanguageModel(options.modelFor(request.model))
  throw new ModelError({
    code: 'UNKNOWN',
    message: `the request names model '${request.model}', but the adapter holds '${own.modelId}'; give fromAiSdk a modelFor to find others`,
  })
}

/**
 * Makes a model of a language model of the AI SDK.
 *
 * @throws TurnwiseError INVALID_OPTION when `languageModel` is none, repeats requests by itself, or headers stand in
 *   the settings; nothing is created.
 */
export function fromAiSdk(languageModel: LanguageModelLike, options: AiSdkOptions = {}): Model {
  const own = checkedLanguageModel(languageModel)
  if (!isSettings(options.settings)) {
    throw new TurnwiseError(
      'INVALID_OPTION',
      'settings must be an object without headers, because settings are recorded; nothing was created. Pass headers as the option headers.',
    )
  }
  return {
    provider: options.provider ?? own.provider,
    modelId: options.modelId ?? own.modelId,
    ...(options.contextWindow !== undefined && { contextWindow: options.contextWindow }),
    ...(options.settings !== undefined && { defaults: options.settings }),
    async *stream(request: ModelRequest, { signal }: ModelContext) {
      yield* stream({
        languageModel: languageModelFor(own, request, options),
        request,
        signal,
        options,
      })
    },
  }
}
