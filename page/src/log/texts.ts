/**
 * What messages, outcomes and reasons say, in one line each.
 *
 * @module
 */
import type {
  AssistantBlock,
  AssistantMessage,
  Cause,
  ContentBlock,
  Message,
  Outcome,
  Source,
  TurnReason,
  Usage,
} from '../../../src/events/message.ts'
import { escapedJson, shortLine } from '../../../src/projections/plain-text.ts'

const blockText = (block: ContentBlock): string =>
  block.type === 'text' ? block.text : `[${block.type} ${block.name ?? block.mediaType}]`

/** The blocks of a message or an outcome, joined. */
export const contentText = (content: readonly ContentBlock[]): string =>
  content.map(blockText).join(' ')

export const messageText = ({ content }: Message): string => contentText(content)

/** What the model said and asked for. */
export const assistantText = ({ content }: AssistantMessage): string =>
  content
    .map(partText)
    .filter((text) => text !== '')
    .join(' ')

function partText(block: AssistantBlock): string {
  if (block.type === 'reasoning') return `(thinks) ${block.text}`
  if (block.type === 'tool-call') return `→ ${block.name}(${block.arguments})`
  return block.type === 'provider' ? `[${block.kind}]` : blockText(block)
}

export const sourceName = ({ kind, plugin }: Source): string =>
  kind === 'plugin' && plugin !== undefined && plugin !== '' ? plugin : kind

export const outcomeWord = (outcome: Outcome): string => {
  if (outcome.kind === 'ok') return 'ok'
  if (outcome.kind === 'error') return outcome.code ?? 'error'
  return `denied by ${outcome.by}`
}

export const outcomeText = (outcome: Outcome): string => {
  const said = contentText(outcome.content)
  return said === '' && outcome.kind === 'denied' ? outcome.reason : said
}

/** Fields of a cause beside its kind are the caller's. */
export const causeText = ({ kind, ...extra }: Cause): string =>
  Object.keys(extra).length === 0 ? kind : `${kind} ${shortLine(JSON.stringify(extra), 80)}`

export function reasonText(reason: TurnReason): string {
  if (reason.kind === 'aborted') return `aborted by ${causeText(reason.cause)}`
  if (reason.kind === 'error') return `error ${reason.code}: ${shortLine(reason.message, 120)}`
  if (reason.kind === 'limit')
    return `limit of ${reason.which}: ${reason.used} of ${reason.allowed}`
  if (reason.kind !== 'blocked') return reason.kind
  return `blocked by ${shortLine(reason.by, 40)}: ${shortLine(reason.reason, 100)}`
}

const NUMBERS = new Intl.NumberFormat('en-US')

/** `12,345`. */
export const numberText = (value: number): string => NUMBERS.format(value)

/** `1,200 in · 80 out`, or an empty text if nothing is known. */
export function usageText(usage: Usage): string {
  const { inputTokens, outputTokens, totalTokens } = usage
  const parts = [
    inputTokens === undefined ? '' : `${numberText(inputTokens)} in`,
    outputTokens === undefined ? '' : `${numberText(outputTokens)} out`,
  ].filter((part) => part !== '')
  if (parts.length === 0 && totalTokens !== undefined) return `${numberText(totalTokens)} in all`
  return parts.join(' · ')
}

/** `850 ms`, `12.4 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  const seconds = ms / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`
  const hours = Math.floor(minutes / 60)
  return hours < 48
    ? `${hours} h ${minutes % 60} min`
    : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

const TWO = (value: number): string => String(value).padStart(2, '0')

/** Time of day of the reader. */
export function clockText(time: number): string {
  const at = new Date(time)
  const ms = String(at.getMilliseconds()).padStart(3, '0')
  return `${TWO(at.getHours())}:${TWO(at.getMinutes())}:${TWO(at.getSeconds())}.${ms}`
}

export const dayText = (time: number): string => {
  const at = new Date(time)
  return `${at.getFullYear()}-${TWO(at.getMonth() + 1)}-${TWO(at.getDate())}`
}

/** A value as JSON over several lines; what cannot be seen stands as its number. */
export const json = (value: unknown): string =>
  escapedJson(JSON.stringify(value, null, 2) ?? 'null')
