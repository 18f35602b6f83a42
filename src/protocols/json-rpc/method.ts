/**
 * What a method is: how its parameters are read, and what it does for whom.
 *
 * Parameters are read before anything is looked up, so that a bad request is answered alike whatever is there.
 *
 * @module
 */
import { asList, asName } from '../../events/shape.ts'
import type { ContentBlock, MessageId, Source } from '../../events/message.ts'
import { parseMessage } from '../../events/parse-message.ts'
import { checkSessionId } from '../../log/log-place.ts'
import type { Registry } from '../../sessions/registry-port.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import type { Feed } from './feed.ts'
import type { Given } from './given.ts'
import type { Making, SessionDoor } from './session-door.ts'
import type { MethodName, ParamsOf, ResultOf } from './wire.ts'

/** What the methods of all connections share. */
export interface Service {
  readonly door: SessionDoor
  readonly registry: Registry
  readonly store: SessionStore | undefined
  /** Changes the texts of messages before anything else sees them. */
  readonly hide: (text: string) => string
  /** Messages that may wait in one session. */
  readonly maxPending: number
}

/** Who asks. */
export interface Caller extends Service {
  /** What `initialize` asked for. */
  readonly making: Making
  readonly feed: Feed
  /** Answers at once, where a promise would let others speak first. */
  readonly tell: (result: object) => void
}

/** One method. */
export interface Method<M extends MethodName> {
  /** @throws ShapeError, TurnwiseError INVALID_MESSAGE */
  read(given: Given): ParamsOf<M>
  run(params: ParamsOf<M>, caller: Caller): ResultOf<M> | Promise<ResultOf<M>>
  /** Is done however much else is under way. */
  readonly urgent?: true
}

/** Methods by their names. */
export type MethodsOf<M extends MethodName> = { readonly [N in M]: Method<N> }

export const sessionOf = (given: Given): { readonly sessionId: string } => ({
  sessionId: given.need('sessionId', (value, path) => checkSessionId(asName(value, path))),
})

const NOBODY: Source = { kind: 'user' }

/** Content blocks, as a message would take them. @throws ShapeError, TurnwiseError INVALID_MESSAGE */
export function asContent(value: unknown, path: string): readonly ContentBlock[] {
  const blocks = asList(value, path) as readonly ContentBlock[]
  return parseMessage({ content: blocks }, () => 'unnamed', NOBODY).content
}

/** The content that is sent for what was asked. */
export const hidden = (
  blocks: readonly ContentBlock[],
  { hide }: Pick<Service, 'hide'>,
): readonly ContentBlock[] =>
  blocks.map((block) => (block.type === 'text' ? { ...block, text: hide(block.text) } : block))

/** The sender's own choice of an id and of a name. */
export const naming = (
  given: Given,
): { readonly messageId?: MessageId; readonly actor?: string } => ({
  ...given.maybe('messageId', asName),
  ...given.maybe('actor', asName),
})

/** Only what an actor was named with. */
export const actorOf = ({ actor }: { readonly actor?: string }): { readonly actor?: string } =>
  actor === undefined ? {} : { actor }
