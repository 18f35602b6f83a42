/**
 * What waits in the inbox, which policy holds it back, and what ends that.
 *
 * It runs in a browser too.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import type { Message } from '../../events/message.ts'
import { type InboxEntry, type InboxState, type Parked, unparked } from '../../projections/inbox.ts'
import { counted, type Finding, idsOf, listed, one } from './finding.ts'

const POLICIES: { readonly [reason in Parked['reason']]: string } = {
  cancel: 'by a cancel that kept the inbox',
  blocked: 'behind a turn that was blocked',
  error: 'behind a turn that failed',
  loop: 'because too many turns in a row asked no model',
  limit: 'behind a turn that reached a limit',
  log: 'because the log refused to open a turn, or its claim',
  resume: 'because the session was opened again without a wake',
}

/** The event that recorded the policy, the latest of its kind. */
const RECORDS: { readonly [reason in Parked['reason']]: StoredEvent['type'] } = {
  cancel: 'cancel/requested',
  blocked: 'turn/end',
  error: 'turn/end',
  loop: 'turn/end',
  limit: 'turn/end',
  log: 'turn/end',
  resume: 'session/opened',
}

const FREE_THEM =
  'Send a waking message (followup or steer), which frees all of them in queue order; or resume the session with wake; or clear the inbox.'

const messagesOf = (entries: readonly InboxEntry[]): readonly Message[] =>
  entries.map(({ message }) => message)

/** Everything pending. @param turn - the open turn, or null. */
export function pendingFindings(
  state: InboxState,
  turn: number | null,
  events: readonly StoredEvent[],
): Finding[] {
  return [...parkedFindings(state, events), ...queuedFindings(state, turn), ...contexts(state)]
}

function parkedFindings(state: InboxState, events: readonly StoredEvent[]): Finding[] {
  const { parked } = state
  if (parked === null) return []
  const held = [...state.nextStep, ...state.nextTurn].filter(({ message }) =>
    parked.ids.includes(message.id),
  )
  const record = events.findLast(({ type }) => type === RECORDS[parked.reason])
  return [
    {
      code: 'parked',
      text: `${listed(messagesOf(held))} ${verb(held.length)} parked ${POLICIES[parked.reason]}. Nothing runs until the next wake.`,
      todo: FREE_THEM,
      ...(record !== undefined && { seq: record.seq }),
      ids: parked.ids,
    },
  ]
}

const verb = (count: number): string => one(count, 'is', 'are')

function queuedFindings(state: InboxState, turn: number | null): Finding[] {
  const steering = messagesOf(unparked(state, state.nextStep).filter(({ wake }) => wake))
  const queued = messagesOf(unparked(state, state.nextTurn).filter(({ wake }) => wake))
  if (turn === null) {
    const waking = [...steering, ...queued]
    if (waking.length === 0) return []
    return [
      {
        code: 'pending-waking',
        text: `${listed(waking, 'waking message')} ${verb(waking.length)} pending and nothing holds ${one(waking.length, 'it', 'them')} back: the next turn is about to open.`,
        todo: 'If nothing happens, the process is gone: resume the session.',
        ids: idsOf(waking),
      },
    ]
  }
  return [
    ...waiting(steering, `for the next step of turn ${turn}`),
    ...waiting(queued, one(queued.length, 'for a turn of its own', 'for turns of their own')),
  ]
}

const waiting = (messages: readonly Message[], what: string): Finding[] =>
  messages.length === 0
    ? []
    : [
        {
          code: 'queued',
          text: `${listed(messages)} ${one(messages.length, 'waits', 'wait')} ${what}.`,
          ids: idsOf(messages),
        },
      ]

function contexts(state: InboxState): Finding[] {
  const quiet = unparked(state, [...state.nextStep, ...state.nextTurn]).filter(({ wake }) => !wake)
  if (quiet.length === 0) return []
  const back = quiet.filter(({ mark }) => mark !== undefined).length
  const came = back === 0 ? '' : ` ${counted(back, 'message')} of it came back from an ended turn.`
  return [
    {
      code: 'pending-context',
      text: `${listed(messagesOf(quiet))} ${one(quiet.length, 'waits', 'wait')} for the next step, and ${one(quiet.length, 'wakes', 'wake')} nobody.${came}`,
      todo: 'Send a waking message: it takes them along.',
      ids: idsOf(messagesOf(quiet)),
    },
  ]
}
