/**
 * Prints the messages of a request in the notation of scenarios.
 *
 * @module
 */
import type { HistoryEntry } from '../actors/model.port.ts'
import type { AssistantBlock, ContentBlock, Message } from '../events/message.ts'

/** The text of content blocks; other blocks as `<type>`. */
export const textOf = (content: readonly ContentBlock[]): string =>
  content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('')

/** `A` or `X<plugin>`: how a pending message is listed. */
export const listed = (message: Message): string =>
  message.source.kind === 'user'
    ? textOf(message.content)
    : `${textOf(message.content)}<${message.source.kind}>`

function partOf(block: AssistantBlock): string {
  if (block.type === 'text') return `assistant:${block.text}`
  if (block.type === 'reasoning') return `assistant:reasoning ${block.text}`
  if (block.type === 'tool-call') return `assistant:call ${block.call.providerId}`
  return `assistant:<${block.type}>`
}

function entryOf(entry: HistoryEntry): string {
  if (entry.role === 'assistant') return entry.content.map(partOf).join(' | ')
  if (entry.role === 'tool') {
    return `tool-result ${entry.call.providerId} ${entry.outcome.kind === 'ok' ? 'ok' : 'error'}`
  }
  const kind = entry.source.kind === 'user' ? '' : `<${entry.source.kind}>`
  return `user${kind}:${textOf(entry.content)}`
}

/** The history of a request, one line an entry. */
export const printRequest = (messages: readonly HistoryEntry[]): string[] => messages.map(entryOf)
