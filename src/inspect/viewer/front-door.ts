/**
 * Who may come in, and what every answer says about itself. It knows nothing of logs.
 *
 * D1 A page of somebody else reaches nothing: the name of the server must be its own (an address that was rebound to
 *    loopback has another one), and so must the origin, where there is one.
 * D2 Nothing of what is served can run code from elsewhere, be framed, be kept, or send a form anywhere.
 *
 * @module
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Refusal } from './wire.ts'

/** What is said with every answer. */
export const HEADERS: OutgoingHttpHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

/** A request that is answered with an error. */
export class HttpRefusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Checks where a request comes from. @throws HttpRefusal */
export function checkSender({ headers }: IncomingMessage, port: number): void {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  const { host, origin } = headers
  if (host === undefined || !hosts.includes(host)) {
    throw new HttpRefusal(403, 'FOREIGN', `expected the host ${hosts[0]}, found another one.`)
  }
  if (origin !== undefined && !hosts.some((own) => origin === `http://${own}`)) {
    throw new HttpRefusal(403, 'FOREIGN', 'expected a request of this page, found another origin.')
  }
}

/** Does the request carry the token? Takes the same time for every wrong one. @throws HttpRefusal */
export function checkToken({ headers }: IncomingMessage, token: string): void {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  if (!timingSafeEqual(digest(given), digest(token))) {
    throw new HttpRefusal(
      401,
      'TOKEN',
      'expected the token of the address that was printed; nothing was done.',
    )
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Answers with JSON. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  send(response, JSON.stringify(value), 'application/json; charset=utf-8', status)
}

/** Answers with a text or with bytes. */
export function send(
  response: ServerResponse,
  body: string | Uint8Array,
  type: string,
  status = 200,
): void {
  response.writeHead(status, {
    ...HEADERS,
    'content-type': type,
    'content-length': Buffer.byteLength(body),
  })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

/** Answers with an error. */
export function sendRefusal(
  response: ServerResponse,
  { status, code, message }: HttpRefusal,
): void {
  const body: Refusal = { error: { code, message } }
  sendJson(response, body, status)
}
