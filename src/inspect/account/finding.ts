/**
 * One thing that a reader of a log should know, as a sentence, and how its parts are put into words.
 *
 * F1 A sentence states what the log says; what is only likely says so.
 * F2 Foreign words come in on one line, short and harmless. They are text: whoever shows a sentence must not run it.
 *
 * It runs in a browser too.
 *
 * @module
 */
import type { Message, MessageId } from '../../events/message.ts'
import { shortLine } from '../../projections/plain-text.ts'

/** What a finding is about. */
export type FindingCode =
  // What is at work, or should be.
  | 'turn-open'
  | 'before-step'
  | 'between-steps'
  | 'model-silent'
  | 'model-streaming'
  | 'backing-off'
  | 'closing'
  | 'tool-running'
  | 'tool-settled'
  | 'tool-waiting'
  | 'approval-waiting'
  | 'cancelling'
  | 'owner-gone'
  | 'owner-unknown'
  // What waits.
  | 'parked'
  | 'pending-waking'
  | 'queued'
  | 'pending-context'
  | 'idle'
  // How the last turn ended, and what became of what it held.
  | 'turn-completed'
  | 'turn-max-tokens'
  | 'turn-blocked'
  | 'turn-aborted'
  | 'turn-error'
  | 'turn-limit'
  | 'turn-interrupted'
  | 'answer-kept'
  | 'message-kept'
  | 'message-back'
  | 'message-lost'
  | 'call-unknown'
  | 'call-aborted'
  | 'call-not-run'

/** One thing to know. */
export interface Finding {
  readonly code: FindingCode
  /** A sentence in plain words. */
  readonly text: string
  /** What to do about it, where something can be done. */
  readonly todo?: string
  /** Seq of the event that says so. */
  readonly seq?: number
  /** The messages, or the keys of the calls, that it is about. */
  readonly ids?: readonly string[]
}

/** Characters of a foreign word. */
const SHORT = 60
/** Messages that are named one by one. */
const NAMED = 3

/** A foreign word in quotes. */
export const quoted = (text: string): string => `“${shortLine(text, SHORT)}”`

/** What a message says, in short; its id where it says nothing. */
export function saying({ id, content }: Message): string {
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join(' ')
  return quoted(text.trim() === '' ? id : text)
}

/** `1 message`, `2 messages`. */
export const counted = (count: number, thing: string): string =>
  `${count} ${thing}${count === 1 ? '' : 's'}`

/** The word for one thing, or the word for several. */
export const one = (count: number, single: string, several: string): string =>
  count === 1 ? single : several

/** Some messages: how many, and what they say. */
export function listed(messages: readonly Message[], kind = 'message'): string {
  const named = messages.slice(0, NAMED).map(saying)
  const more = messages.length > NAMED ? [`${messages.length - NAMED} more`] : []
  return `${counted(messages.length, kind)} (${[...named, ...more].join(', ')})`
}

export const idsOf = (messages: readonly Message[]): readonly MessageId[] =>
  messages.map(({ id }) => id)

/** A time, as a log shows it. */
export const timeOf = (ms: number): string => {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? 'an unknown time' : date.toISOString().replace('T', ' ')
}

const UNITS = [
  ['day', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** A length of time in one unit, rounded down. */
export function lasting(ms: number): string {
  const unit = UNITS.find(([, size]) => ms >= size)
  if (unit === undefined) return `${Math.max(0, Math.round(ms))} ms`
  const [name, size] = unit
  const count = Math.floor(ms / size)
  return name === 'day' ? counted(count, name) : `${count} ${name}`
}

/** `since TIME, for 5 min`. */
export const since = (from: number, now: number): string =>
  `since ${timeOf(from)}, for ${lasting(now - from)}`
