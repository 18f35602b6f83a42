/**
 * Assistant messages from outside: what a gate made of a finished attempt.
 *
 * @module
 */
import type { AssistantBlock, AssistantMessage, ToolCallBlock } from './message.ts'
import { checkFile } from './parse-content.ts'
import { asJson, asList, asName, asRecord, asText, asWord, onlyKeys, ShapeError } from './shape.ts'

type Fields = { readonly [key: string]: unknown }

/**
 * Reads a rewritten assistant message.
 *
 * Calls keep the identity they have in `original`; those that are left are numbered again from 0.
 *
 * @throws ShapeError, also for a call that `original` does not hold.
 */
export function checkAssistantMessage(
  value: unknown,
  original: AssistantMessage,
): AssistantMessage {
  const given = asRecord(asJson(value, 'message'), 'message')
  onlyKeys(given, 'message', ['role', 'content'])
  asWord(given['role'], 'role', ['assistant'])
  const known = new Map(original.content.filter(isCall).map((block) => [block.call.key, block]))
  let calls = 0
  const content = asList(given['content'], 'content').map((part, i): AssistantBlock => {
    const path = `content[${i}]`
    const block = asRecord(part, path)
    if (block['type'] !== 'tool-call') return checkBlock(block, path)
    return readCall(block, path, known, calls++)
  })
  return Object.freeze({ role: 'assistant' as const, content: Object.freeze(content) })
}

const isCall = (block: AssistantBlock): block is ToolCallBlock => block.type === 'tool-call'

function readCall(
  block: Fields,
  path: string,
  known: Map<string, ToolCallBlock>,
  index: number,
): ToolCallBlock {
  onlyKeys(block, path, ['type', 'call', 'name', 'arguments', 'replay'])
  const key = asRecord(block['call'], `${path}.call`)['key']
  const from = known.get(key as string)
  if (from === undefined)
    throw new ShapeError(`${path}.call.key`, 'a call of the original message, each once', key)
  known.delete(from.call.key)
  const rewritten = {
    ...(block as unknown as ToolCallBlock),
    call: from.call.index === index ? from.call : Object.freeze({ ...from.call, index }),
    name: asName(block['name'], `${path}.name`),
    arguments: asText(block['arguments'], `${path}.arguments`),
  }
  return Object.freeze(rewritten)
}

function checkBlock(block: Fields, path: string): AssistantBlock {
  switch (block['type']) {
    case 'text':
    case 'reasoning':
      onlyKeys(block, path, ['type', 'text', 'replay'])
      asText(block['text'], `${path}.text`)
      break
    case 'file':
    case 'image':
      checkFile(block, path)
      break
    case 'provider':
      onlyKeys(block, path, ['type', 'kind', 'value'])
      asName(block['kind'], `${path}.kind`)
      break
    default:
      throw new ShapeError(
        `${path}.type`,
        'one of text, reasoning, tool-call, file, image, provider',
        block['type'],
      )
  }
  return block as unknown as AssistantBlock
}
