/**
 * What of a message is still to be told, where its stream was told in part: by the block, or by the call.
 *
 * @module
 */
import type { AssistantBlock, ToolCallBlock } from '../../events/message.ts'
import type { BlockType, OpenBlock, Told } from './told.ts'

/** A block of the present attempt, as far as it was told. */
export interface ToldBlock {
  readonly block: OpenBlock
  text: string
  open: boolean
}

/** What of `block` is still to be told. @param streamed - the stream of `block` is taken out of it. */
export function restOf(block: AssistantBlock, id: string, streamed: ToldBlock[]): readonly Told[] {
  if (block.type !== 'text' && block.type !== 'reasoning') return fileOf(block)
  const { type, text } = block
  const seen = streamOf(type, text, streamed)
  const rest = text.slice(seen?.text.length)
  if (rest === '') return []
  const delta = { kind: 'delta', id, type, text: rest } as const
  return seen?.open === true
    ? [{ ...delta, ...seen.block }]
    : [{ kind: 'block-start', id, type }, delta, { kind: 'block-end', id, type }]
}

/**
 * Takes out by which stream a block was told: the one with most of its beginning. Not simply the first: streams that are
 * blank or cut may stand in no message.
 */
function streamOf(type: BlockType, text: string, streamed: ToldBlock[]): ToldBlock | undefined {
  const [seen] = streamed
    .filter((told) => told.block.type === type && text.startsWith(told.text))
    .toSorted((one, other) => other.text.length - one.text.length)
  if (seen !== undefined) streamed.splice(streamed.indexOf(seen), 1)
  return seen
}

/** What of the arguments of a call is still to be told, in its own block. A call that was not begun is told by itself. */
export function argumentsLeft(
  { call, arguments: text }: ToolCallBlock,
  streamed: readonly ToldBlock[],
): readonly Told[] {
  const seen = streamed.find(({ block }) => 'call' in block && block.call === call.key)
  if (seen?.open !== true || !text.startsWith(seen.text) || text === seen.text) return []
  return [{ kind: 'delta', ...seen.block, text: text.slice(seen.text.length) }]
}

/** Files come whole. */
const fileOf = (block: AssistantBlock): readonly Told[] =>
  block.type === 'file' || block.type === 'image' ? [{ kind: 'file', file: block }] : []
