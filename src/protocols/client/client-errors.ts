/**
 * What goes wrong between a client and its server.
 *
 * @module
 */
import { TurnwiseError } from '../../errors.ts'
import type { RpcErrorBody } from '../json-rpc/notifications.ts'

/** What came over the wire is not what the protocol says. The subscription that needed it is released. */
export class SdkProtocolError extends TurnwiseError {
  override readonly name = 'SdkProtocolError'

  constructor(message: string, options?: ErrorOptions) {
    super('PROTOCOL_ERROR', message, options)
  }
}

/** The process or the connection ended. What was begun may have gone on. */
export class TransportClosedError extends TurnwiseError {
  override readonly name = 'TransportClosedError'
  /** Exit code of the process, or the signal that ended it; null for a connection, or where it is not known. */
  readonly exit: number | string | null
  /** The end of what the process wrote to standard error. */
  readonly stderr: string

  constructor(what: string, { exit = null, stderr = '' }: Partial<Ended> = {}) {
    const how =
      exit === null ? '' : typeof exit === 'number' ? ` with exit code ${exit}` : ` by ${exit}`
    const said = stderr.trim() === '' ? '' : `; it said: ${stderr.trim()}`
    super(
      'TRANSPORT_CLOSED',
      `${what}${how}${said}; what waited was rejected, what was begun may have gone on. Start again, and resume the session.`,
    )
    this.exit = exit
    this.stderr = stderr
  }
}

/** How a process ended. */
export interface Ended {
  readonly exit: number | string | null
  readonly stderr: string
}

/** A request was not answered in time. The wait is given up, the work is not. */
export class RequestTimeoutError extends TurnwiseError {
  override readonly name = 'RequestTimeoutError'
  readonly method: string

  constructor(method: string, timeoutMs: number) {
    super(
      'REQUEST_TIMEOUT',
      `${method} was not answered within ${timeoutMs} ms; the wait was given up, the work may go on. Cancel it if it must not.`,
    )
    this.method = method
  }
}

/** The server refused a request. `refusal` is one of the codes of docs/errors.md, also of a newer version. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  /** Such as `SESSION_NOT_FOUND`. */
  readonly code: string
  /** Of JSON-RPC, such as -32000. */
  readonly rpcCode: number
  readonly data: RpcErrorBody['data']

  constructor({ code, message, data }: RpcErrorBody) {
    super(message)
    this.code = data.code
    this.rpcCode = code
    this.data = data
  }
}
