/**
 * Short ways to write down the events of a log, for tests of rules and logs.
 *
 * @module
 */
import { EnclosureError, TurnwiseError } from '../../src/errors.ts'
import { Ledger } from '../../src/events/enclosure.ts'
import type { InboxList, NewEvent, StoredEvent } from '../../src/events/event.ts'
import type { CallRef, Message, Outcome, TurnReason } from '../../src/events/message.ts'

export const message = (id: string): Message => ({
  id,
  role: 'user',
  content: [{ type: 'text', text: id }],
  source: { kind: 'user' },
})
export const callRef = (index: number, step = '1.1'): CallRef => ({
  key: `${step}.${index}`,
  index,
  providerId: `c${index}`,
})
const at = (step: string) => {
  const [turn = '0', number = '0'] = step.split('.')
  return { turn: Number(turn), step: Number(number) }
}
export const ok: Outcome = { kind: 'ok', content: [{ type: 'text', text: 'ok' }] }
export const failed = (code: string): Outcome => ({ kind: 'error', code, content: [] })
export const denied: Outcome = { kind: 'denied', by: 'p', reason: 'no', content: [] }

export const inserted = (id: string, target: InboxList = 'next-turn', index = 0): NewEvent => ({
  type: 'inbox/inserted',
  data: { target, index, message: message(id), wake: true, actor: 'caller' },
})
export const claimed = (turn: number, nextTurn: string[], nextStep: string[] = []): NewEvent => ({
  type: 'inbox/claimed',
  data: { turn, nextStep, nextTurn },
})
export const discarded = (...ids: string[]): NewEvent => ({
  type: 'inbox/discarded',
  data: { ids, reason: 'cleared', actor: 'caller' },
})
export const replaced = (
  ids: string[],
  messages: string[],
  target: InboxList = 'next-turn',
  index = 0,
): NewEvent => ({
  type: 'inbox/replaced',
  data: { ids, target, index, messages: messages.map(message), wake: false, actor: 'caller' },
})
export const moved = (id: string, from: InboxList, to: InboxList, index = 0): NewEvent => ({
  type: 'inbox/moved',
  data: { id, from, to, index, actor: 'caller' },
})
export const turnStart = (turn: number): NewEvent => ({ type: 'turn/start', data: { turn } })
export const turnEnd = (
  turn: number,
  uncommitted: string[] = [],
  reason: TurnReason = { kind: 'completed' },
): NewEvent => ({ type: 'turn/end', data: { turn, reason, uncommitted } })
export const stepStart = (step: string): NewEvent => ({ type: 'step/start', data: at(step) })
export const stepEnd = (step: string): NewEvent => ({ type: 'step/end', data: at(step) })
export const user = (step: string, id: string): NewEvent => ({
  type: 'user/message',
  data: { ...at(step), message: message(id) },
})
export const context = (turn: number, id: string): NewEvent => ({
  type: 'context/message',
  data: { turn, message: message(id) },
})
export const chunk = (step: string, text = 'a', attempt = 1): NewEvent => ({
  type: 'assistant/chunk',
  data: { ...at(step), attempt, chunk: { kind: 'text-delta', block: 0, text } },
})
export const requestFailed = (
  step: string,
  action: 'retry' | 'fail' = 'fail',
  attempt = 1,
): NewEvent => ({
  type: 'request/failed',
  data: {
    ...at(step),
    attempt,
    provider: 'p',
    failure: { code: 'SERVER', message: 'boom' },
    action,
    delayMs: 0,
  },
})
/** An assistant message with `calls` tool calls. */
export const answer = (
  step: string,
  calls = 0,
  more: { interrupted?: true; finish?: 'max-tokens' } = {},
): NewEvent<'assistant/message'> => ({
  type: 'assistant/message',
  data: {
    ...at(step),
    message: {
      role: 'assistant',
      content: [
        { type: 'text', text: 'answer' },
        ...Array.from({ length: calls }, (_, index) => ({
          type: 'tool-call' as const,
          call: callRef(index, step),
          name: 't',
          arguments: '{}',
        })),
      ],
    },
    ...more,
  },
})
export const called = (step: string, index = 0): NewEvent<'tool/call'> => ({
  type: 'tool/call',
  data: { ...at(step), call: callRef(index, step), name: 't', arguments: '{}' },
})
export const settled = (step: string, index = 0, outcome: Outcome = ok): NewEvent => ({
  type: 'tool/settled',
  data: { ...at(step), call: callRef(index, step), outcome },
})
export const result = (step: string, index = 0, outcome: Outcome = ok): NewEvent => ({
  type: 'tool/result',
  data: { ...at(step), call: callRef(index, step), outcome },
})
export const asked = (step: string, index = 0): NewEvent => ({
  type: 'approval/asked',
  data: { ...at(step), call: callRef(index, step), question: { tool: 't', arguments: {} } },
})
export const decided = (
  step: string,
  answerGiven: 'allow' | 'deny' | 'cancelled' = 'allow',
  index = 0,
): NewEvent => ({
  type: 'approval/decided',
  data: { ...at(step), call: callRef(index, step), answer: answerGiven, by: 'user' },
})
export const continued = (step: string): NewEvent => ({
  type: 'gate/decided',
  data: { ...at(step), gate: 'continuation', decision: 'continue', by: 'gate' },
})
export const cancelled = (turn: number | null, ...ids: string[]): NewEvent => ({
  type: 'cancel/requested',
  data: {
    cause: { kind: 'user' },
    actor: 'caller',
    keepInbox: false,
    resume: false,
    turn,
    discarded: ids,
  },
})
export const opened = (how: 'resume' | 'fork' = 'resume', inheritInbox?: boolean): NewEvent => ({
  type: 'session/opened',
  data: { how, wake: false, ...(inheritInbox !== undefined && { inheritInbox }) },
})
export const compaction = (
  part: 'start' | 'summary' | 'end',
  turn: number | null,
  from: number,
  to: number,
): NewEvent => {
  const data = { turn, range: { from, to } }
  if (part === 'start') return { type: 'compaction/start', data }
  if (part === 'end') return { type: 'compaction/end', data: { ...data, outcome: 'completed' } }
  return { type: 'compaction/summary', data: { ...data, message: message('summary') } }
}

