/**
 * One peer: its lines in, answers and notifications out.
 *
 * C1 Whatever a peer sends, it is answered or passed over as the protocol says; nothing it sends ends anything but its
 *    own connection.
 * C2 A request gets one answer, and no more once its connection is over.
 * C3 Reading pauses while answers are left lying; what runs never waits for a reader.
 *
 * @module
 */
import { AgentDisposedError, causeChain, TurnwiseError } from '../../errors.ts'
import { errorLine, readLine, type RequestId, resultLine } from './envelope.ts'
import { Feed } from './feed.ts'
import { asFlag, Given } from './given.ts'
import { Handshake } from './handshake.ts'
import { LineSplitter } from './line-splitter.ts'
import type { Method } from './method.ts'
import { methodNamed } from './methods.ts'
import { Outbox } from './outbox.ts'
import { bodyOf, errorBody, invalidRequest, NoMethod, overloaded } from './rpc-error.ts'
import type { Input, Output, ServerSide, Terms } from './server-port.ts'
import type { RpcErrorBody } from './notifications.ts'
import type { MethodName } from './wire.ts'

/** Longest line of a peer that has not shown its token. */
const MAX_STRANGER_BYTES = 64 * 1024

/** A request without its answer. */
interface Pending {
  readonly id: RequestId | undefined
  readonly method: string
}

/** One peer. */
export class Connection {
  /** Resolves when its input is over or it was closed. */
  readonly over: Promise<void>
  private readonly server: ServerSide
  private readonly input: Input
  private readonly output: Output
  private readonly terms: Terms
  private readonly outbox: Outbox
  private readonly feed: Feed
  private readonly handshake: Handshake
  private readonly splitter: LineSplitter
  private readonly pending = new Set<Pending>()
  private closed = false
  private leave = (): void => {}
  private deaf = false
  private readonly drops: (() => void)[] = []

  constructor(server: ServerSide, input: Input, output: Output, terms: Terms) {
    this.server = server
    this.input = input
    this.output = output
    this.terms = terms
    this.outbox = new Outbox(output)
    this.feed = new Feed(server.service.registry, this.outbox, server.children)
    this.handshake = new Handshake(server, this.feed, terms)
    const bound = terms.token === undefined ? server.limits.maxLineBytes : MAX_STRANGER_BYTES
    this.splitter = new LineSplitter(
      { line: (bytes) => this.take(bytes), tooLong: () => this.tooLong() },
      bound,
    )
    output.on?.('error', (error) => this.broken(error))
    this.expectToken()
    const left = new Promise<void>((resolve) => {
      this.leave = resolve
    })
    // An input that cannot be ended from here is not waited for.
    this.over = Promise.race([this.read(), left])
  }

  /** Answers what is open, writes what waits, and closes. */
  async finish(): Promise<void> {
    this.rejectPending(() => true)
    await Promise.race([this.outbox.flushed(), this.patience()])
    this.close()
  }

  private patience(): Promise<void> {
    const { clock, limits } = this.server
    return new Promise((resolve) => {
      this.drops.push(clock.after(limits.flushMs, resolve))
    })
  }

  /** Closes at once. */
  close(): void {
    if (this.closed) return
    this.closed = true
    this.leave()
    for (const drop of this.drops) drop()
    this.feed.stop()
    this.outbox.close()
    this.input.destroy?.()
    this.output.end?.()
  }

  private async read(): Promise<void> {
    try {
      for await (const chunk of this.input) {
        if (this.closed) break
        this.splitter.push(chunk)
        if (this.outbox.clogged) await this.outbox.roomy()
      }
      if (!this.closed) this.splitter.end()
    } catch (error) {
      if (!this.closed) this.diagnose('its input failed', error)
    }
    // Whoever asks for the end and then hangs up is still told that it came.
    this.rejectPending(({ method }) => method !== 'shutdown')
  }

  private expectToken(): void {
    const { terms, server } = this
    if (terms.token === undefined) return
    const drop = server.clock.after(server.limits.strangerMs, () => {
      if (!this.handshake.known) this.close()
    })
    this.drops.push(drop)
  }

