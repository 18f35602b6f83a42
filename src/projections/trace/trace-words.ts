/**
 * The words of a trace, one event at a time: names, numbers and codes, and apart from them what was said.
 *
 * Names of tools, ids, codes and the names of gates and actors are words; messages, arguments, outcomes, failures'
 * messages and the reasons that people give are said.
 *
 * @module
 */
import type { CoreEvents, InboxList, StepAt } from '../../events/event.ts'
import type { AssistantMessage, ContentBlock, Outcome, TurnReason } from '../../events/message.ts'
import { shortLine } from '../plain-text.ts'

type Data<T extends keyof CoreEvents> = CoreEvents[T]

/** Characters of a name; ids and names are foreign, too. */
const NAME = 40
/** Ids that are named one by one. */
const NAMED = 3

/** A foreign name. */
export const named = (text: string): string => shortLine(text, NAME) || '""'

/** A list of foreign ids. */
export function listed(ids: readonly string[]): string {
  const more = ids.length - NAMED
  const first = ids.slice(0, NAMED).map(named).join(', ')
  return more > 0 ? `${first} and ${more} more` : first
}

/** Turn and step as `2.1`. */
export const at = ({ turn, step }: StepAt): string => `${turn}.${step}`

/** What the blocks of a message or an outcome say. */
export const saidIn = (content: readonly ContentBlock[]): string =>
  content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join(' ')

type How = `${InboxList} ${boolean}`

const VERBS: { readonly [how in How]: string } = {
  'next-turn true': 'followup',
  'next-turn false': 'queues',
  'next-step true': 'steer',
  'next-step false': 'inject',
}

/** How a message came in. */
export function insertedWords({
  target,
  wake,
  message,
  actor,
  mark,
}: Data<'inbox/inserted'>): string {
  if (mark !== undefined) return `${mark} ${named(message.id)} to ${target}`
  const source = message.source.kind === 'user' ? '' : ` from ${named(message.source.kind)}`
  const by = actor === 'caller' ? '' : ` by ${named(actor)}`
  const how: How = `${target} ${wake}`
  return `${VERBS[how]} ${named(message.id)}${source}${by}`
}

/** How a cancel was meant, and what it hit. */
export function cancelWords(data: Data<'cancel/requested'>): string {
  const hit = data.turn === null ? 'cancels' : `cancels turn ${data.turn}`
  const flags = [
    data.keepInbox ? 'keeps the inbox' : '',
    data.resume ? 'goes on' : '',
    data.restoreClaimed === true ? 'restores what was claimed' : '',
    data.discarded.length > 0 ? `discards ${listed(data.discarded)}` : '',
  ].filter((flag) => flag !== '')
  return [`${hit} (${data.cause.kind})`, ...flags].join(', ')
}

/** Why a turn ended, without what was said about it. */
export function reasonWords(reason: TurnReason): string {
  if (reason.kind === 'aborted') return `aborted (${reason.cause.kind})`
  if (reason.kind === 'error') return `error ${named(reason.code)}`
  if (reason.kind === 'blocked') return `blocked by ${named(reason.by)}`
  if (reason.kind === 'limit')
    return `limit of ${reason.which}, ${reason.used} of ${reason.allowed}`
  return reason.kind
}

/** What the provider or the gate said about it. */
export function reasonSaid(reason: TurnReason): string {
  if (reason.kind === 'error') return reason.message
  return reason.kind === 'blocked' ? reason.reason : ''
}

/** How a turn ended, and what became of its input. */
export function endWords({ turn, reason, uncommitted, parks }: Data<'turn/end'>): string {
  const left = uncommitted.length === 0 ? '' : `, uncommitted ${listed(uncommitted)}`
  const parked = parks === undefined ? '' : `, parks what is pending (${parks})`
  return `turn ${turn} ends: ${reasonWords(reason)}${left}${parked}`
}

/** How a call ended. */
export function outcomeWords(outcome: Outcome): string {
  if (outcome.kind === 'denied') return `denied by ${named(outcome.by)}`
  if (outcome.kind === 'error') return outcome.code === undefined ? 'error' : named(outcome.code)
  return outcome.concludes === true ? 'ok, concludes the turn' : 'ok'
}

/** What a tool or a gate said. */
export const outcomeSaid = (outcome: Outcome): string =>
  outcome.kind === 'denied' ? outcome.reason : saidIn(outcome.content)

/** What a message of the model holds, in kinds and numbers. */
export function answerWords(
  { message, interrupted, usage, transformedBy }: Data<'assistant/message'>,
  chunks: number,
): string {
  const parts = [
    contentWords(message),
    ...(chunks > 0 ? [counted(chunks, 'chunk')] : []),
    ...(usage?.outputTokens === undefined ? [] : [counted(usage.outputTokens, 'token')]),
    ...(transformedBy === undefined ? [] : [`changed by ${named(transformedBy)}`]),
  ]
  return `${interrupted === true ? 'is cut off after' : 'answers'}: ${parts.join(', ')}`
}

/** A number with its noun. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`

function contentWords({ content }: AssistantMessage): string {
  const count = (type: string): number => content.filter((block) => block.type === type).length
  const others = content.length - count('text') - count('reasoning') - count('tool-call')
  const parts = [
    count('text') > 0 ? 'text' : '',
    count('reasoning') > 0 ? 'reasoning' : '',
    count('tool-call') > 0 ? counted(count('tool-call'), 'call') : '',
    others > 0 ? counted(others, 'other block') : '',
  ].filter((part) => part !== '')
  return parts.join(' and ') || 'nothing'
}

/** The text and the calls of a message of the model. */
export const answerSaid = ({ content }: AssistantMessage): string =>
  content
    .map((block) => {
      if (block.type === 'text') return block.text
      return block.type === 'tool-call' ? `${block.name}(${block.arguments})` : ''
    })
    .filter((part) => part !== '')
    .join(' ')