/** Everything up to the batch of step 1.1, which holds `A`. */
export const opening = (): NewEvent[] => [
  inserted('A'),
  turnStart(1),
  claimed(1, ['A']),
  stepStart('1.1'),
  user('1.1', 'A'),
]
/** One whole turn with one step; its batch holds `id`. */
export const wholeTurn = (turn: number, id: string): NewEvent[] => [
  inserted(id),
  turnStart(turn),
  claimed(turn, [id]),
  stepStart(`${turn}.1`),
  user(`${turn}.1`, id),
  chunk(`${turn}.1`),
  answer(`${turn}.1`),
  stepEnd(`${turn}.1`),
  turnEnd(turn),
]

/** The ledger behind `events`, each of which must be allowed. */
export function ledgerOf(events: readonly NewEvent[], loading = false): Ledger {
  const ledger = new Ledger()
  for (const event of events) {
    ledger.check(event, loading)
    ledger.apply(event)
  }
  return ledger
}

/** The same events as they stand in a log. */
export const stored = (events: readonly NewEvent[]): StoredEvent[] =>
  events.map((event, seq): StoredEvent => ({ seq, time: 1, ...event }))

/** A verdict that is expected, what is tried, and behind what. */
export type Row = [rule: string, what: string, behind: readonly NewEvent[], event: NewEvent]

/** A row whose event is refused, and in which words. */
export type Refused = [...Row, words: string]

function refused(events: readonly NewEvent[], event: NewEvent): TurnwiseError | undefined {
  const ledger = ledgerOf(events)
  try {
    ledger.check(event)
    return undefined
  } catch (error) {
    if (error instanceof TurnwiseError) return error
    throw error
  }
}

const ruleOf = (error: TurnwiseError): string =>
  error instanceof EnclosureError ? error.rule : error.code

/** What checking `event` behind `events` says: the broken rule, another code, or ok. */
export function verdict(events: readonly NewEvent[], event: NewEvent): string {
  const error = refused(events, event)
  return error === undefined ? 'ok' : ruleOf(error)
}

/** The broken rule or another code, and the words beside those that all refusals share. */
export function refusal(
  events: readonly NewEvent[],
  event: NewEvent,
): { rule: string; words: string | undefined } | undefined {
  const error = refused(events, event)
  if (error === undefined) return undefined
  const shared =
    error instanceof EnclosureError
      ? /^(.*)\. Nothing was recorded\.$/
      : /^expected an id that is not in use, found (.*); nothing was recorded\. Treat the message as already delivered\.$/
  return { rule: ruleOf(error), words: shared.exec(error.summary)?.[1] }
}
