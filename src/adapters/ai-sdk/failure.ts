/**
 * Classifies what went wrong with a request into the codes of the contract.
 *
 * F1 Words of the provider beat its status, its status beats the kind of the error: some packages make up a status.
 * F2 The message never holds a header, a key or a body; what looks like a credential is left out.
 * F3 The thrown value is not kept as cause: it holds the request and its headers.
 *
 * @module
 */
import { ModelError } from '../../actors/model.port.ts'
import type { Failure } from '../../events/message.ts'
import { factsOf, type FailureFacts } from './failure-facts.ts'
import { codeOfText, codeOfWords, redacted, saysOverflow } from './failure-words.ts'
import { definedFields } from './json-value.ts'
import { recordOf } from './language-model.ts'

/** Where a failure happened. */
export interface FailureScene {
  /** The signal of the request. */
  readonly signal?: AbortSignal | undefined
  /** Headers of the answer whose stream failed. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Ms since the epoch, for a `retry-after` that is a date. Default: now. */
  readonly nowMs?: number
}

/** Did the agent end this request because of silence or time? */
export function isTimeout(reason: unknown): boolean {
  const fields = recordOf(reason)
  if (fields === undefined) return reason === 'TIMEOUT'
  return [fields['code'], fields['kind']].includes('TIMEOUT') || fields['name'] === 'TimeoutError'
}

const NETWORK_CODE =
  /^(econn|enotfound|eai_|epipe|ehost|enet|etimedout|und_err|err_(ssl|tls|stream|http2)|cert_|connectionrefused|connectionclosed|failedtoopensocket)/
const NETWORK_TEXT =
  /\bterminated\b|fetch failed|failed to fetch|socket hang up|other side closed|premature close|network (error|socket)|cannot connect|connection (reset|closed|refused|error)|failed to process successful response/i

const MALFORMED: ReadonlySet<string> = new Set([
  'ai_jsonparseerror',
  'ai_typevalidationerror',
  'ai_invalidresponsedataerror',
  'ai_emptyresponsebodyerror',
  'syntaxerror',
])
const MALFORMED_TEXT = /^(json parsing failed|type validation failed)/i

const isMalformed = ({ words, texts }: FailureFacts): boolean =>
  [...words].some((word) => MALFORMED.has(word)) || texts.some((text) => MALFORMED_TEXT.test(text))

const isNetwork = ({ words, texts }: FailureFacts): boolean =>
  [...words].some((word) => NETWORK_CODE.test(word)) ||
  texts.some((text) => NETWORK_TEXT.test(text))

const isAbort = ({ words }: FailureFacts): boolean =>
  words.has('aborterror') || words.has('responseaborted') || words.has('abort_err')

function codeOfStatus({ status, words }: FailureFacts): string | undefined {
  if (status === undefined) return undefined
  if (status === 429) return 'RATE_LIMIT'
  if (status === 408) return 'TIMEOUT'
  if (status === 401 || status === 403) return 'AUTH'
  // A package that finds a refused request in a stream of status 200 may make up a 500 for it.
  return status >= 500 && !words.has('invalid_request_error') ? 'SERVER' : undefined
}

function codeOfKind(facts: FailureFacts): string | undefined {
  if (isAbort(facts)) return 'ABORTED'
  if (facts.words.has('timeouterror')) return 'TIMEOUT'
  if (isNetwork(facts)) return 'TRANSPORT'
  return facts.words.size === 0 ? codeOfText(facts.texts[0] ?? '') : undefined
}

function codeOf(facts: FailureFacts): string {
  if (saysOverflow(facts.texts, facts.words, facts.status)) return 'CONTEXT_OVERFLOW'
  // A broken stream is one whatever status its package makes up for it.
  if (isMalformed(facts)) return 'TRANSPORT'
  return codeOfWords(facts.words) ?? codeOfStatus(facts) ?? codeOfKind(facts) ?? 'UNKNOWN'
}

const numberOf = (text: string | undefined): number =>
  text === undefined || text.trim() === '' ? Number.NaN : Number(text)

/** `retry-after-ms`, else `retry-after` in seconds or as an HTTP date (RFC 9110, 10.2.3). Never negative. */
function retryAfterMs(headers: FailureFacts['headers'], nowMs: number): number | undefined {
  const text = headers['retry-after']
  const ms = [
    numberOf(headers['retry-after-ms']),
    numberOf(text) * 1000,
    Date.parse(text ?? '') - nowMs,
  ].find(Number.isFinite)
  return ms === undefined ? undefined : Math.max(0, Math.round(ms))
}

const REQUEST_ID_HEADERS = [
  'x-request-id',
  'request-id',
  'x-ds-trace-id',
  'x-amzn-requestid',
  'apim-request-id',
  'x-goog-request-id',
] as const

const requestIdOf = ({ headers, requestId }: FailureFacts): string | undefined =>
  REQUEST_ID_HEADERS.map((name) => headers[name]).find((id) => id !== undefined && id !== '') ??
  requestId

function messageOf(facts: FailureFacts): string {
  // The texts of these errors repeat what the provider sent.
  if (isMalformed(facts)) return 'the provider sent a stream that cannot be read'
  const texts = facts.texts.filter(
    (text, at) => !facts.texts.some((other, before) => before < at && other.includes(text)),
  )
  return redacted(texts.join(': ')) || 'the provider failed without saying why'
}

const ofModelError = (error: ModelError): Failure => ({
  code: error.code,
  message: redacted(error.message),
  ...definedFields({
    status: error.status,
    retryAfterMs: error.retryAfterMs,
    requestId: error.requestId,
  }),
})

/** The classified failure for a value that a language model threw or put into its stream. */
export function failureOf(thrown: unknown, scene: FailureScene = {}): Failure {
  if (scene.signal?.aborted === true && isTimeout(scene.signal.reason)) {
    return { code: 'TIMEOUT', message: 'the request was ended because it took too long' }
  }
  if (thrown instanceof ModelError) return ofModelError(thrown)
  const facts = factsOf(thrown, scene.headers)
  return {
    code: codeOf(facts),
    message: messageOf(facts),
    ...definedFields({
      status: facts.status,
      retryAfterMs: retryAfterMs(facts.headers, scene.nowMs ?? Date.now()),
      requestId: requestIdOf(facts),
    }),
  }
}
