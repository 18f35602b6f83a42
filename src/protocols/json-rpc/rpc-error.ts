/**
 * Which error a refusal becomes on the wire.
 *
 * -32600 no request, -32601 unknown method, -32602 bad parameters, -32603 unexpected, -32000 everything the library
 * refuses. Each carries a code of docs/errors.md.
 *
 * @module
 */
import { causeChain, TurnwiseError } from '../../errors.ts'
import { ShapeError } from '../../events/shape.ts'
import type { RpcErrorBody } from './notifications.ts'

const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
const INTERNAL = -32603
const DOMAIN = -32000

/** Codes that say that a parameter was wrong. */
const OF_PARAMS: ReadonlySet<string> = new Set([
  'INVALID_OPTION',
  'INVALID_MESSAGE',
  'UNKNOWN_PROVIDER',
  'UNSUPPORTED_PROTOCOL',
])

/**
 * A refusal with a code of your own, for `prepare` and other code behind the wire: it is answered as a domain failure.
 */
export class JsonRpcFailure extends Error {
  override readonly name = 'JsonRpcFailure'
  readonly code: string
  readonly data: Omit<RpcErrorBody['data'], 'code'>

  /** @param code - told as `data.code`, such as `AUTH`. */
  constructor(
    code: string,
    message: string,
    { data = {}, ...options }: ErrorOptions & { data?: Omit<RpcErrorBody['data'], 'code'> } = {},
  ) {
    super(message, options)
    this.code = code
    this.data = data
  }
}

/** What a thrown value is answered with. */
export function errorBody(error: unknown, sessionId?: string): RpcErrorBody {
  const { code, message, data } = factsOf(error)
  const rpcCode = code === undefined ? INTERNAL : OF_PARAMS.has(code) ? INVALID_PARAMS : DOMAIN
  return {
    code: rpcCode,
    message,
    data: { code: code ?? 'UNKNOWN', ...(sessionId !== undefined && { sessionId }), ...data },
  }
}

interface Facts {
  /** Undefined: nothing that anybody foresaw. */
  readonly code: string | undefined
  readonly message: string
  readonly data?: Omit<RpcErrorBody['data'], 'code'>
}

function factsOf(error: unknown): Facts {
  if (error instanceof ShapeError)
    return { code: 'INVALID_OPTION', message: `bad parameters: ${error.message}` }
  if (error instanceof TurnwiseError) return { code: error.code, message: error.summary }
  if (error instanceof JsonRpcFailure)
    return { code: error.code, message: error.message, data: error.data }
  if (error instanceof AggregateError) return aggregated(error)
  return { code: undefined, message: causeChain(error) }
}

/** One thing that went wrong does not hide the others. */
function aggregated(error: AggregateError): Facts {
  const failures = error.errors.map(factsOf).map(({ code = 'UNKNOWN', message }) => ({
    code,
    message,
  }))
  const { message } = error
  return { code: failures[0]?.code ?? 'UNKNOWN', message, data: { failures } }
}

/** A name that is no method. */
export class NoMethod extends Error {}

/** What a request is refused with; bad parameters may say which session they meant. */
export function bodyOf(error: unknown, method: string, params: unknown): RpcErrorBody {
  if (error instanceof NoMethod)
    return {
      code: METHOD_NOT_FOUND,
      message: `there is no method ${JSON.stringify(method.slice(0, 100))}`,
      data: { code: 'UNKNOWN_METHOD' },
    }
  const named = (params as { readonly sessionId?: unknown } | null | undefined)?.sessionId
  return errorBody(error, typeof named === 'string' ? named.slice(0, 128) : undefined)
}

/** The answer to what is no request. */
export const invalidRequest = (why: string): RpcErrorBody => ({
  code: INVALID_REQUEST,
  message: `no request: ${why}`,
  data: { code: 'INVALID_REQUEST' },
})

/** The answer to more than the server takes. */
export const overloaded = (what: string): TurnwiseError =>
  new TurnwiseError(
    'OVERLOADED',
    `${what}; nothing was done. Wait for answers, or for quiescence, and ask again.`,
  )

/** The refusal of what needs a live session. */
export const notLive = (id: string): TurnwiseError =>
  new TurnwiseError(
    'SESSION_NOT_LIVE',
    `expected a live session ${id}, found none; nothing was done. Resume it, or send it a prompt.`,
  )
