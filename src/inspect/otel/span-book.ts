/**
 * The spans of a run, from its log alone: one `invoke_agent` a turn, in it one `chat` an attempt and one `execute_tool` a
 * call that started.
 *
 * B1 Every span is ended: by its own event, by the end of its step or turn, or by the end of the log.
 * B2 Nothing that anybody said is in a span, unless it was asked for.
 * B3 A request carries the messages that are new since the one before it, so that a session stays as long as its log.
 *
 * @module
 */
import type { EventMap, EventType, StepAt, StoredEvent } from '../../events/event.ts'
import { outcomeSaid, reasonSaid } from '../../projections/trace/trace-words.ts'
import type { Usage } from '../../events/message.ts'
import { type GenAiMessage, inputMessage, outputMessage, toolMessage } from './content.ts'
import { OpenSpan, type SpanStart } from './open-span.ts'
import { type Attributes, errorOf, outcomeError, usageAttributes } from './span-attributes.ts'
import { idOf, type OtlpSpan } from './span.ts'

/** Reads events in order; its spans stand in the order in which they ended. */
export class SpanBook {
  readonly spans: OtlpSpan[] = []
  readonly #session: string
  readonly #spent: ReadonlyMap<number, Usage>
  readonly #reveal: boolean
  /** By number. A crash may leave one open that a repair ends behind later ones. */
  readonly #turns = new Map<number, OpenSpan>()
  #chat: OpenSpan | null = null
  readonly #calls = new Map<string, { readonly turn: number; readonly span: OpenSpan }>()
  #config: EventMap['request/header'] | null = null
  /** When the next request could begin, in ms since the epoch. */
  #ready = 0
  /** Number of the attempt that is running, or comes next. */
  #attempt = 1
  /** What the next request shows the model for the first time. */
  #fresh: GenAiMessage[] = []
  #last = 0

  /** @param spent - tokens by the number of the turn. */
  constructor(session: string, spent: ReadonlyMap<number, Usage>, reveal: boolean) {
    this.#session = session
    this.#spent = spent
    this.#reveal = reveal
  }

  take(event: StoredEvent): void {
    this.#last = event.time
    this.#writers.get(event.type)?.(event)
  }

  /** Ends what the log leaves open. */
  end(): void {
    for (const [turn, span] of this.#turns) {
      span.set({ 'turnwise.open': true })
      this.#endTurn(turn, this.#last)
    }
  }

  #begin(turn: number, start: Pick<SpanStart, 'name' | 'kind' | 'start'>, id: string): OpenSpan {
    const traceId = idOf(16, this.#session, turn)
    const parentSpanId = idOf(8, traceId)
    return new OpenSpan(
      { traceId, spanId: idOf(8, traceId, id), parentSpanId, ...start },
      { ...this.#known(), 'turnwise.turn': turn },
    )
  }

  #known(): Attributes {
    return {
      'gen_ai.conversation.id': this.#session,
      'gen_ai.provider.name': this.#config?.provider,
    }
  }

