/**
 * The blocks of a prompt, read into the content of a message.
 *
 * Blocks come from a stranger: what is not understood refuses the whole prompt, so that nothing is left out in silence.
 *
 * @module
 */
import type { ContentBlock, FileBlock } from '../../events/message.ts'
import { invalidParams } from './fault.ts'

type Fields = { readonly [key: string]: unknown }

/** Reads the blocks. Texts go through `hide`. @throws AcpFault */
export function readPrompt(
  blocks: readonly unknown[],
  hide: (text: string) => string,
): readonly ContentBlock[] {
  if (blocks.length === 0) throw invalidParams('a prompt needs at least one block')
  const content = blocks.map((block) => readBlock(block, hide))
  const blank = content.every((block) => block.type === 'text' && block.text.trim() === '')
  if (blank) throw invalidParams('a prompt needs more than blank text')
  return content
}

const readers: { readonly [type: string]: (block: Fields) => ContentBlock } = {
  text: (block) => ({ type: 'text', text: textOf(block, 'text') }),
  image: (block) => ({
    type: 'image',
    mediaType: textOf(block, 'mimeType'),
    data: textOf(block, 'data'),
  }),
  resource_link: (block) => {
    const { title } = block
    const name = typeof title === 'string' && title !== '' ? title : textOf(block, 'name')
    return { type: 'text', text: `[${name}](${textOf(block, 'uri')})` }
  },
  resource: ({ resource }) => {
    if (typeof resource !== 'object' || resource === null)
      throw invalidParams('a resource block needs a resource')
    return readResource(resource as Fields)
  },
}

function readBlock(block: unknown, hide: (text: string) => string): ContentBlock {
  const fields = (typeof block === 'object' && block !== null ? block : {}) as Fields
  const { type } = fields
  const reader =
    typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type] : undefined
  if (reader === undefined)
    throw invalidParams(
      `expected blocks of the types ${Object.keys(readers).join(', ')}, found ${JSON.stringify(type)}; nothing was sent`,
    )
  const content = reader(fields)
  return content.type === 'text' ? { ...content, text: hide(content.text) } : content
}

/** A text that came along stands between marks that name where it is from. */
function readResource(resource: Fields): ContentBlock {
  const uri = textOf(resource, 'uri')
  if (typeof resource['text'] === 'string')
    return {
      type: 'text',
      text: `<resource uri=${JSON.stringify(uri)}>\n${resource['text']}\n</resource>`,
    }
  const { mimeType } = resource
  const file: FileBlock = {
    type: 'file',
    mediaType: typeof mimeType === 'string' ? mimeType : 'application/octet-stream',
    data: textOf(resource, 'blob'),
    name: uri,
  }
  return file
}

function textOf(fields: Fields, key: string): string {
  const value = fields[key]
  if (typeof value === 'string') return value
  throw invalidParams(
    `expected a text as ${key} of a block, found ${typeof value}; nothing was sent`,
  )
}
