/**
 * The message in a request: in the form of this library, of the AI SDK's `useChat`, or of AG-UI.
 *
 * Those two send the whole conversation each time; the session has it already, so only the last message is taken.
 *
 * @module
 */
import { asList, asName, asRecord, asText, asWord, ShapeError } from '../../events/shape.ts'
import type { ContentBlock, MessageInput } from '../../events/message.ts'
import { parseMessage } from '../../events/parse-message.ts'
import type { Given } from '../json-rpc/given.ts'

/** A message and how it is sent. */
export interface Sent {
  readonly as: 'followup' | 'steer' | 'inject'
  readonly message: MessageInput
}

const USER = { kind: 'user' } as const
const VERBS = ['followup', 'steer', 'inject'] as const

/** Content as blocks, checked. @throws TurnwiseError INVALID_MESSAGE */
const contentOf = (value: unknown): readonly ContentBlock[] =>
  parseMessage({ content: value as string | readonly ContentBlock[] }, () => 'unnamed', USER)
    .content

/** `{content, id?, as?}`; `content` is a text or a list of blocks. @throws ShapeError; TurnwiseError */
export function ownMessage(given: Given): Sent {
  const content = given.need('content', contentOf)
  const { id } = given.maybe('id', asName)
  const { as = 'followup' } = given.maybe('as', (value, path) => asWord(value, path, VERBS))
  given.none()
  return { as, message: { content, source: USER, ...(id !== undefined && { id }) } }
}

/** The last message of a conversation, which must be the user's. */
function lastOf(value: unknown, path: string): { readonly [key: string]: unknown } {
  const list = asList(value, path)
  const at = `${path}[${list.length - 1}]`
  const last = asRecord(list.at(-1), list.length === 0 ? path : at)
  if (last['role'] !== 'user') throw new ShapeError(`${at}.role`, 'user', last['role'])
  return last
}

function partOf(value: unknown, path: string): ContentBlock | undefined {
  const part = asRecord(value, path)
  if (part['type'] === 'text') return { type: 'text', text: asText(part['text'], `${path}.text`) }
  if (part['type'] !== 'file') return undefined
  const mediaType = asName(part['mediaType'], `${path}.mediaType`)
  const url = asName(part['url'], `${path}.url`)
  return { type: mediaType.startsWith('image/') ? 'image' : 'file', mediaType, url }
}

const known = (part: ContentBlock | undefined): part is ContentBlock => part !== undefined

/** The body of `useChat`: `{id, messages, trigger?, …}`. @throws ShapeError; TurnwiseError INVALID_MESSAGE */
export function chatMessage(body: unknown): MessageInput {
  const { messages } = asRecord(body, '')
  const last = lastOf(messages, 'messages')
  const parts = asList(last['parts'], 'parts').map((part, i) => partOf(part, `parts[${i}]`))
  const id = last['id'] === undefined ? undefined : asName(last['id'], 'id')
  return {
    content: contentOf(parts.filter(known)),
    source: USER,
    ...(id !== undefined && { id }),
  }
}

/** The input of an AG-UI run: `{threadId, runId, messages, …}`. @throws ShapeError; TurnwiseError INVALID_MESSAGE */
export function agUiMessage(body: unknown): {
  readonly runId: string
  readonly message: MessageInput
} {
  const input = asRecord(body, '')
  const last = lastOf(input['messages'], 'messages')
  const { content } = last
  return {
    runId: asName(input['runId'], 'runId'),
    message: {
      content: contentOf(
        typeof content === 'string'
          ? content
          : asList(content, 'content')
              .map((part, i) => partOf(part, `content[${i}]`))
              .filter(known),
      ),
      source: USER,
      id: asName(last['id'], 'id'),
    },
  }
}