  private take(bytes: Uint8Array): void {
    if (this.closed || this.deaf) return
    const incoming = readLine(bytes)
    if (incoming.kind === 'request') this.ask(incoming.id, incoming.method, incoming.params)
    else if (incoming.kind === 'invalid') this.refuse(incoming.id, invalidRequest(incoming.why))
    else if (incoming.kind === 'malformed') this.malformed(incoming.json)
  }

  /** Where anybody can connect, what speaks another protocol is shown the door. */
  private malformed(json: boolean): void {
    this.diagnose('a malformed line was passed over')
    if (this.terms.token !== undefined && !json) this.close()
  }

  private tooLong(): void {
    this.refuse(null, invalidRequest('its line is too long; it was passed over'))
    if (!this.handshake.known) this.close()
  }

  private ask(id: RequestId | undefined, method: string, params: unknown): void {
    const pending: Pending = { id, method }
    this.pending.add(pending)
    const tell = (result: object): void => {
      if (this.pending.delete(pending)) this.answer(id, result)
    }
    const refuse = (error: unknown): void => {
      if (this.pending.delete(pending)) this.refuse(id, bodyOf(error, method, params))
      if (!this.handshake.known) this.dismiss()
    }
    try {
      const answer = this.perform(method, params, tell)
      if (answer instanceof Promise) answer.then(tell, refuse)
      else tell(answer)
    } catch (error) {
      refuse(error)
    }
  }

  /** @throws whatever the request is refused with. */
  private perform(
    name: string,
    params: unknown,
    tell: (result: object) => void,
  ): object | Promise<object> {
    const { handshake } = this
    if (name === 'initialize') return this.initialize(params)
    if (!handshake.known) throw handshake.stranger()
    if (name === 'shutdown') return this.shutdown(params)
    const method = methodNamed(name) as Method<MethodName> | undefined
    if (method === undefined) throw new NoMethod(name)
    const given = new Given(params)
    const asked = method.read(given)
    given.none()
    if (method.urgent !== true) this.refuseOverload()
    const caller = { ...this.server.service, feed: this.feed, tell }
    return handshake.made((making) => method.run(asked, { ...caller, making }))
  }

  private initialize(params: unknown): Promise<object> {
    if (this.server.service.door.ending) throw new AgentDisposedError('of this server')
    const given = new Given(params)
    const answer = this.handshake.begin(given)
    this.splitter.allow(this.server.limits.maxLineBytes)
    return answer
  }

  private shutdown(params: unknown): Promise<object> {
    const given = new Given(params)
    const { keepInbox = false } = given.maybe('keepInbox', asFlag)
    given.none()
    return this.handshake.after(() => this.server.shutdown(keepInbox).then(() => ({})))
  }

  private refuseOverload(): void {
    const { maxInFlight } = this.server.limits
    if (this.pending.size > maxInFlight)
      throw overloaded(`expected fewer than ${maxInFlight} unanswered requests`)
    if (this.outbox.clogged) throw overloaded('expected a peer that reads its answers')
  }

  private answer(id: RequestId | undefined, result: object): void {
    if (id !== undefined) this.outbox.line(resultLine(id, result))
  }

  private refuse(id: RequestId | undefined, error: RpcErrorBody): void {
    if (id !== undefined) this.outbox.line(errorLine(id, error))
  }

  private rejectPending(which: (pending: Pending) => boolean): void {
    for (const pending of [...this.pending].filter(which)) {
      this.pending.delete(pending)
      this.refuse(pending.id, errorBody(CUT))
    }
  }

  /** A stranger hears why, and no more. */
  private dismiss(): void {
    this.deaf = true
    void this.finish()
  }

  private broken(error: Error): void {
    // A peer that goes away is no fault.
    const { code } = error as { readonly code?: unknown }
    if (!this.closed && code !== 'EPIPE' && code !== 'ECONNRESET')
      this.diagnose('its output failed', error)
    this.close()
  }

  private diagnose(what: string, error?: unknown): void {
    const why = error === undefined ? '' : `: ${causeChain(error)}`
    this.server.onDiagnostic(`json-rpc: ${what}${why}`, error)
  }
}

const CUT = new TurnwiseError(
  'TRANSPORT_CLOSED',
  'the connection ended before this was answered; what was begun may go on.',
)
