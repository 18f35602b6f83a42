/**
 * How files, and outcomes of tool calls, are written in each version of a prompt.
 *
 * @module
 */
import { ModelError } from '../../actors/model.port.ts'
import type { ContentBlock, FileBlock, Outcome } from '../../events/message.ts'
import type { SpecVersion } from './language-model.ts'

/** Any part of a prompt: its fields depend on its type and on the version. */
export interface PromptPart {
  readonly type: string
  readonly [field: string]: unknown
}

const DATA_URL = /^data:[^,]*;base64,/

/** The base64 text of a file, or the URL where it lies. */
function sourceOf(file: FileBlock): { data: string } | { url: URL } {
  if (file.data !== undefined) return { data: file.data }
  const url = file.url ?? ''
  const head = DATA_URL.exec(url)?.[0]
  if (head !== undefined) return { data: url.slice(head.length) }
  if (!URL.canParse(url)) {
    throw new ModelError({
      code: 'UNKNOWN',
      message: `a ${file.type} block (${file.mediaType}) needs data or an absolute url`,
    })
  }
  return { url: new URL(url) }
}

/** A file of a user or an assistant message. */
export function filePart(file: FileBlock, version: SpecVersion): PromptPart {
  const source = sourceOf(file)
  const tagged =
    'data' in source ? { type: 'data', data: source.data } : { type: 'url', url: source.url }
  return {
    type: 'file',
    mediaType: file.mediaType,
    data: version === 'v4' ? tagged : 'data' in source ? source.data : source.url,
    ...(file.name !== undefined && { filename: file.name }),
  }
}

function v2Content(block: ContentBlock): PromptPart {
  if (block.type === 'text') return { type: 'text', text: block.text }
  const source = sourceOf(block)
  return 'data' in source
    ? { type: 'media', data: source.data, mediaType: block.mediaType }
    : { type: 'text', text: String(source.url) }
}

function v3Content(block: ContentBlock): PromptPart {
  if (block.type === 'text') return { type: 'text', text: block.text }
  const source = sourceOf(block)
  const name = block.name === undefined ? {} : { filename: block.name }
  if (block.mediaType.startsWith('image/')) {
    return 'data' in source
      ? { type: 'image-data', data: source.data, mediaType: block.mediaType }
      : { type: 'image-url', url: String(source.url) }
  }
  return 'data' in source
    ? { type: 'file-data', data: source.data, mediaType: block.mediaType, ...name }
    : { type: 'file-url', url: String(source.url), mediaType: block.mediaType }
}

const v4Content = (block: ContentBlock): PromptPart =>
  block.type === 'text' ? { type: 'text', text: block.text } : filePart(block, 'v4')

const CONTENT = { v2: v2Content, v3: v3Content, v4: v4Content } satisfies Record<
  SpecVersion,
  (block: ContentBlock) => PromptPart
>

const textOf = (content: readonly ContentBlock[]): string =>
  content
    .map((block) => (block.type === 'text' ? block.text : `[${block.type} ${block.mediaType}]`))
    .join('\n')

/**
 * The output of a tool call.
 *
 * A denial has a type of its own since version 3. No version has failures with files: of a failed call the text is
 * sent, and a mark where a file stood.
 */
export function outputOf(outcome: Outcome, version: SpecVersion): PromptPart {
  const { content } = outcome
  if (outcome.kind === 'ok') {
    return content.every(({ type }) => type === 'text')
      ? { type: 'text', value: textOf(content) }
      : { type: 'content', value: content.map(CONTENT[version]) }
  }
  if (outcome.kind === 'error') {
    // An empty text with the mark of an error is refused by some providers.
    return { type: 'error-text', value: textOf(content) || (outcome.code ?? 'the tool failed') }
  }
  const reason = textOf(content) || outcome.reason
  return version === 'v2'
    ? { type: 'error-text', value: reason }
    : { type: 'execution-denied', reason }
}
