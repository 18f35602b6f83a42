import { describe, expect, it } from 'vitest'
import { ModelError } from '../../../src/actors/model.port.ts'
import { failureOf } from '../../../src/adapters/ai-sdk/failure.ts'

/** An error as the provider packages throw it. */
const apiError = (fields: object, message = 'no'): Error =>
  Object.assign(new Error(message), { name: 'AI_APICallError', url: 'http://x', ...fields })
const named = (name: string, message = 'no', more: object = {}): Error =>
  Object.assign(new Error(message), { name, ...more })
const codeOf = (thrown: unknown): string => failureOf(thrown).code

describe('the status', () => {
  it.each([
    [429, 'RATE_LIMIT'],
    [500, 'SERVER'],
    [502, 'SERVER'],
    [504, 'SERVER'],
    [529, 'SERVER'],
    [401, 'AUTH'],
    [403, 'AUTH'],
    [408, 'TIMEOUT'],
    [400, 'UNKNOWN'],
    [404, 'UNKNOWN'],
    [422, 'UNKNOWN'],
  ])('%d is %s', (statusCode, code) => {
    expect(failureOf(apiError({ statusCode }))).toEqual({ code, message: 'no', status: statusCode })
  })

  it('of a stream that broke under status 200 is none', () => {
    const cause = named('TypeError', 'terminated', {
      cause: named('SocketError', 'other side closed', { code: 'UND_ERR_SOCKET' }),
    })
    const broken = apiError({ statusCode: 200, cause }, 'Failed to process successful response')
    expect(failureOf(broken)).toEqual({
      code: 'TRANSPORT',
      message: 'Failed to process successful response: terminated: other side closed',
    })
  })

  it('may stand in an error part as a code', () => {
    expect(failureOf({ code: 429, message: 'slow' })).toMatchObject({
      code: 'RATE_LIMIT',
      status: 429,
    })
    expect(failureOf({ code: '503', message: 'busy' })).toMatchObject({
      code: 'SERVER',
      status: 503,
    })
  })

  it('is found in the last error of a wrapper that has tried several times', () => {
    const retried = named('AI_RetryError', 'Failed after 3 attempts', {
      lastError: apiError({ statusCode: 429 }),
    })
    expect(failureOf(retried)).toMatchObject({ code: 'RATE_LIMIT', status: 429 })
  })
})

describe("the provider's own words beat the status", () => {
  it.each([
    [{ type: 'rate_limit_error' }, 'RATE_LIMIT'],
    [{ type: 'overloaded_error' }, 'SERVER'],
    [{ type: 'authentication_error' }, 'AUTH'],
    [{ type: 'permission_error' }, 'AUTH'],
    [{ type: 'timeout_error' }, 'TIMEOUT'],
    [{ type: 'invalid_request_error' }, 'UNKNOWN'],
    [{ type: 'tokens', code: 'rate_limit_exceeded' }, 'RATE_LIMIT'],
    [{ type: 'invalid_request_error', code: 'invalid_api_key' }, 'AUTH'],
    [{ type: 'invalid_request_error', code: 'context_length_exceeded' }, 'CONTEXT_OVERFLOW'],
    [{ type: 'api_error' }, 'SERVER'],
  ])('%j is %s', (error, code) => {
    const responseBody = JSON.stringify({ type: 'error', error: { message: 'no', ...error } })
    expect(codeOf(apiError({ statusCode: 500, responseBody }))).toBe(code)
    expect(codeOf({ message: 'no', ...error })).toBe(code)
  })

  it('also inside a failed response', () => {
    const data = {
      type: 'response.failed',
      response: { error: { code: 'server_error', message: 'no' } },
    }
    expect(codeOf({ message: 'no', data })).toBe('SERVER')
  })
})

