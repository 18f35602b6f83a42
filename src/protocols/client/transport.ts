/**
 * Lines to and from a server: requests matched with their answers, notifications handed on in order.
 *
 * T1 Notifications that came before an answer are handed on before it settles.
 * T2 When the other side ends, everything that waits is rejected, and so is whatever is asked afterwards.
 * T3 An answer that nobody waits for any more is passed over.
 *
 * @module
 */
import { systemClock } from '../../actors/clock.ts'
import { AgentDisposedError } from '../../errors.ts'
import { asInteger, asRecord, asText, ShapeError } from '../../events/shape.ts'
import { readLine, requestLine } from '../json-rpc/envelope.ts'
import { LineSplitter } from '../json-rpc/line-splitter.ts'
import type { RpcErrorBody } from '../json-rpc/notifications.ts'
import type { Input } from '../json-rpc/server-port.ts'
import {
  RefusedError,
  RequestTimeoutError,
  SdkProtocolError,
  TransportClosedError,
} from './client-errors.ts'

/** A notification as it came. */
export interface Heard {
  readonly method: string
  readonly params: unknown
}

/** The streams of a transport, such as those of a process or a socket. */
export interface Streams {
  /** From the server. */
  readonly input: Input
  readonly output: {
    write(text: string): unknown
    on?(event: 'error', listener: () => void): unknown
  }
  /** Why it ended, once the input is over. */
  ended(): Promise<TransportClosedError>
}

/** Longest line of a server; answers hold whole histories. */
const MAX_ANSWER_BYTES = 512 * 1024 * 1024

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** One connection to a server. */
export class Transport {
  /** Resolves when the other side has ended. */
  readonly closed: Promise<TransportClosedError>
  private readonly output: Streams['output']
  private readonly onHeard: (heard: Heard) => void
  private readonly onDiagnostic: (message: string) => void
  private readonly waiting = new Map<number, Waiting>()
  private failure: TransportClosedError | undefined
  private asked = 0

  constructor(
    streams: Streams,
    onHeard: (heard: Heard) => void,
    onDiagnostic: (message: string) => void,
  ) {
    const { input, output } = streams
    this.output = output
    this.onHeard = onHeard
    this.onDiagnostic = onDiagnostic
    // What cannot be written will not be answered: the end of the input says so.
    output.on?.('error', () => {})
    this.closed = this.read(input).then(() => streams.ended())
    void this.closed.then((error) => this.fail(error))
  }

  /** Has the other side ended? */
  get isOver(): boolean {
    return this.failure !== undefined
  }

  /** Requests without an answer. */
  get pending(): number {
    return this.waiting.size
  }

  /**
   * Asks the server.
   *
   * @throws RefusedError, AgentDisposedError, RequestTimeoutError, TransportClosedError, SdkProtocolError
   */
  async ask(method: string, params: object, timeoutMs?: number): Promise<unknown> {
    if (this.failure !== undefined) throw this.failure
    this.asked += 1
    const id = this.asked
    const line = requestLine(id, method, params)
    return new Promise((resolve, reject) => {
      const drop =
        timeoutMs === undefined
          ? () => {}
          : systemClock.after(timeoutMs, () => {
              this.waiting.delete(id)
              reject(new RequestTimeoutError(method, timeoutMs))
            })
      this.waiting.set(id, {
        resolve: (result) => {
          drop()
          resolve(result)
        },
        reject: (error) => {
          drop()
          reject(error)
        },
      })
      this.output.write(line)
    })
  }

  /** Rejects everything that waits. */
  fail(error: TransportClosedError): void {
    this.failure ??= error
    for (const { reject } of this.waiting.values()) reject(this.failure)
    this.waiting.clear()
  }

  private async read(input: Input): Promise<void> {
    const splitter = new LineSplitter(
      {
        line: (bytes) => this.take(bytes),
        tooLong: () => this.onDiagnostic('a line of the server was too long and passed over'),
      },
      MAX_ANSWER_BYTES,
    )
    try {
      for await (const chunk of input) splitter.push(chunk)
      splitter.end()
    } catch {
      // However it ended, it is over.
    }
  }

  private take(bytes: Uint8Array): void {
    const incoming = readLine(bytes)
    if (incoming.kind === 'request' && incoming.id === undefined) this.onHeard(incoming)
    else if (incoming.kind === 'result') this.settled(incoming.id)?.resolve(incoming.result)
    else if (incoming.kind === 'error') this.settled(incoming.id)?.reject(refusal(incoming.error))
    else if (incoming.kind !== 'blank') this.onDiagnostic('a line of the server was passed over')
  }

  private settled(id: unknown): Waiting | undefined {
    const found = typeof id === 'number' ? this.waiting.get(id) : undefined
    if (typeof id === 'number') this.waiting.delete(id)
    if (found === undefined && id === null)
      this.onDiagnostic('the server refused what was no request')
    return found
  }
}

/** The error of an answer as it is thrown here. */
function refusal(error: unknown): Error {
  try {
    const { code, message, data } = asRecord(error, 'error')
    const told = data === undefined ? {} : asRecord(data, 'error.data')
    const body: RpcErrorBody = {
      code: asInteger(code, 'error.code', -Number.MAX_SAFE_INTEGER),
      message: asText(message, 'error.message'),
      data: { ...told, code: typeof told['code'] === 'string' ? told['code'] : 'UNKNOWN' },
    }
    const { sessionId } = body.data
    return body.data.code === 'AGENT_DISPOSED' && sessionId !== undefined
      ? new AgentDisposedError(sessionId)
      : new RefusedError(body)
  } catch (fault) {
    if (!(fault instanceof ShapeError)) throw fault
    return new SdkProtocolError(`expected an error of JSON-RPC, but ${fault.message}.`)
  }
}
