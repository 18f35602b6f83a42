/**
 * Faults of a request, as answers: a status, a code and a sentence. What nobody foresaw is a 500 that tells nothing.
 *
 * @module
 */
import { type ErrorCode, TurnwiseError } from '../../errors.ts'
import { ShapeError } from '../../events/shape.ts'

/** Codes that only this door knows, beside those of the library. */
export type HttpCode =
  | 'BAD_REQUEST'
  | 'UNAUTHENTICATED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'OVERLOADED'
  | 'INTERNAL'

/** The body of every answer that is not a success. */
export interface HttpProblem {
  readonly error: { readonly code: HttpCode | ErrorCode; readonly message: string }
}

/** A request that is refused. */
export class HttpRefusal extends Error {
  readonly status: number
  readonly code: HttpCode
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: HttpCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.name = 'HttpRefusal'
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** More than the service takes. @param what - the bound, in words. */
export const overloaded = (what: string): HttpRefusal =>
  new HttpRefusal(
    503,
    'OVERLOADED',
    `expected fewer than ${what}; nothing was done. Try again later.`,
    { 'retry-after': '1' },
  )

/** What a fault of the library is to a client; anything else is its own fault. */
const STATUS: { readonly [code in ErrorCode]?: number } = {
  SESSION_NOT_FOUND: 404,
  SESSION_NOT_LIVE: 409,
  SESSION_LIVE: 409,
  SESSION_ALREADY_EXISTS: 409,
  AGENT_DISPOSED: 409,
  AGENT_BUSY: 409,
  DUPLICATE_ID: 409,
  APPROVAL_CLOSED: 409,
  RUN_IN_PROGRESS: 409,
  CURSOR_TOO_OLD: 410,
  INVALID_MESSAGE: 400,
  INVALID_OPTION: 400,
  OVERLOADED: 503,
  HOST_CLOSING: 503,
  LEASE_LOST: 503,
  LOG_CONFLICT: 503,
}

const NO_STORE: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** An answer of JSON. */
export const jsonOf = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { ...NO_STORE, 'content-type': 'application/json; charset=utf-8', ...headers },
  })

const problem = (
  status: number,
  code: HttpProblem['error']['code'],
  message: string,
  headers?: Readonly<Record<string, string>>,
): Response => jsonOf(status, { error: { code, message } } satisfies HttpProblem, headers)

/** The answer to a fault. @param report - told of what is no fault of the client. */
export function answerTo(error: unknown, report: (error: unknown) => void): Response {
  if (error instanceof HttpRefusal)
    return problem(error.status, error.code, error.message, error.headers)
  if (error instanceof ShapeError)
    return problem(400, 'BAD_REQUEST', `${error.message}; nothing was done.`)
  if (error instanceof TurnwiseError) {
    const status = STATUS[error.code]
    if (status !== undefined) return problem(status, error.code, error.message)
  }
  report(error)
  return problem(500, 'INTERNAL', 'the request could not be served; the service has the reason.')
}
