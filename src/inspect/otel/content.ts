/**
 * What was said, in the notation of the GenAI conventions. It is only called where content was asked for.
 *
 * @module
 */
import type { AssistantMessage, CallRef, Message, Outcome } from '../../events/message.ts'
import { saidIn } from '../../projections/trace/trace-words.ts'

/** One message with its parts. */
export interface GenAiMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly parts: readonly object[]
  readonly finish_reason?: string
}

/** What a request was given. */
export const inputMessage = ({ content }: Message): GenAiMessage => ({
  role: 'user',
  parts: content.map((block) =>
    block.type === 'text'
      ? { type: 'text', content: block.text }
      : { type: block.type, mime_type: block.mediaType },
  ),
})

/** What a call came to. */
export const toolMessage = ({ providerId }: CallRef, outcome: Outcome): GenAiMessage => ({
  role: 'tool',
  parts: [{ type: 'tool_call_response', id: providerId, response: saidIn(outcome.content) }],
})

/** What the model answered. */
export const outputMessage = (
  { content }: AssistantMessage,
  finish: string | undefined,
): GenAiMessage => ({
  role: 'assistant',
  parts: content.map((block) => {
    if (block.type === 'text' || block.type === 'reasoning')
      return { type: block.type, content: block.text }
    if (block.type !== 'tool-call') return { type: block.type }
    const { call, name, arguments: raw } = block
    return { type: 'tool_call', id: call.providerId, name, arguments: parsed(raw) }
  }),
  ...(finish !== undefined && { finish_reason: finish }),
})

/** Arguments that are no JSON stay the text they are. */
function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return raw
  }
}
