/**
 * One line for each event: what it says, beside its type.
 *
 * A type that is not known is shown by its data. Nothing here trusts the shape of a payload: a log may come from
 * anywhere, and a line that cannot be made is said so.
 *
 * @module
 */
import type { Chunk } from '../../../src/events/chunk.ts'
import type { EventType, StoredEvent } from '../../../src/events/event.ts'
import { shortLine } from '../../../src/projections/plain-text.ts'
import {
  assistantText,
  causeText,
  durationText,
  messageText,
  outcomeText,
  outcomeWord,
  reasonText,
  sourceName,
  usageText,
} from './texts.ts'

const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? '' : 's'}`

function chunkLine(chunk: Chunk): string {
  if ('text' in chunk) return chunk.text
  if (chunk.kind === 'block-start') {
    return `${chunk.type} begins${chunk.name === undefined ? '' : `: ${chunk.name}`}`
  }
  if (chunk.kind === 'usage') return usageText(chunk.usage)
  return chunk.kind === 'finish' ? `finish: ${chunk.reason}` : chunk.kind
}

type Lines = { readonly [T in EventType]?: (event: StoredEvent<T>) => string }

const LINES: Lines = {
  'session/opened': ({ data }) =>
    `${data.how}${data.inherited === undefined ? '' : `, ${data.inherited} events inherited`}${data.wake ? ', wakes' : ''}`,
  'inbox/inserted': ({ data }) =>
    `${data.target}${data.wake ? ', wakes' : ''}${data.mark === undefined ? '' : `, ${data.mark}`} · ${sourceName(data.message.source)}: ${messageText(data.message)}`,
  'inbox/claimed': ({ data }) =>
    `turn ${data.turn} takes ${[...data.nextStep, ...data.nextTurn].join(', ') || 'nothing'}`,
  'inbox/discarded': ({ data }) => `${data.reason} by ${data.actor}: ${data.ids.join(', ')}`,
  'inbox/replaced': ({ data }) =>
    `${data.ids.join(', ')} by ${data.messages.map(messageText).join(' · ')}`,
  'inbox/moved': ({ data }) => `${data.id} from ${data.from} to ${data.to}`,
  'turn/start': ({ data }) => `turn ${data.turn}`,
  'turn/end': ({ data }) =>
    `turn ${data.turn} ${reasonText(data.reason)}${data.uncommitted.length === 0 ? '' : ` · never taken in: ${data.uncommitted.join(', ')}`}`,
  'step/start': ({ data }) => `step ${data.turn}.${data.step}`,
  'step/end': ({ data }) => `step ${data.turn}.${data.step}`,
  'user/message': ({ data }) => `${sourceName(data.message.source)}: ${messageText(data.message)}`,
  'context/message': ({ data }) =>
    `${sourceName(data.message.source)}: ${messageText(data.message)}`,
  'request/header': ({ data }) =>
    `${data.provider}/${data.model} (${data.reason})${data.tools === undefined ? '' : `, ${count(data.tools.length, 'tool')}`}`,
  'request/context': ({ data }) =>
    `${data.provider}/${data.model}${data.contextWindow === undefined ? '' : `, ${data.contextWindow} tokens fit`}`,
  'assistant/chunk': ({ data }) => chunkLine(data.chunk),
  'request/failed': ({ data }) =>
    `attempt ${data.attempt} ${data.failure.code}: ${data.failure.message} · ${data.action === 'retry' ? `again in ${durationText(data.delayMs)}` : 'gives up'}`,
  'assistant/message': ({ data }) =>
    `${data.interrupted === true ? 'interrupted · ' : ''}${assistantText(data.message)}`,
  'tool/call': ({ data }) => `${data.name}(${data.arguments})`,
  'tool/settled': ({ data }) =>
    `${data.call.key} ${outcomeWord(data.outcome)} ${outcomeText(data.outcome)}`,
  'tool/result': ({ data }) =>
    `${data.call.key} ${outcomeWord(data.outcome)} ${outcomeText(data.outcome)}`,
  'gate/decided': ({ data }) => `${data.gate}: ${data.decision} by ${data.by}`,
  'cancel/requested': ({ data }) =>
    `${causeText(data.cause)}${data.turn === null ? '' : `, hits turn ${data.turn}`}${data.keepInbox ? ', keeps the inbox' : ''}${data.discarded.length === 0 ? '' : `, drops ${data.discarded.join(', ')}`}`,
  'approval/asked': ({ data }) => `may ${data.question.tool} run? ${data.question.prompt ?? ''}`,
  'approval/decided': ({ data }) =>
    `${data.answer} by ${data.by}${data.reason === undefined ? '' : `: ${data.reason}`}`,
  'compaction/start': ({ data }) => `events ${data.range.from} to ${data.range.to}`,
  'compaction/summary': ({ data }) => messageText(data.message),
  'compaction/end': ({ data }) => data.outcome,
  'goal/change': ({ data }) => `${data.goal}, revision ${data.revision}`,
  'child/descriptor': ({ data }) => data.child,
}

const TABLE = new Map(Object.entries(LINES)) as Map<string, (event: never) => string>

/** What the event says, on one line. */
export function lineOf(event: StoredEvent, length = 200): string {
  const line = TABLE.get(event.type)
  try {
    return shortLine(line === undefined ? JSON.stringify(event.data) : line(event as never), length)
  } catch {
    return '(its payload cannot be read)'
  }
}
