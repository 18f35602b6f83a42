import { describe, expect, it } from 'vitest'
import { ModelError } from '../../../src/actors/model.port.ts'
import { failureOf } from '../../../src/adapters/ai-sdk/failure.ts'

describe('a message holds no credential', () => {
  it.each([
    ['Incorrect API key provided: sk-proj-abc123def456.', 'Incorrect API key provided: [redacted]'],
    ['header Authorization: Bearer abc.def-ghi_jkl', 'header Authorization: [redacted] [redacted]'],
    ['x-api-key: 0123456789', 'x-api-key: [redacted]'],
    ['{"api_key":"0123456789","n":1}', '{"api_key":"[redacted]","n":1}'],
    [
      'GET https://x/v1?key=AIzaSyA0123456789abcdef&alt=sse',
      'GET https://x/v1?key=[redacted]&alt=sse',
    ],
    ['proxy http://me:secret@host:80/ failed', 'proxy http://[redacted]@host:80/ failed'],
    ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', 'token [redacted]'],
    ['a task-oriented risk-free desk-bound plan', 'a task-oriented risk-free desk-bound plan'],
    ['Basic limits of your plan', 'Basic limits of your plan'],
  ])('%s', (text, clean) => {
    expect(failureOf(new Error(text)).message).toBe(clean)
    expect(failureOf(new ModelError({ code: 'X', message: text })).message).toBe(clean)
  })

  it('nor the body, the request or the headers', () => {
    const error = Object.assign(new Error('no'), {
      statusCode: 400,
      responseBody: 'BODY',
      requestBodyValues: { messages: 'REQUEST' },
      responseHeaders: { 'set-cookie': 'COOKIE' },
    })
    expect(JSON.stringify(failureOf(error))).not.toMatch(/BODY|REQUEST|COOKIE/)
  })

  it('nor more than a paragraph', () => {
    expect(failureOf(new Error('x'.repeat(5000))).message).toHaveLength(601)
  })
})
