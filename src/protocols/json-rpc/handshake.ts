/**
 * `initialize`: who a peer is, which version it speaks, and with what its agents are made.
 *
 * H1 It is answered once everything that agents need is loaded; what is asked meanwhile waits for it.
 * H2 A refused one changes nothing: the server stays usable, and what was asked for before still holds.
 * H3 Where a token is needed, nothing else is answered before it was shown.
 *
 * @module
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { resolve } from 'node:path'
import { TurnwiseError } from '../../errors.ts'
import { asInteger, asJson, asName, asText, asWord } from '../../events/shape.ts'
import type { Feed } from './feed.ts'
import type { Given } from './given.ts'
import { JsonRpcFailure } from './rpc-error.ts'
import type { Asked, ServerSide, Terms } from './server-port.ts'
import type { Making } from './session-door.ts'
import { type InitializeResult, PROTOCOL_VERSIONS } from './wire.ts'

/** The handshake of one connection. */
export class Handshake {
  private readonly server: ServerSide
  private readonly feed: Feed
  private readonly token: string | undefined
  private making: Making | undefined | Promise<Making | undefined>
  private shown = false

  constructor(server: ServerSide, feed: Feed, { token }: Terms) {
    this.server = server
    this.feed = feed
    this.token = token
  }

  /** May it ask for anything? */
  get known(): boolean {
    return this.token === undefined || this.shown
  }

  /** @throws ShapeError, TurnwiseError, JsonRpcFailure; the answer rejects with what `prepare` throws. */
  begin(given: Given): Promise<InitializeResult> {
    const version = versionOf(given)
    this.authorise(given)
    const { all, ...asked } = readAsked(given, this.server.cwd)
    const before = this.making
    const making = this.make(asked)
    const answer = making.then(() => {
      this.feed.start(all)
      return { protocolVersion: version, serverInfo: this.server.serverInfo }
    })
    const settled = answer.then(
      () => making,
      () => before,
    )
    this.making = settled
    void settled.then((made) => {
      if (this.making === settled) this.making = made
    })
    return answer
  }

  /** Does something with what was asked for, at once if it is there. @throws TurnwiseError NOT_INITIALIZED */
  made<T>(use: (making: Making) => T | Promise<T>): T | Promise<T> {
    const go = (making: Making | undefined): T | Promise<T> => {
      if (making === undefined) throw notInitialized()
      return use(making)
    }
    const { making } = this
    return making instanceof Promise ? making.then(go) : go(making)
  }

  /** Does something once no `initialize` is under way, in the order of the requests; at once if none is. */
  after<T>(use: () => Promise<T>): Promise<T> {
    const { making } = this
    return making instanceof Promise ? making.then(use) : use()
  }

  /** The refusal of whoever has not shown the token. */
  stranger(): TurnwiseError {
    return new TurnwiseError(
      'UNAUTHORIZED',
      'expected the token of this server in initialize, found none or another; the connection is closed.',
    )
  }

  private async make({ cwd, provider, model, maxTokens }: Asked): Promise<Making> {
    const asked = { cwd, provider, model, ...(maxTokens !== undefined && { maxTokens }) }
    const agent = await this.server.prepare(asked)
    const limit = maxTokens === undefined ? {} : { maxTokens }
    return { cwd, agent: { ...agent, provider, modelId: model, ...limit } }
  }

  private authorise(given: Given): void {
    const { token = '' } = given.maybe('token', asText)
    if (this.token !== undefined && !same(token, this.token)) throw this.stranger()
    this.shown = true
  }
}

function versionOf(given: Given): number {
  const version = given.need('protocolVersion', asInteger)
  const { min, max } = PROTOCOL_VERSIONS
  if (version >= min && version <= max) return version
  throw new JsonRpcFailure(
    'UNSUPPORTED_PROTOCOL',
    `expected a protocol version from ${min} to ${max}, found ${version}; nothing was changed. Use one of these.`,
    { data: { supported: PROTOCOL_VERSIONS } },
  )
}

function readAsked(given: Given, cwd: string): Asked & { readonly all: boolean } {
  const asked = {
    cwd: resolve(cwd, given.need('cwd', asName)),
    provider: given.need('provider', asName),
    model: given.need('model', asText),
    ...given.maybe('maxTokens', (value, path) => asInteger(value, path, 1)),
  }
  const { notifications = 'all' } = given.maybe('notifications', (value, path) =>
    asWord(value, path, ['all', 'subscribed']),
  )
  given.maybe('clientInfo', asJson)
  given.none()
  return { ...asked, all: notifications === 'all' }
}

/** Compared in a time that tells nothing. */
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const notInitialized = (): TurnwiseError =>
  new TurnwiseError(
    'NOT_INITIALIZED',
    'expected initialize before anything else; nothing was done. Initialize the connection first.',
  )
