/**
 * What of a message is still to be told, where its stream was told in part: by the block, or by the call.
 *
 * @module
 */
import type { AssistantBlock, ToolCallBlock } from '../../events/message.ts'
import type { BlockType, Told } from './told.ts'

/** A block that was begun. */
export interface OpenBlock {
  readonly id: string
  readonly type: BlockType
  readonly call?: string
}

/** A block of the present attempt, as far as it was told. */
export interface ToldBlock {
  readonly block: OpenBlock
  length: number
  open: boolean
}

/** What of `block` is still to be told. @param streamed - the texts before it were taken off. */
export function restOf(block: AssistantBlock, id: string, streamed: ToldBlock[]): readonly Told[] {
  if (block.type !== 'text' && block.type !== 'reasoning') return fileOf(block)
  const { type, text } = block
  // An empty one was told by nobody, and stands for no text that was streamed.
  if (text === '') return []
  const seen = streamed.shift()
  const rest = text.slice(seen?.length)
  if (rest === '') return []
  const delta = { kind: 'delta', id, type, text: rest } as const
  return seen?.open === true
    ? [{ ...delta, ...seen.block }]
    : [{ kind: 'block-start', id, type }, delta, { kind: 'block-end', id, type }]
}

/** What of the arguments of a call is still to be told, in its own block. A call that was not begun is told by itself. */
export function argumentsLeft(
  { call, arguments: text }: ToolCallBlock,
  streamed: readonly ToldBlock[],
): readonly Told[] {
  const seen = streamed.find(({ block }) => block.call === call.key)
  if (seen?.open !== true || seen.length >= text.length) return []
  return [{ kind: 'delta', ...seen.block, text: text.slice(seen.length) }]
}

/** Files come whole. */
const fileOf = (block: AssistantBlock): readonly Told[] =>
  block.type === 'file' || block.type === 'image' ? [{ kind: 'file', file: block }] : []
