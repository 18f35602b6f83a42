/**
 * What a client is refused with, before it is put into the words of the protocol.
 *
 * @module
 */
import { causeChain, TurnwiseError, type ErrorCode } from '../../errors.ts'

/** Numbers of JSON-RPC and of ACP. */
export const RPC = {
  invalidParams: -32602,
  internal: -32603,
  cancelled: -32800,
  notFound: -32002,
} as const

/** A refusal. Its message is shown to the user as it is. */
export class AcpFault extends Error {
  override readonly name = 'AcpFault'
  readonly rpc: number
  readonly data: { readonly [key: string]: unknown } | undefined

  constructor(rpc: number, message: string, data?: { readonly [key: string]: unknown }) {
    super(message)
    this.rpc = rpc
    this.data = data
  }
}

export const invalidParams = (message: string): AcpFault =>
  new AcpFault(RPC.invalidParams, message, { code: 'INVALID_OPTION' })

/** No such session, here and now. */
export const noSession = (sessionId: string): AcpFault =>
  new AcpFault(RPC.notFound, `there is no session ${sessionId}: create or load it`, {
    code: 'SESSION_NOT_FOUND',
    sessionId,
  })

export const closing = (): AcpFault =>
  new AcpFault(RPC.internal, 'the connection is closing; nothing was created', {
    code: 'TRANSPORT_CLOSED',
  })

const NUMBERS: { readonly [code in ErrorCode]?: number } = {
  INVALID_MESSAGE: RPC.invalidParams,
  INVALID_OPTION: RPC.invalidParams,
  SESSION_LIVE: RPC.invalidParams,
  SESSION_NOT_FOUND: RPC.notFound,
  SESSION_NOT_LIVE: RPC.notFound,
  NO_PERSISTENCE: RPC.invalidParams,
}

/** Whatever was thrown, as a refusal. */
export function faultOf(thrown: unknown): AcpFault {
  if (thrown instanceof AcpFault) return thrown
  if (thrown instanceof TurnwiseError)
    return new AcpFault(NUMBERS[thrown.code] ?? RPC.internal, thrown.summary, { code: thrown.code })
  return new AcpFault(RPC.internal, causeChain(thrown), { code: 'UNKNOWN' })
}
