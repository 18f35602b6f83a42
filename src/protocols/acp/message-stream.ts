/**
 * Lines of a client read into messages, and messages written into lines.
 *
 * M1 Messages are handed on one at a time, each in a macrotask of its own: the package lets handlers start in microtasks
 *    whose number differs from method to method, and a cancel must not overtake the prompt before it.
 * M2 What is no message is answered as JSON-RPC says, and passed over; a line that is too long as well. Neither ends the
 *    connection.
 * M3 A notification that the client does not take is told of once, and changes nothing else.
 *
 * @module
 */
import { setImmediate } from 'node:timers/promises'
import { ReadableStream, WritableStream } from 'node:stream/web'
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import { LineSplitter } from '../json-rpc/line-splitter.ts'
import type { AcpInput, AcpOutput } from './acp-port.ts'

/** The longest line, unless another bound is given. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024

/** What a connection of the package is made on. */
export interface MessageStream {
  readonly stream: Stream
  /** Reads no further, as if the client had hung up. */
  close(): void
}

/** @param onFault - told of lines that were passed over, and of an input that fails. */
export function messageStream(
  input: AcpInput,
  output: AcpOutput,
  maxLineBytes: number,
  onFault: (what: string, error?: unknown) => void,
): MessageStream {
  const write = (message: object): Promise<void> =>
    new Promise((resolve, reject) => {
      output.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error) reject(error)
        else resolve()
      })
    })
  // A write that fails is told of where it was made.
  output.on?.('error', () => {})
  const refuse = async (code: number, message: string): Promise<void> => {
    onFault(`a line was passed over: ${message}`)
    await write({ jsonrpc: '2.0', id: null, error: { code, message } }).catch(() => {})
  }
  const messages = messagesIn(input, maxLineBytes, refuse)
  let isOver = false
  let finish!: () => void
  const close = (): void => {
    if (isOver) return
    isOver = true
    finish()
    input.destroy?.()
  }
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      finish = () => controller.close()
    },
    async pull(controller) {
      const next = await messages.next().catch((error: unknown) => {
        if (!isOver) onFault('the input failed', error)
        return { done: true, value: undefined } as const
      })
      if (next.done === true) close()
      else if (!isOver) controller.enqueue(next.value)
    },
    cancel() {
      finish = () => undefined
      close()
    },
  })
  const writable = new WritableStream<AnyMessage>({ write: tolerant(write, onFault) })
  return { stream: { readable, writable }, close }
}

/** A notification that is not taken harms nobody; the package would end the connection, and with it what runs. */
function tolerant(
  write: (message: object) => Promise<void>,
  onFault: (what: string, error?: unknown) => void,
): (message: AnyMessage) => Promise<void> {
  let told = false
  return async (message) => {
    try {
      await write(message)
    } catch (error) {
      if ('id' in message) throw error
      if (!told) onFault('the client does not take what it is told', error)
      told = true
    }
  }
}

async function* messagesIn(
  input: AcpInput,
  maxLineBytes: number,
  refuse: (code: number, message: string) => Promise<void>,
): AsyncGenerator<AnyMessage, undefined> {
  const lines: (Uint8Array | 'too long')[] = []
  const splitter = new LineSplitter(
    { line: (bytes) => lines.push(bytes), tooLong: () => lines.push('too long') },
    maxLineBytes,
  )
  const read = async function* (): AsyncGenerator<AnyMessage> {
    for (const line of lines.splice(0)) {
      const message = line === 'too long' ? TOO_LONG : readLine(line)
      if (message === undefined) continue
      if (message instanceof Refusal) await refuse(message.code, message.text)
      else yield message as AnyMessage
      await setImmediate()
    }
  }
  for await (const chunk of input) {
    splitter.push(chunk)
    yield* read()
  }
  splitter.end()
  yield* read()
  return undefined
}

/** What a line that is no message is answered with. */
class Refusal {
  readonly code: number
  readonly text: string

  constructor(code: number, text: string) {
    this.code = code
    this.text = text
  }
}

const TOO_LONG = new Refusal(-32600, 'Invalid request: the line is too long')

/** @returns undefined for a blank line. */
function readLine(bytes: Uint8Array): object | undefined {
  let value: unknown
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim()
    if (text === '') return undefined
    value = JSON.parse(text)
  } catch {
    return new Refusal(-32700, 'Parse error')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  return new Refusal(-32600, 'Invalid request: expected one JSON object a line')
}
