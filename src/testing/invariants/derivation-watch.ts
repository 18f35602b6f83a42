/**
 * Facts that are recorded twice: a message and the chunks it cites, a call and the block that names it, a result and the
 * call it cites.
 *
 * - `result-cites`: a result cites the `tool/call` of its call, if it cites anything.
 * - `message-cites`: a message cites the chunks of its own attempt, all of them, if it cites anything.
 * - `message-content`: a message that no gate has changed says what those chunks say.
 * - `call-content`: a `tool/call` has the name and the arguments that the message gave it.
 * - `cut-stays`: a turn with a message that was cut does not end completed, and one without does not end `max-tokens`.
 *
 * @module
 */
import { isDeepStrictEqual } from 'node:util'
import { StreamedBlocks } from '../../actors/streamed-blocks.ts'
import type { StepAt, StoredEvent } from '../../events/event.ts'
import type { ToolCallBlock } from '../../events/message.ts'
import type { Report, Watch } from './violation.ts'

const at = ({ turn, step }: StepAt): string => `${turn}.${step}`

/** The chunks of the running attempt. */
interface Streamed {
  readonly step: string
  readonly chunks: StoredEvent<'assistant/chunk'>[]
}

export class DerivationWatch implements Watch {
  private readonly report: Report
  private streamed: Streamed = { step: '', chunks: [] }
  /** Blocks of the last message of a step, by the key of their call. */
  private readonly blocks = new Map<string, ToolCallBlock>()
  /** Was a message of the turn cut? */
  private cut = false
  /** Seqs of `tool/call` by step and key. */
  private readonly calls = new Map<string, number>()

  constructor(report: Report) {
    this.report = report
  }

  take(event: StoredEvent): void {
    if (event.type === 'assistant/chunk') this.chunk(event)
    else if (event.type === 'request/failed') this.streamed = { step: '', chunks: [] }
    else if (event.type === 'assistant/message') this.message(event)
    else if (event.type === 'tool/call') this.called(event)
    else if (event.type === 'tool/result') this.result(event)
    this.outcome(event)
  }

  private chunk(event: StoredEvent<'assistant/chunk'>): void {
    const step = at(event.data)
    if (this.streamed.step !== step) this.streamed = { step, chunks: [] }
    this.streamed.chunks.push(event)
  }

  private message(event: StoredEvent<'assistant/message'>): void {
    const { data, cites } = event
    for (const block of data.message.content)
      if (block.type === 'tool-call') this.blocks.set(`${at(data)} ${block.call.key}`, block)
    if (cites === undefined || cites.length === 0) return
    const chunks = this.streamed.step === at(data) ? this.streamed.chunks : []
    if (
      !isDeepStrictEqual(
        cites,
        chunks.map(({ seq }) => seq),
      )
    ) {
      this.wrong(
        event,
        'message-cites',
        `cites ${cites.join(', ')}, but its attempt has the chunks ${chunks.map(({ seq }) => seq).join(', ') || 'of nothing'}`,
      )
    } else this.content(event, chunks)
  }

  private content(
    event: StoredEvent<'assistant/message'>,
    chunks: readonly StoredEvent<'assistant/chunk'>[],
  ): void {
    const { data } = event
    if (data.transformedBy !== undefined) return
    const blocks = new StreamedBlocks()
    for (const {
      data: { chunk },
    } of chunks)
      if (chunk.kind !== 'usage' && chunk.kind !== 'finish') blocks.add(chunk)
    const told =
      data.interrupted === true
        ? blocks.prefix()
        : blocks.message(data, data.finish === 'max-tokens')
    if (isDeepStrictEqual(plain(told?.content), plain(data.message.content))) return
    this.wrong(event, 'message-content', 'the message is not what the chunks that it cites say')
  }

  private called(event: StoredEvent<'tool/call'>): void {
    const { data } = event
    const key = `${at(data)} ${data.call.key}`
    this.calls.set(key, event.seq)
    const block = this.blocks.get(key)
    if (block === undefined) return
    if (block.name === data.name && block.arguments === data.arguments) return
    this.wrong(event, 'call-content', `the message asked for ${block.name} with other words`)
  }

  private result(event: StoredEvent<'tool/result'>): void {
    const { data, cites } = event
    const key = `${at(data)} ${data.call.key}`
    const call = this.calls.get(key)
    if (cites !== undefined && (call === undefined || !cites.includes(call))) {
      const cited = cites.join(', ') || 'nothing'
      this.wrong(event, 'result-cites', `cites ${cited}, but its call is ${call ?? 'not recorded'}`)
    }
  }

  private outcome(event: StoredEvent): void {
    if (event.type === 'turn/start') this.cut = false
    else if (event.type === 'assistant/message') this.cut ||= event.data.finish === 'max-tokens'
    else if (event.type === 'turn/end') this.ended(event)
  }

  private ended(event: StoredEvent<'turn/end'>): void {
    const { kind } = event.data.reason
    if (kind !== (this.cut ? 'completed' : 'max-tokens')) return
    const cut = this.cut ? 'a message of it was cut' : 'no message of it was cut'
    this.wrong(event, 'cut-stays', `turn ${event.data.turn} ended ${kind}, but ${cut}`)
  }

  private wrong({ seq }: StoredEvent, rule: string, message: string): void {
    this.report({ invariant: 'I-DERIVE', rule, seq, message })
  }
}

/** As it is stored: without members that are undefined. */
const plain = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown)
