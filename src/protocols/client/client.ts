/**
 * A client of the JSON-RPC server: it owns a process, or shares a server that somebody else runs.
 *
 * K1 One `initialize` a process. A process that refuses it is ended, and the next start takes a fresh one; after `close`
 *    nothing is started any more.
 * K2 What the server says is handed on in its order, to everybody who subscribed before.
 *
 * @module
 */
import type { AgentStatus, RunResult } from '../../actors/agent-handle.ts'
import type { ContentBlock } from '../../events/message.ts'
import { asName, asRecord, ShapeError } from '../../events/shape.ts'
import {
  type InitializeParams,
  type InitializeResult,
  type MethodName,
  type ParamsOf,
  PROTOCOL_VERSIONS,
  type ResultOf,
} from '../json-rpc/wire.ts'
import { Audience } from './audience.ts'
import { SdkProtocolError, TransportClosedError } from './client-errors.ts'
import { type ClientRunOptions, Runs } from './runs.ts'
import { type Graces, type Line, type ServerCommand, startServer } from './server-process.ts'
import { connectServer, type ServerAddress } from './server-socket.ts'
import { Feeding, type Reader, type Subscription } from './subscription.ts'
import { Transport } from './transport.ts'

export interface ClientOptions extends Omit<InitializeParams, 'protocolVersion' | 'cwd'> {
  /** A process of its own, which ends with `close`; or where a server listens. */
  readonly server: ServerCommand | ServerAddress
  /** Folder of the sessions. Default: that of this process. */
  readonly cwd?: string
  /** Ms for the answer to `initialize`. Default 60 000. */
  readonly startTimeoutMs?: number
  /** Ms for the answer to any other request. Default: no limit. */
  readonly requestTimeoutMs?: number
  /** What a second run on one session does. Default `queue`. */
  readonly concurrentRuns?: 'queue' | 'reject'
  readonly graces?: Graces
  /** Told of what was passed over. */
  readonly onDiagnostic?: (message: string) => void
}

/** Loading a model may take long, but not for ever. */
const START_MS = 60_000

/** A server that answered. */
interface Started {
  readonly line: Line
  readonly transport: Transport
  readonly identity: InitializeResult
}

/** Drives the sessions of a server. */
export class TurnwiseClient {
  private readonly options: ClientOptions
  private readonly audience: Audience
  private readonly runs: Runs
  private starting: Promise<Started> | undefined
  private current: Transport | undefined
  private ending: Promise<void> | undefined
  /** Ends the wait for the answer to `initialize`. */
  private giveUp: () => void = () => {}

  constructor(options: ClientOptions) {
    this.options = options
    this.audience = new Audience(options.onDiagnostic ?? (() => {}))
    this.runs = new Runs(this, options.concurrentRuns ?? 'queue')
  }

  /**
   * Starts the process, or connects, and initializes; what is started already is shared, and what has ended is started
   * again.
   *
   * @throws RefusedError, SdkProtocolError, TransportClosedError; Error where nothing can be reached.
   */
  async start(): Promise<InitializeResult> {
    if (this.current?.isOver === true) {
      // Whoever starts in the same tick shares what is started now.
      this.current = undefined
      this.starting = undefined
    }
    return (await this.started()).identity
  }

  /**
   * Asks the server; starts it if need be.
   *
   * @throws RefusedError with the code of the refusal, AgentDisposedError, RequestTimeoutError, TransportClosedError
   */
  async call<M extends Exclude<MethodName, 'initialize'>>(
    method: M,
    params: ParamsOf<M>,
    { timeoutMs = this.options.requestTimeoutMs }: { readonly timeoutMs?: number | undefined } = {},
  ): Promise<ResultOf<M>> {
    const { transport } = await this.started()
    return (await transport.ask(method, params, timeoutMs)) as ResultOf<M>
  }

  /**
   * What the server says from now on.
   *
   * @param within - only this session and its descendants.
   */
  subscribe({ within }: { readonly within?: string } = {}): Subscription {
    const feeding = new Feeding()
    feeding.onClose = this.watch(feeding, within)
    return feeding
  }

  /**
   * Calls `reader` with what the server says from now on, in the tick in which it came.
   *
   * @param within - only this session and its descendants.
   * @returns ends it.
   */
  watch(reader: Reader, within?: string): () => void {
    return this.audience.join(reader, within)
  }

  /**
   * Sends a prompt and waits until its session is at rest; see RunResult.
   *
   * @throws what the prompt was refused with; RUN_IN_PROGRESS, RUN_TIMEOUT; TransportClosedError, SdkProtocolError; what
   *   the observer threw.
   */
  run(
    sessionId: string,
    input: string | readonly ContentBlock[],
    options: ClientRunOptions = {},
  ): Promise<RunResult> {
    return this.runs.run(sessionId, input, options)
  }

  /** The last status of a session that was heard; undefined if none was. */
  statusOf(sessionId: string): AgentStatus | undefined {
    return this.audience.statusOf(sessionId)
  }

  /** Ends the process, or the connection. Can be called again. */
  close(): Promise<void> {
    this.ending ??= this.end()
    return this.ending
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  private async started(): Promise<Started> {
    if (this.ending !== undefined) throw closed()
    this.starting ??= this.begin()
    return this.starting
  }

  private async begin(): Promise<Started> {
    this.audience.failure = undefined
    let line: Line | undefined
    try {
      const { server, graces = {}, startTimeoutMs = START_MS } = this.options
      line = await ('command' in server ? startServer(server, graces) : connectServer(server))
      if (this.ending !== undefined) throw closed()
      const transport = this.listen(line)
      this.giveUp = () => transport.fail(closed())
      const identity = identityOf(await transport.ask('initialize', this.asked(), startTimeoutMs))
      this.giveUp = () => {}
      return { line, transport, identity }
    } catch (error) {
      this.current = undefined
      await line?.end(undefined)
      this.starting = undefined
      throw error
    }
  }

  private asked(): InitializeParams {
    const { cwd = process.cwd(), provider, model, maxTokens, notifications, token } = this.options
    return {
      protocolVersion: PROTOCOL_VERSIONS.max,
      cwd,
      provider,
      model,
      ...(maxTokens !== undefined && { maxTokens }),
      ...(notifications !== undefined && { notifications }),
      ...(token !== undefined && { token }),
    }
  }

  private listen({ streams }: Line): Transport {
    const { onDiagnostic = () => {} } = this.options
    const transport = new Transport(streams, (heard) => this.audience.hear(heard), onDiagnostic)
    this.current = transport
    void transport.closed.then((error) => {
      // A later process is not to blame for an earlier one.
      if (this.current === transport) this.audience.fail(error)
    })
    return transport
  }

  private async end(): Promise<void> {
    // An answer to `initialize` that is still missing is not waited for.
    this.giveUp()
    const started = await this.starting?.catch(() => undefined)
    if (started === undefined) {
      this.audience.fail(closed())
      return
    }
    const { line, transport } = started
    await line.end(() => transport.ask('shutdown', {}))
    transport.fail(closed())
    this.audience.fail(closed())
  }
}

const closed = (): TransportClosedError => new TransportClosedError('the client was closed')

/** @throws SdkProtocolError */
function identityOf(answer: unknown): InitializeResult {
  try {
    const { serverInfo } = asRecord(answer, 'result')
    const info = asRecord(serverInfo, 'result.serverInfo')
    asName(info['name'], 'result.serverInfo.name')
    return answer as InitializeResult
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    throw new SdkProtocolError(`expected the identity of a server, but ${error.message}.`)
  }
}