  /** The request that is under way, or begins. */
  #request({ turn, step }: StepAt): OpenSpan {
    if (this.#chat !== null) return this.#chat
    const attempt = this.#attempt
    const { model, maxTokens, system } = this.#config ?? {}
    const name = model === undefined ? 'chat' : `chat ${model}`
    const start = { name, kind: 3, start: this.#ready } as const
    this.#chat = this.#begin(turn, start, `chat ${step}.${attempt}`)
    this.#chat.set({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': model,
      'gen_ai.request.max_tokens': maxTokens,
      'turnwise.step': step,
      'turnwise.attempt': attempt,
      ...this.#content('gen_ai.input.messages', () => this.#fresh),
      ...this.#content('gen_ai.system_instructions', () =>
        system === undefined ? undefined : [{ type: 'text', content: system }],
      ),
    })
    return this.#chat
  }

  #content(name: string, value: () => unknown): Attributes {
    const said = this.#reveal ? value() : undefined
    return { [name]: typeof said === 'string' || said === undefined ? said : JSON.stringify(said) }
  }

  #endChat(time: number, error?: string, message?: string): void {
    if (this.#chat === null) return
    this.spans.push(this.#chat.end(time, error, this.#reveal ? message : undefined))
    this.#chat = null
  }

  #endCall(key: string, time: number, error?: string, message?: string): void {
    const span = this.#calls.get(key)?.span
    if (span === undefined) return
    this.#calls.delete(key)
    this.spans.push(span.end(time, error, this.#reveal ? message : undefined))
  }

  /** A request that has no answer by now was cut. */
  #cutChat(time: number): void {
    this.#chat?.set({ 'turnwise.interrupted': true })
    this.#endChat(time)
  }

  #endStep(turn: number, time: number): void {
    this.#cutChat(time)
    for (const [key, call] of this.#calls)
      if (call.turn === turn) this.#endCall(key, time, 'OUTCOME_UNKNOWN')
  }

  #endTurn(turn: number, time: number, error?: string, message?: string): void {
    this.#endStep(turn, time)
    const span = this.#turns.get(turn)
    if (span === undefined) return
    this.#turns.delete(turn)
    this.spans.push(span.end(time, error, this.#reveal ? message : undefined))
  }

  #settle({ time, data }: StoredEvent<'tool/settled' | 'tool/result'>): void {
    const { call, outcome } = data
    const said = outcomeSaid(outcome)
    this.#calls.get(call.key)?.span.set(this.#content('gen_ai.tool.call.result', () => said))
    this.#endCall(call.key, time, outcomeError(outcome), said)
  }

  #startTurn({ time, data: { turn } }: StoredEvent<'turn/start'>): void {
    this.#cutChat(time)
    const traceId = idOf(16, this.#session, turn)
    const span = new OpenSpan(
      { traceId, spanId: idOf(8, traceId), name: 'invoke_agent', kind: 1, start: time },
      {
        'gen_ai.operation.name': 'invoke_agent',
        ...this.#known(),
        'gen_ai.request.model': this.#config?.model,
        'turnwise.turn': turn,
        ...usageAttributes(this.#spent.get(turn)),
      },
    )
    this.#turns.set(turn, span)
  }

  readonly #on: { readonly [T in EventType]?: (event: StoredEvent<T>) => void } = {
    'turn/start': (event) => {
      this.#startTurn(event)
    },
    'turn/end': ({ time, data: { turn, reason } }) => {
      this.#turns.get(turn)?.set({ 'turnwise.turn.reason': reason.kind })
      this.#endTurn(turn, time, errorOf(reason), reasonSaid(reason))
    },
    'step/start': ({ time }) => {
      this.#cutChat(time)
      this.#ready = time
      this.#attempt = 1
    },
    'user/message': ({ time, data: { message } }) => {
      this.#ready = time
      if (this.#reveal) this.#fresh.push(inputMessage(message))
    },
    'context/message': ({ data: { message } }) => {
      if (this.#reveal) this.#fresh.push(inputMessage(message))
    },
    'request/header': ({ time, data }) => {
      this.#ready = time
      this.#config = data
      this.#turns.get(data.turn)?.set({
        'gen_ai.provider.name': data.provider,
        'gen_ai.request.model': data.model,
      })
    },
    'assistant/chunk': ({ time, data }) => {
      const begins = this.#chat === null
      const span = this.#request(data)
      if (begins) span.add('turnwise.first_chunk', time, {})
      if (data.chunk.kind === 'usage') span.set(usageAttributes(data.chunk.usage))
    },
    'request/failed': ({ time, data }) => {
      const { attempt, failure, delayMs, usage } = data
      const span = this.#request(data)
      if (usage !== undefined) span.set(usageAttributes(usage))
      span.set({ 'http.response.status_code': failure.status })
      this.#endChat(time, failure.code, failure.message)
      this.#ready = time + delayMs
      this.#attempt = attempt + 1
    },
    'assistant/message': ({ time, data }) => {
      const { message, usage, finish, interrupted } = data
      const span = this.#request(data)
      if (usage !== undefined) span.set(usageAttributes(usage))
      span.set({
        'gen_ai.response.finish_reasons': finish === undefined ? undefined : [finish],
        'turnwise.interrupted': interrupted,
        ...this.#content('gen_ai.output.messages', () => [outputMessage(message, finish)]),
      })
      this.#endChat(time)
      this.#fresh = []
    },
    'tool/call': ({ time, data: { turn, step, call, name, arguments: raw } }) => {
      const start = { name: `execute_tool ${name}`, kind: 1, start: time } as const
      const span = this.#begin(turn, start, `tool ${call.key}`)
      span.set({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.id': call.providerId,
        'turnwise.step': step,
        ...this.#content('gen_ai.tool.call.arguments', () => raw),
      })
      this.#calls.set(call.key, { turn, span })
    },
    'tool/settled': (event) => {
      this.#settle(event)
    },
    'tool/result': (event) => {
      this.#settle(event)
      const { call, outcome } = event.data
      if (this.#reveal) this.#fresh.push(toolMessage(call, outcome))
    },
    'step/end': ({ time, data: { turn } }) => {
      this.#endStep(turn, time)
    },
    'cancel/requested': ({ time, data: { cause, actor, turn } }) => {
      if (turn === null) return
      this.#turns.get(turn)?.add('turnwise.cancel', time, {
        'turnwise.cause': cause.kind,
        'turnwise.actor': actor,
      })
    },
  }
  readonly #writers = new Map(Object.entries(this.#on)) as Map<string, (event: StoredEvent) => void>
}
