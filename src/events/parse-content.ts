/**
 * Content blocks from outside, checked where they enter.
 *
 * @module
 */
import type { ContentBlock } from './message.ts'
import { asList, asName, asRecord, asText, onlyKeys, ShapeError } from './shape.ts'

const TEXT_KEYS = ['type', 'text']
const FILE_KEYS = ['type', 'mediaType', 'data', 'url', 'name']

/** One text block around `text`, frozen. */
export const textContent = (text: string): readonly ContentBlock[] =>
  Object.freeze([Object.freeze({ type: 'text' as const, text })])

/**
 * Is this frozen JSON a list of content blocks?
 *
 * @throws ShapeError
 */
export function checkContent(value: unknown, path: string): readonly ContentBlock[] {
  const blocks = asList(value, path)
  for (const [i, block] of blocks.entries()) checkBlock(block, `${path}[${i}]`)
  return blocks as readonly ContentBlock[]
}

function checkBlock(value: unknown, path: string): void {
  const block = asRecord(value, path)
  switch (block['type']) {
    case 'text':
      onlyKeys(block, path, TEXT_KEYS)
      asText(block['text'], `${path}.text`)
      return
    case 'file':
    case 'image':
      checkFile(block, path)
      return
    default:
      throw new ShapeError(`${path}.type`, 'one of text, file, image', block['type'])
  }
}

/** A file block: exactly one of `data` and `url`. @throws ShapeError */
export function checkFile(block: { readonly [key: string]: unknown }, path: string): void {
  onlyKeys(block, path, FILE_KEYS)
  asName(block['mediaType'], `${path}.mediaType`)
  const { data, url, name } = block
  if ((data === undefined) === (url === undefined))
    throw new ShapeError(path, 'a file with either data or url', block)
  if (data !== undefined) asText(data, `${path}.data`)
  if (url !== undefined) asName(url, `${path}.url`)
  if (name !== undefined) asText(name, `${path}.name`)
}
