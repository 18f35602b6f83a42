/**
 * Lines of JSON-RPC 2.0 read into requests, and answers written into lines.
 *
 * Nothing here throws at what a stranger sent.
 *
 * @module
 */
import type { Json } from '../../events/json.ts'
import type { NotificationName, Notifications, RpcErrorBody } from './notifications.ts'

/** What an answer is matched by. */
export type RequestId = string | number | null

/** What a line turned out to be. */
export type Incoming =
  /** `id` is undefined for a notification, which gets no answer. */
  | {
      readonly kind: 'request'
      readonly id: RequestId | undefined
      readonly method: string
      readonly params: unknown
    }
  | { readonly kind: 'result'; readonly id: RequestId; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: RequestId; readonly error: unknown }
  /** Says what it wants an answer to, but not what. */
  | { readonly kind: 'invalid'; readonly id: RequestId; readonly why: string }
  /** `json` tells a foreign protocol from a wrong message. */
  | { readonly kind: 'malformed'; readonly json: boolean }
  | { readonly kind: 'blank' }

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads one line. */
export function readLine(bytes: Uint8Array): Incoming {
  let value: unknown
  try {
    const text = decoder.decode(bytes)
    if (text.trim() === '') return { kind: 'blank' }
    value = JSON.parse(text)
  } catch {
    return { kind: 'malformed', json: false }
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? readEnvelope(value as { readonly [key: string]: unknown })
    : { kind: 'malformed', json: true }
}

const isId = (value: unknown): value is RequestId =>
  typeof value === 'string' || value === null || (typeof value === 'number' && isFinite(value))

function readEnvelope(value: { readonly [key: string]: unknown }): Incoming {
  const { jsonrpc, id, method } = value
  if (id !== undefined && !isId(id)) return { kind: 'malformed', json: true }
  if (!('method' in value)) return readAnswer(value, id)
  if (jsonrpc === '2.0' && typeof method === 'string')
    return { kind: 'request', id, method, params: value['params'] }
  if (id === undefined) return { kind: 'malformed', json: true }
  const why = jsonrpc === '2.0' ? 'method must be a string' : 'jsonrpc must be "2.0"'
  return { kind: 'invalid', id, why }
}

function readAnswer(
  value: { readonly [key: string]: unknown },
  id: RequestId | undefined,
): Incoming {
  if (id === undefined || value['jsonrpc'] !== '2.0') return { kind: 'malformed', json: true }
  if ('result' in value) return { kind: 'result', id, result: value['result'] }
  if ('error' in value) return { kind: 'error', id, error: value['error'] }
  return { kind: 'malformed', json: true }
}

const lineOf = (body: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...body })}\n`

/** The line of a request. */
export const requestLine = (id: number, method: string, params: object): string =>
  lineOf({ id, method, params })

/** The line of an answer. */
export const resultLine = (id: RequestId, result: Json | object): string => lineOf({ id, result })

/** The line of a refusal. */
export const errorLine = (id: RequestId, error: RpcErrorBody): string => lineOf({ id, error })

/** The line of a notification. */
export const notificationLine = <N extends NotificationName>(
  method: N,
  params: Notifications[N],
): string => lineOf({ method, params })
