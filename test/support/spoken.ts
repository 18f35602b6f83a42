/**
 * What a recorded stream says, read from its lines by hand: the measure for every adapter.
 */
import type { FinishReason } from '../../src/events/chunk.ts'
import type { Usage } from '../../src/events/message.ts'

export type WireFormat = 'openai-chat' | 'openai-responses' | 'anthropic'

export interface SpokenCall {
  id: string
  name: string
  arguments: string
}

export interface Spoken {
  text: string
  reasoning: string
  calls: SpokenCall[]
  reason: FinishReason
  usage: Usage
  /** Index of the line with which the provider says that and why it ends. */
  lastWord: number
}

const get = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>(
    (at, key) => (at as Record<string, unknown> | null | undefined)?.[key],
    value,
  )
const text = (value: unknown, ...path: (string | number)[]): string => {
  const found = get(value, ...path)
  return typeof found === 'string' ? found : ''
}
const list = (value: unknown, ...path: (string | number)[]): readonly unknown[] => {
  const found = get(value, ...path)
  return Array.isArray(found) ? found : []
}
const count = (value: unknown, ...path: (string | number)[]): number =>
  Number(get(value, ...path) ?? 0)

const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'max-tokens',
  tool_calls: 'tool-calls',
  end_turn: 'stop',
  max_tokens: 'max-tokens',
  tool_use: 'tool-calls',
  refusal: 'content-filter',
}

const nothing = (): Spoken => ({
  text: '',
  reasoning: '',
  calls: [],
  reason: 'other',
  usage: {},
  lastWord: -1,
})

function chatUsage(usage: unknown): Usage {
  const inputTokens = count(usage, 'prompt_tokens')
  const outputTokens = count(usage, 'completion_tokens')
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    reasoningTokens: count(usage, 'completion_tokens_details', 'reasoning_tokens'),
    cacheReadTokens: count(usage, 'prompt_tokens_details', 'cached_tokens'),
  }
}

function chatDelta(spoken: Spoken, delta: unknown): void {
  spoken.text += text(delta, 'content') + text(delta, 'refusal')
  spoken.reasoning += text(delta, 'reasoning_content')
  for (const piece of list(delta, 'tool_calls')) {
    const call = (spoken.calls[count(piece, 'index')] ??= { id: '', name: '', arguments: '' })
    call.id ||= text(piece, 'id')
    call.name ||= text(piece, 'function', 'name')
    call.arguments += text(piece, 'function', 'arguments')
  }
}

function chat(lines: readonly unknown[]): Spoken {
  const spoken = nothing()
  for (const [at, line] of lines.entries()) {
    chatDelta(spoken, get(line, 'choices', 0, 'delta'))
    const reason = text(line, 'choices', 0, 'finish_reason')
    if (reason !== '') Object.assign(spoken, { reason: REASONS[reason] ?? 'other', lastWord: at })
    if (typeof get(line, 'usage', 'prompt_tokens') === 'number') {
      spoken.usage = chatUsage(get(line, 'usage'))
    }
  }
  const refused = lines.some((line) => text(line, 'choices', 0, 'delta', 'refusal') !== '')
  if (refused && spoken.reason === 'stop') spoken.reason = 'content-filter'
  return spoken
}

function responsesUsage(usage: unknown): Usage {
  const inputTokens = count(usage, 'input_tokens')
  const outputTokens = count(usage, 'output_tokens')
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    reasoningTokens: count(usage, 'output_tokens_details', 'reasoning_tokens'),
    cacheReadTokens: count(usage, 'input_tokens_details', 'cached_tokens'),
  }
}

const RESPONSES: Readonly<Record<string, (spoken: Spoken, line: unknown) => void>> = {
  'response.output_text.delta': (spoken, line) => {
    spoken.text += text(line, 'delta')
  },
  'response.refusal.delta': (spoken, line) => {
    spoken.text += text(line, 'delta')
    spoken.reason = 'content-filter'
  },
  'response.reasoning_summary_text.delta': (spoken, line) => {
    spoken.reasoning += text(line, 'delta')
  },
  'response.output_item.done': (spoken, line) => {
    const item = get(line, 'item')
    const type = text(item, 'type')
    if (type !== 'function_call' && type !== 'custom_tool_call') return
    spoken.reason = 'tool-calls'
    const args =
      type === 'function_call' ? text(item, 'arguments') : JSON.stringify(text(item, 'input'))
    spoken.calls.push({ id: text(item, 'call_id'), name: text(item, 'name'), arguments: args })
  },
}

function responses(lines: readonly unknown[]): Spoken {
  const spoken = { ...nothing(), reason: 'stop' as FinishReason }
  for (const [at, line] of lines.entries()) {
    const type = text(line, 'type')
    RESPONSES[type]?.(spoken, line)
    if (type !== 'response.completed' && type !== 'response.incomplete') continue
    spoken.lastWord = at
    spoken.usage = responsesUsage(get(line, 'response', 'usage'))
    if (text(line, 'response', 'incomplete_details', 'reason') === 'max_output_tokens') {
      spoken.reason = 'max-tokens'
    }
  }
  return spoken
}

function anthropicUsage(start: unknown, last: unknown): Usage {
  const cacheReadTokens = count(start, 'cache_read_input_tokens')
  const cacheWriteTokens = count(start, 'cache_creation_input_tokens')
  const inputTokens = count(start, 'input_tokens') + cacheReadTokens + cacheWriteTokens
  const outputTokens = count(last, 'output_tokens')
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
  }
}

function anthropicDelta(spoken: Spoken, delta: unknown): void {
  spoken.text += text(delta, 'text')
  spoken.reasoning += text(delta, 'thinking')
  const call = spoken.calls.at(-1)
  if (call !== undefined) call.arguments += text(delta, 'partial_json')
}

const ANTHROPIC: Readonly<Record<string, (spoken: Spoken, line: unknown, start: unknown) => void>> =
  {
    content_block_start: (spoken, line) => {
      const block = get(line, 'content_block')
      if (text(block, 'type') !== 'tool_use') return
      spoken.calls.push({ id: text(block, 'id'), name: text(block, 'name'), arguments: '' })
    },
    content_block_delta: (spoken, line) => {
      anthropicDelta(spoken, get(line, 'delta'))
    },
    message_delta: (spoken, line, start) => {
      spoken.reason = REASONS[text(line, 'delta', 'stop_reason')] ?? 'other'
      spoken.usage = anthropicUsage(get(start, 'message', 'usage'), get(line, 'usage'))
    },
  }

function anthropic(lines: readonly unknown[]): Spoken {
  const spoken = nothing()
  for (const line of lines) ANTHROPIC[text(line, 'type')]?.(spoken, line, lines[0])
  spoken.lastWord = lines.findIndex((line) => text(line, 'type') === 'message_stop')
  for (const call of spoken.calls) call.arguments ||= '{}'
  return spoken
}

/** What the lines of a recording say. */
export const spokenIn = (format: WireFormat, lines: readonly unknown[]): Spoken =>
  ({ 'openai-chat': chat, 'openai-responses': responses, anthropic })[format](lines)
