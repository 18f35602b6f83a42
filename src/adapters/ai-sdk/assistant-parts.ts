/**
 * Writes one assistant message of the history as parts of a prompt.
 *
 * A1 What a block carries as `replay` goes back to the provider as its `providerOptions`, unchanged.
 * A2 Reasoning is sent only in front of what it led to: providers refuse a message that ends with reasoning, and a
 *    stored reasoning item whose successor is missing (an interrupted or cut answer).
 * A3 Arguments are sent as an object: providers and chat templates refuse anything else. What the model wrote instead
 *    is wrapped, so that it can see its mistake.
 *
 * @module
 */
import type { Json } from '../../events/json.ts'
import type {
  AssistantBlock,
  AssistantMessage,
  ProviderBlock,
  ToolCallBlock,
} from '../../events/message.ts'
import { recordOf, type SpecVersion } from './language-model.ts'
import { filePart, type PromptPart } from './outcome-output.ts'

/** What the whole history says about the calls of one message. */
export interface CallFacts {
  readonly version: SpecVersion
  /** The id under which a call is sent, by its key. */
  readonly ids: ReadonlyMap<string, string>
  /** Ids of calls of the provider that have a result, or an open question. */
  readonly answered: ReadonlySet<string>
}

const options = (replay: Json | undefined): { providerOptions?: Json } =>
  recordOf(replay) === undefined ? {} : { providerOptions: replay as Json }

const parsed = (text: string): unknown => {
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The arguments of a call as the prompt needs them (A3). */
export function inputOf(text: string, replay?: Json): unknown {
  const value = parsed(text)
  if (recordOf(value) !== undefined && !Array.isArray(value)) return value
  // A tool of the provider may take a text; its calls carry an id of the provider.
  if (typeof value === 'string' && replay !== undefined) return value
  return { invalid_arguments: text }
}

const callPart = (block: ToolCallBlock, facts: CallFacts): PromptPart => ({
  type: 'tool-call',
  toolCallId: facts.ids.get(block.call.key) ?? block.call.providerId,
  toolName: block.name,
  input: inputOf(block.arguments, block.replay),
  ...options(block.replay),
})

function reasoningFile(fields: Readonly<Record<string, unknown>>): PromptPart {
  const data = recordOf(fields['data']) ?? {}
  const url = data['url']
  return {
    type: 'reasoning-file',
    mediaType: fields['mediaType'],
    data: typeof url === 'string' && URL.canParse(url) ? { type: 'url', url: new URL(url) } : data,
  }
}

type Fields = Readonly<Record<string, unknown>>

const executedCall = (fields: Fields): PromptPart => ({
  type: 'tool-call',
  toolCallId: fields['toolCallId'],
  toolName: fields['toolName'],
  input: inputOf(typeof fields['input'] === 'string' ? fields['input'] : '', null),
  providerExecuted: true,
})

const executedResult = (fields: Fields): PromptPart => ({
  type: 'tool-result',
  toolCallId: fields['toolCallId'],
  toolName: fields['toolName'],
  output: { type: fields['isError'] === true ? 'error-json' : 'json', value: fields['result'] },
})

const v4Only =
  (make: (fields: Fields) => PromptPart) =>
  (fields: Fields, version: SpecVersion): PromptPart | undefined =>
    version === 'v4' ? make(fields) : undefined

/** Parts of the provider that go back, by kind; sources, for one, do not. */
const PROVIDER_PARTS: Readonly<
  Record<string, (fields: Fields, version: SpecVersion) => PromptPart | undefined>
> = {
  'tool-call': executedCall,
  'tool-result': executedResult,
  custom: v4Only(({ kind }) => ({ type: 'custom', kind })),
  'reasoning-file': v4Only(reasoningFile),
}

function providerPart(
  { kind, value }: ProviderBlock,
  version: SpecVersion,
): PromptPart | undefined {
  const fields = recordOf(value) ?? {}
  const make = Object.hasOwn(PROVIDER_PARTS, kind) ? PROVIDER_PARTS[kind] : undefined
  const part = make?.(fields, version)
  return part && { ...part, ...options(fields['providerMetadata'] as Json | undefined) }
}

/** A call of the provider is sent with its result; alone only if the model waits for calls beside it. */
function isSendable(block: ProviderBlock, message: AssistantMessage, facts: CallFacts): boolean {
  if (block.kind !== 'tool-call') return true
  const id = String(recordOf(block.value)?.['toolCallId'])
  return facts.answered.has(id) || message.content.some(({ type }) => type === 'tool-call')
}

type SpokenBlock = Extract<AssistantBlock, { text: string }>

const spokenPart = (block: SpokenBlock): PromptPart | undefined =>
  block.text === '' && block.replay === undefined
    ? undefined
    : { type: block.type, text: block.text, ...options(block.replay) }

function partOf(
  block: AssistantBlock,
  message: AssistantMessage,
  facts: CallFacts,
): PromptPart | undefined {
  if (block.type === 'text' || block.type === 'reasoning') return spokenPart(block)
  if (block.type === 'tool-call') return callPart(block, facts)
  if (block.type !== 'provider') return filePart(block, facts.version)
  return isSendable(block, message, facts) ? providerPart(block, facts.version) : undefined
}

/** Names of the providers under which a part has an item that the provider stores. */
const itemOwners = (part: PromptPart): string[] =>
  Object.entries(recordOf(part['providerOptions']) ?? {})
    .filter(([, own]) => typeof recordOf(own)?.['itemId'] === 'string')
    .map(([name]) => name)

/** May this reasoning be sent in front of `next`, the first part behind it that is no reasoning? (A2) */
function mayPrecede(reasoning: PromptPart, next: PromptPart | undefined): boolean {
  if (next === undefined) return false
  if (next.type !== 'text') return true
  const owners = itemOwners(next)
  return itemOwners(reasoning).every((owner) => owners.includes(owner))
}

/** The parts of one message, in order; none if nothing of it can be sent. */
export function assistantParts(message: AssistantMessage, facts: CallFacts): PromptPart[] {
  const parts: PromptPart[] = []
  for (const block of message.content) {
    const part = partOf(block, message, facts)
    if (part !== undefined) parts.push(part)
  }
  return parts.filter(
    (part, at) =>
      part.type !== 'reasoning' ||
      mayPrecede(
        part,
        parts.slice(at + 1).find(({ type }) => type !== 'reasoning'),
      ),
  )
}
