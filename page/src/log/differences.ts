/**
 * What is different between two moments of one log.
 *
 * @module
 */
import type { HistoryEntry } from '../../../src/events/history-entry.ts'
import { historyView } from '../../../src/projections/history.ts'
import { pendingEntries } from '../../../src/projections/inbox.ts'
import { turnsView } from '../../../src/projections/turns.ts'
import { shortLine } from '../../../src/projections/plain-text.ts'
import type { Moment } from './moment.ts'
import {
  assistantText,
  messageText,
  numberText,
  outcomeText,
  outcomeWord,
  reasonText,
} from './texts.ts'

/** One difference; `changed` names both sides in its text. */
export interface Difference {
  readonly area: 'status' | 'turns' | 'inbox' | 'history' | 'calls' | 'approvals' | 'usage'
  readonly kind: 'added' | 'removed' | 'changed'
  readonly text: string
}

/** As many entries of the history are told one by one. */
const MOST_ENTRIES = 8

interface Named {
  readonly key: string
  readonly text: string
}

/** What stands in one list and not in the other, by its key. */
function listed(
  area: Difference['area'],
  before: readonly Named[],
  now: readonly Named[],
): Difference[] {
  const had = new Set(before.map(({ key }) => key))
  const has = new Set(now.map(({ key }) => key))
  const side = (list: readonly Named[], kind: Difference['kind']) =>
    list.map(({ text }): Difference => ({ area, kind, text }))
  return [
    ...side(
      before.filter(({ key }) => !has.has(key)),
      'removed',
    ),
    ...side(
      now.filter(({ key }) => !had.has(key)),
      'added',
    ),
  ]
}

const changed = (
  area: Difference['area'],
  what: string,
  before: string,
  now: string,
): Difference[] =>
  before === now ? [] : [{ area, kind: 'changed', text: `${what}: ${before} → ${now}` }]

/** What is open. */
export const placeText = ({ work }: Moment): string => {
  if (work.turn === null) return 'No turn is open'
  return work.step === null ? `Turn ${work.turn}` : `Turn ${work.turn}, step ${work.step}`
}

const messagesOf = ({ inbox }: Moment): Named[] =>
  pendingEntries(inbox).map(({ message }) => ({
    key: message.id,
    text: `${message.id} ${shortLine(messageText(message), 80)}`,
  }))

const callsOf = ({ work }: Moment): Named[] =>
  work.calls.map(({ call, name, state }) => ({
    key: `${call.key} ${state}`,
    text: `${name || call.key} (${state})`,
  }))

const questionsOf = ({ approvals }: Moment): Named[] =>
  approvals.open.map(({ call, question }) => ({ key: call.key, text: `may ${question.tool} run?` }))

const entryText = (entry: HistoryEntry): string => {
  if (entry.role === 'tool') {
    return `${entry.name}: ${outcomeWord(entry.outcome)} ${outcomeText(entry.outcome)}`
  }
  return entry.role === 'assistant'
    ? `model: ${assistantText(entry)}`
    : `${entry.source.kind}: ${messageText(entry)}`
}

/** Entries are objects that are never changed, so that identity tells them apart. */
function historyDifferences(before: Moment, now: Moment): Difference[] {
  if (before.history === now.history) return []
  const had = new Set(historyView(before.history))
  const has = new Set(historyView(now.history))
  const told = (list: readonly HistoryEntry[], kind: Difference['kind']): Difference[] => {
    const shown = list.slice(-MOST_ENTRIES)
    const rest = list.length - shown.length
    const more: Difference[] =
      rest === 0
        ? []
        : [{ area: 'history', kind, text: `${numberText(rest)} entries before these` }]
    return [
      ...more,
      ...shown.map((entry): Difference => ({
        area: 'history',
        kind,
        text: shortLine(entryText(entry), 120),
      })),
    ]
  }
  return [
    ...told(
      [...had].filter((entry) => !has.has(entry)),
      'removed',
    ),
    ...told(
      [...has].filter((entry) => !had.has(entry)),
      'added',
    ),
  ]
}

function turnDifferences(before: Moment, now: Moment): Difference[] {
  const known = new Map(turnsView(before.turns).map((turn) => [turn.turn, turn]))
  return turnsView(now.turns).flatMap((turn): Difference[] => {
    const was = known.get(turn.turn)
    if (was?.to === turn.to) return []
    if (turn.reason === null) {
      return [{ area: 'turns', kind: 'added', text: `turn ${turn.turn} is open` }]
    }
    return [
      {
        area: 'turns',
        kind: was === undefined ? 'added' : 'changed',
        text: `turn ${turn.turn} ended: ${reasonText(turn.reason)}, ${turn.steps} steps`,
      },
    ]
  })
}

const tokens = (what: string, from = 0, to = 0): Difference[] =>
  changed('usage', what, numberText(from), numberText(to))

const usageDifferences = ({ usage: { total: was } }: Moment, { usage: { total: is } }: Moment) => [
  ...tokens('input tokens', was.inputTokens, is.inputTokens),
  ...tokens('output tokens', was.outputTokens, is.outputTokens),
]

const parkedText = ({ inbox }: Moment): string =>
  inbox.parked === null ? 'nothing' : `${inbox.parked.ids.join(', ')} (${inbox.parked.reason})`

/** What changed from `before` to `now`. Where `now` is the earlier one, it says what would be undone. */
export const differences = (before: Moment, now: Moment): Difference[] => [
  ...changed('status', 'open', placeText(before), placeText(now)),
  ...turnDifferences(before, now),
  ...listed('inbox', messagesOf(before), messagesOf(now)),
  ...changed('inbox', 'parked', parkedText(before), parkedText(now)),
  ...listed('calls', callsOf(before), callsOf(now)),
  ...listed('approvals', questionsOf(before), questionsOf(now)),
  ...historyDifferences(before, now),
  ...usageDifferences(before, now),
]
