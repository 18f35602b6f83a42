/**
 * The sentences of a chat about what an agent's log says: messages, questions, what waits. Each is one line, made printable.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { InboxList } from '../../events/event.ts'
import type { Message } from '../../events/message.ts'
import type { OpenQuestion } from '../../projections/approvals.ts'
import { type InboxEntry, type Placement, placementOf } from '../../projections/inbox.ts'
import { escapedJson, shortLine } from '../../projections/plain-text.ts'
import { oneLine } from '../live/printable.ts'
import { plural } from '../offline/words.ts'

const textOf = ({ content }: Message): string =>
  content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join(' ')

/** What a message says. */
export const saidBy = (message: Message): string => oneLine(textOf(message))

/** Who says it; nothing for a person. */
export const senderOf = ({ source }: Message): string => {
  if (source.kind === 'user') return ''
  const name = source.plugin ?? ''
  return oneLine(`${source.kind}${name === '' ? '' : ` ${name}`}: `) + ' '
}

/** Characters of a pending message that are shown: its own turn shows it whole. */
const SHORT = 200

/** A pending message, with where it stands. */
export const pendingLine = (placement: Placement, message: Message): string =>
  `${placement}: ${senderOf(message)}${shortLine(textOf(message), SHORT)}`

/** What waits, in the order in which a boundary takes it. @param most - lines; default: all of it */
export const pendingLines = (
  { inbox: { nextStep, nextTurn } }: Agent,
  most = Infinity,
): readonly string[] => [
  ...linesOf('next-step', nextStep.slice(0, most)),
  ...linesOf('next-turn', nextTurn.slice(0, Math.max(0, most - nextStep.length))),
]

const linesOf = (list: InboxList, entries: readonly InboxEntry[]): readonly string[] =>
  entries.map((entry) => pendingLine(placementOf(list, entry), entry.message))

/** A question about a call. Whoever allows it must see all of what it asks for. */
export const questionLine = ({
  call,
  question,
}: Pick<OpenQuestion, 'call' | 'question'>): string => {
  const { tool, arguments: asked, prompt } = question
  const words = typeof asked === 'string' ? asked : escapedJson(JSON.stringify(asked))
  return oneLine(`? ${call.key} ${tool} ${words}${prompt === undefined ? '' : ` · ${prompt}`}`)
}

/** How a question is answered. */
export const answerHint = ({ call }: Pick<OpenQuestion, 'call'>): string =>
  `/approve ${call.key} or /deny ${call.key}`

/** What a recorded policy holds back, and what ends that; undefined where nothing is held. */
export function parkedLine({ parked }: Agent): string | undefined {
  if (parked === null) return undefined
  const { ids, reason } = parked
  return `${plural(ids.length, 'message')} parked (${reason}): your next line wakes ${ids.length === 1 ? 'it' : 'them'} too; /inbox shows what waits`
}
