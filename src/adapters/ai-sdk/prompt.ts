/**
 * Writes a request of the agent as the prompt of a language model.
 *
 * P1 The prompt is a pure function of the request: nothing but the history, the system prompt and the version counts.
 * P2 Outcomes that follow each other stand in one message. An outcome without its call is left out.
 * P3 Ids of calls are unique in a prompt, although a provider may repeat its own.
 * P4 What a provider asks to approve, for tools it runs itself, is answered with no.
 *
 * @module
 */
import type { HistoryEntry, ModelRequest } from '../../actors/model.port.ts'
import type { AssistantMessage, ContentBlock, Message } from '../../events/message.ts'
import { assistantParts, type CallFacts } from './assistant-parts.ts'
import { recordOf, type SpecVersion } from './language-model.ts'
import { filePart, outputOf, type PromptPart } from './outcome-output.ts'

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | readonly PromptPart[]
}

/** Ids by call key (P3): the provider's own where it is free, else the same with a number. */
function callIds(messages: readonly HistoryEntry[]): Map<string, string> {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  for (const entry of messages) {
    if (entry.role !== 'assistant') continue
    for (const block of entry.content) {
      if (block.type !== 'tool-call' || ids.has(block.call.key)) continue
      const base = block.call.providerId || 'call'
      let id = base
      for (let n = 2; taken.has(id); n += 1) id = `${base}_${n}`
      taken.add(id)
      ids.set(block.call.key, id)
    }
  }
  return ids
}

/** Ids of calls of the provider that have a result or ask for approval. */
function answeredIds(messages: readonly HistoryEntry[]): Set<string> {
  const ids = new Set<string>()
  for (const entry of messages) {
    if (entry.role !== 'assistant') continue
    for (const block of entry.content) {
      if (block.type !== 'provider' || block.kind === 'tool-call') continue
      const id = recordOf(block.value)?.['toolCallId']
      if (typeof id === 'string') ids.add(id)
    }
  }
  return ids
}

const userPart = (block: ContentBlock, version: SpecVersion): PromptPart | undefined => {
  if (block.type !== 'text') return filePart(block, version)
  return block.text === '' ? undefined : { type: 'text', text: block.text }
}

function userMessage(message: Message, version: SpecVersion): PromptMessage[] {
  const content = message.content.flatMap((block) => userPart(block, version) ?? [])
  return content.length === 0 ? [] : [{ role: 'user', content }]
}

const REFUSAL = 'not approved: calls that the provider runs need an approval that nobody gives here'

/** Answers to what the provider asks (P4). Version 2 has no such questions. */
function refusals(message: AssistantMessage, version: SpecVersion): PromptPart[] {
  if (version === 'v2') return []
  return message.content.flatMap((block) => {
    if (block.type !== 'provider' || block.kind !== 'tool-approval-request') return []
    const approvalId = recordOf(block.value)?.['approvalId']
    return [{ type: 'tool-approval-response', approvalId, approved: false, reason: REFUSAL }]
  })
}

function assistantMessages(message: AssistantMessage, facts: CallFacts): PromptMessage[] {
  const content = assistantParts(message, facts)
  if (content.length === 0) return []
  const answers = refusals(message, facts.version)
  return [
    { role: 'assistant', content },
    ...(answers.length === 0 ? [] : [{ role: 'tool' as const, content: answers }]),
  ]
}

function toolMessage(
  entry: Extract<HistoryEntry, { role: 'tool' }>,
  facts: CallFacts,
): PromptMessage[] {
  const toolCallId = facts.ids.get(entry.call.key)
  if (toolCallId === undefined) return []
  const output = outputOf(entry.outcome, facts.version)
  const part = { type: 'tool-result', toolCallId, toolName: entry.name, output }
  return [{ role: 'tool', content: [part] }]
}

function messagesOf(entry: HistoryEntry, facts: CallFacts): PromptMessage[] {
  if (entry.role === 'user') return userMessage(entry, facts.version)
  return entry.role === 'assistant' ? assistantMessages(entry, facts) : toolMessage(entry, facts)
}

/** The prompt of a request, in the words of one version. */
export function promptOf(request: ModelRequest, version: SpecVersion): PromptMessage[] {
  const { messages, system } = request
  const facts = { version, ids: callIds(messages), answered: answeredIds(messages) }
  const prompt: PromptMessage[] = []
  if (system !== undefined && system !== '') prompt.push({ role: 'system', content: system })
  for (const entry of messages) {
    for (const message of messagesOf(entry, facts)) {
      const last = prompt.at(-1)
      if (message.role === 'tool' && last?.role === 'tool') {
        prompt[prompt.length - 1] = { role: 'tool', content: joined(last, message) }
      } else {
        prompt.push(message)
      }
    }
  }
  return prompt
}

const joined = (a: PromptMessage, b: PromptMessage): PromptPart[] => [
  ...(a.content as readonly PromptPart[]),
  ...(b.content as readonly PromptPart[]),
]