describe('a request that is too long is CONTEXT_OVERFLOW', () => {
  it.each([
    [400, 'prompt is too long: 213462 tokens > 200000 maximum'],
    [400, 'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000'],
    [413, 'Request exceeds the maximum size'],
    [413, 'request_too_large'],
    [413, 'Payload Too Large'],
    [
      400,
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    ],
    [
      400,
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
    ],
    [
      400,
      'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
    ],
    [400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
    [400, 'Please reduce the length of the messages or completion.'],
    [400, 'the request exceeds the available context size. try increasing the context size'],
    [
      400,
      'The number of tokens to keep from the initial prompt is greater than the context length.',
    ],
    [400, 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length'],
    [400, 'Input is too long for requested model.'],
    [400, 'Invalid request: Your request exceeded model token limit: 262144'],
  ])('%d %s', (statusCode, message) => {
    expect(failureOf(apiError({ statusCode }, message))).toEqual({
      code: 'CONTEXT_OVERFLOW',
      message,
      status: statusCode,
    })
    // In a stream there is no status.
    expect(codeOf(message)).toBe('CONTEXT_OVERFLOW')
  })

  it.each([
    [429, 'Request too large for gpt-4o on tokens per min (TPM): Limit 30000', 'RATE_LIMIT'],
    [401, 'prompt is too long', 'AUTH'],
    [400, 'max_tokens is too large', 'UNKNOWN'],
  ])('but not %d %s', (statusCode, message, code) => {
    expect(codeOf(apiError({ statusCode }, message))).toBe(code)
  })
})

describe('without a status', () => {
  it.each([
    [
      'TRANSPORT',
      named('TypeError', 'fetch failed', { cause: named('Error', 'x', { code: 'ECONNRESET' }) }),
    ],
    ['TRANSPORT', named('Error', 'connect ECONNREFUSED', { code: 'ECONNREFUSED' })],
    ['TRANSPORT', named('Error', 'getaddrinfo', { code: 'ENOTFOUND' })],
    ['TRANSPORT', named('HeadersTimeoutError', 'x', { code: 'UND_ERR_HEADERS_TIMEOUT' })],
    ['TRANSPORT', named('TypeError', 'terminated')],
    ['TRANSPORT', named('Error', 'socket hang up')],
    ['TRANSPORT', named('AI_JSONParseError', 'JSON parsing failed: Text: x.')],
    ['TRANSPORT', named('AI_TypeValidationError', 'Type validation failed: Value: {}.')],
    ['TRANSPORT', named('AI_InvalidResponseDataError', "Expected 'id' to be a string.")],
    ['TRANSPORT', named('AI_EmptyResponseBodyError', 'Empty response body')],
    ['TRANSPORT', apiError({ statusCode: 500 }, 'JSON parsing failed: Text: x.')],
    ['ABORTED', named('AbortError', 'This operation was aborted')],
    ['ABORTED', new DOMException('aborted', 'AbortError')],
    ['TIMEOUT', new DOMException('timed out', 'TimeoutError')],
    ['AUTH', named('AI_LoadAPIKeyError', 'OpenAI API key is missing.')],
    [
      'UNKNOWN',
      named('AI_UnsupportedFunctionalityError', "'file part' functionality not supported"),
    ],
    ['UNKNOWN', new Error('boom')],
    ['UNKNOWN', undefined],
    ['UNKNOWN', 7],
    ['UNKNOWN', { type: 'constructor', message: 'no' }],
    ['SERVER', 'The server is overloaded'],
    ['RATE_LIMIT', { message: 'Rate limit reached' }],
  ])('%s: %s', (code, thrown) => {
    expect(codeOf(thrown)).toBe(code)
  })

  it('our own timeout is TIMEOUT, whatever is thrown', () => {
    const signal = AbortSignal.abort(Object.assign(new Error('silent'), { code: 'TIMEOUT' }))
    expect(failureOf(named('AbortError'), { signal }).code).toBe('TIMEOUT')
    const cancelled = AbortSignal.abort({ kind: 'user' })
    expect(failureOf(named('AbortError'), { signal: cancelled }).code).toBe('ABORTED')
  })

  it('a classified failure stays as it is', () => {
    const failure = {
      code: 'SERVER',
      message: 'busy',
      status: 503,
      retryAfterMs: 5,
      requestId: 'r',
    }
    expect(failureOf(new ModelError(failure))).toEqual(failure)
  })

  it('a cycle of causes comes to an end', () => {
    const error = new Error('round')
    error.cause = error
    expect(failureOf(error)).toEqual({ code: 'UNKNOWN', message: 'round' })
  })
})

describe('headers', () => {
  const NOW = Date.UTC(2026, 0, 1)
  const delayOf = (responseHeaders: object): number | undefined =>
    failureOf(apiError({ statusCode: 429, responseHeaders }), { nowMs: NOW }).retryAfterMs
  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'Retry-After': '1.5' }, 1500],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '-3' }, 0],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{}, undefined],
  ])('%j give a delay of %s ms', (headers, ms) => {
    expect(delayOf(headers)).toBe(ms)
  })

  it.each(['x-request-id', 'request-id', 'x-amzn-requestid'])('%s is the request id', (name) => {
    expect(
      failureOf(apiError({ statusCode: 500, responseHeaders: { [name]: 'r1' } })).requestId,
    ).toBe('r1')
  })
})
