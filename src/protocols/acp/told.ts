/**
 * What a client is told, before it is put into the words of a version of the protocol: read from the events of a session.
 *
 * T1 Only what is committed is told: text and images, in order. Chunks, reasoning and titles never are; tool calls and
 *    usage only where they are asked for.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import type { Json } from '../../events/json.ts'
import type { ContentBlock, FileBlock, Outcome, Usage } from '../../events/message.ts'
import type { Attachments, Shown } from './acp-port.ts'

/** What a block may be for a client. */
export type ToldContent =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image'
      readonly mimeType: string
      readonly data: string
      readonly uri?: string
    }
  | {
      readonly type: 'resource_link'
      readonly name: string
      readonly uri: string
      readonly mimeType: string
    }

/** What happens to a session in the draft. */
export type SessionState =
  | { readonly state: 'running' | 'requires_action' | 'idle' }
  | { readonly state: 'idle'; readonly stopReason: 'end_turn' | 'cancelled' }
  | {
      readonly state: 'idle'
      readonly stopReason: 'error'
      readonly error: { readonly code: number; readonly message: string }
    }

/** One thing to tell. */
export type Told =
  | {
      readonly kind: 'agent' | 'user'
      /** Names the message; all parts of one share it. */
      readonly messageId: string
      readonly content: ToldContent
    }
  | {
      readonly kind: 'call'
      readonly call: string
      readonly tool: string
      readonly arguments: Json
    }
  | {
      readonly kind: 'outcome'
      readonly call: string
      readonly ok: boolean
      readonly texts: readonly string[]
    }
  | { readonly kind: 'usage'; readonly used: number; readonly size: number }
  | { readonly kind: 'state'; readonly state: SessionState }

/** Reads the events of one session; remembers what later events need of earlier ones. */
export class Teller {
  private readonly show: Shown
  private readonly attachments: Attachments | undefined
  private contextWindow: number | undefined

  constructor(show: Shown, attachments: Attachments | undefined) {
    this.show = show
    this.attachments = attachments
  }

  /** @returns what makes the told of `event`; undefined where there is nothing to tell. */
  read(event: StoredEvent): (() => readonly Told[] | Promise<readonly Told[]>) | undefined {
    if (event.type === 'assistant/message') return this.message(event)
    if (event.type === 'request/context') this.contextWindow = event.data.contextWindow
    return this.show.tools === true ? toolOf(event) : undefined
  }

  /** The user's side, for replays. */
  user({ type, data }: StoredEvent): (() => Promise<readonly Told[]>) | undefined {
    if (type !== 'user/message' || data.message.source.kind !== 'user') return undefined
    const { id, content } = data.message
    return () => this.parts('user', id, content)
  }

  /** A message of the user as told. */
  parts(
    kind: 'agent' | 'user',
    messageId: string,
    blocks: readonly { readonly type: string }[],
  ): Promise<readonly Told[]> {
    const told = blocks.filter(isTold).map(async (block) => ({
      kind,
      messageId,
      content: await contentOf(block, this.attachments),
    }))
    return Promise.all(told)
  }

  private message(event: StoredEvent<'assistant/message'>): () => Promise<readonly Told[]> {
    const { message, usage, turn, step } = event.data
    const size = this.contextWindow
    const known = this.show.usage === true && usage !== undefined && size !== undefined
    const told = known ? [{ kind: 'usage', used: tokensOf(usage), size } as const] : []
    return async () => [...(await this.parts('agent', `${turn}.${step}`, message.content)), ...told]
  }
}

const tokensOf = ({ totalTokens, inputTokens = 0, outputTokens = 0 }: Usage): number =>
  totalTokens ?? inputTokens + outputTokens

function toolOf(event: StoredEvent): (() => readonly Told[]) | undefined {
  if (event.type === 'tool/call') {
    const { call, name, arguments: raw } = event.data
    return () => [{ kind: 'call', call: call.key, tool: name, arguments: jsonOf(raw) }]
  }
  if (event.type !== 'tool/result') return undefined
  const { call, outcome } = event.data
  return () => [
    { kind: 'outcome', call: call.key, ok: outcome.kind === 'ok', texts: textsOf(outcome) },
  ]
}

const textsOf = ({ content }: Outcome): readonly string[] =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : []))

/** What the model wrote, where it is JSON. */
function jsonOf(raw: string): Json {
  try {
    return JSON.parse(raw) as Json
  } catch {
    return raw
  }
}

const isTold = (block: { readonly type: string }): block is ContentBlock =>
  block.type === 'image' || (block.type === 'text' && (block as { text?: unknown }).text !== '')

/** @throws what `get` throws. */
async function contentOf(
  block: ContentBlock,
  attachments: Attachments | undefined,
): Promise<ToldContent> {
  if (block.type === 'text') return { type: 'text', text: block.text }
  if (block.data !== undefined)
    return { type: 'image', mimeType: block.mediaType, data: block.data }
  const { url: uri = '', mediaType } = block
  if (attachments === undefined) return link(block, uri)
  const { mediaType: mimeType, data } = await attachments.get(block)
  return { type: 'image', mimeType: mimeType || mediaType, data, uri }
}

const link = ({ name, mediaType }: FileBlock, uri: string): ToldContent => ({
  type: 'resource_link',
  name: name ?? uri,
  uri,
  mimeType: mediaType,
})
