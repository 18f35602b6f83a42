/**
 * What makes two states one. The abstraction, stated:
 *
 * - of the log: what the open turn has recorded, in order, without ids, numbers, times and texts; how the last turn ended;
 *   whether a request header was ever recorded; whether somebody has asked since the last cancel
 * - of the inbox: both lists as (wakes, parked, marked), without ids
 * - of the living: status, activity, what waits for an answer and whether its turn is over or aborted, when timers are due,
 *   what is not durable, which promises are open
 * - of the search: what is left of every budget; and whatever `distinguish` says
 *
 * Left out: how many turns there were, what was said, earlier turns, what the budgets of the agent itself have left.
 *
 * @module
 */
import { hash } from 'node:crypto'
import type { EventType, StoredEvent } from '../../events/event.ts'
import type { Outcome } from '../../events/message.ts'
import type { InboxEntry, Parked } from '../../projections/inbox.ts'
import { isStopped } from '../invariants/cancel-record.ts'
import type { ExploredRun } from './options.ts'
import { Sightings } from './sightings.ts'
import type { World } from './world.ts'

type Brief = { readonly [T in EventType]?: (event: StoredEvent<T>) => unknown }

const codeOf = (outcome: Outcome): unknown =>
  outcome.kind === 'error' ? [outcome.kind, outcome.code] : [outcome.kind, 'concludes' in outcome]

/** What is kept of an event beside its type; what is not named here is told by the inbox. */
const BRIEF: Brief = {
  'turn/start': () => 0,
  'inbox/claimed': ({ data }) => [data.nextStep.length, data.nextTurn.length],
  'step/start': () => 0,
  'step/end': () => 0,
  'user/message': () => 0,
  'context/message': () => 0,
  'request/header': () => 0,
  'assistant/chunk': ({ data }) => data.chunk.kind,
  'assistant/message': ({ data }) => [
    data.interrupted,
    data.transformedBy,
    data.message.content.map(({ type }) => type),
  ],
  'request/failed': ({ data }) => [data.failure.code, data.action, data.delayMs],
  'tool/call': ({ data }) => [data.name, data.call.index],
  'tool/settled': ({ data }) => [data.call.index, codeOf(data.outcome)],
  'tool/result': ({ data }) => [data.call.index, codeOf(data.outcome)],
  'gate/decided': ({ data }) => [data.gate, data.decision],
  'cancel/requested': ({ data }) => [
    data.cause.kind,
    data.keepInbox,
    data.resume,
    data.restoreClaimed,
  ],
  'approval/asked': ({ data }) => data.call.index,
  'approval/decided': ({ data }) => [data.call.index, data.answer],
}

function briefOf(event: StoredEvent): unknown {
  const brief = BRIEF[event.type] as ((event: StoredEvent) => unknown) | undefined
  return brief === undefined ? undefined : [event.type, brief(event)]
}

/** What is remembered of the turns before. */
interface Past {
  readonly open: readonly unknown[]
  readonly last: unknown
  readonly header: boolean
  readonly stopped: boolean
}

function pastOf(events: readonly StoredEvent[]): Past {
  let open: unknown[] = []
  let last: unknown = null
  let stopped = false
  let stepped = false
  for (const event of events) {
    stopped = isStopped(stopped, event)
    stepped ||= event.type === 'step/start'
    const brief = briefOf(event)
    if (brief !== undefined) open.push(brief)
    if (event.type !== 'turn/end') continue
    const { reason, parks } = event.data
    last = [reason.kind, stepped, parks]
    open = []
    stepped = false
  }
  return { open, last, stopped, header: events.some(({ type }) => type === 'request/header') }
}

const shapeOf = (entries: readonly InboxEntry[], parked: Parked | null): unknown =>
  entries.map(({ wake, mark, message }) => [
    wake,
    mark,
    message.source.kind,
    parked?.ids.includes(message.id) === true,
  ])

function livingOf(world: World): unknown {
  const { agent, seen, decisions, clock, log, openTurn } = world
  const { parked, inbox } = agent
  return [
    agent.status,
    agent.activity,
    parked?.reason,
    shapeOf(inbox.nextTurn, parked),
    shapeOf(inbox.nextStep, parked),
    decisions.waiting.map(({ label, pending }) => [
      label,
      pending.answers,
      pending.aborted,
      pending.turn === openTurn,
    ]),
    clock.due,
    log.acknowledged < log.length,
    Sightings.open(seen.waiters) > 0,
    Sightings.open(seen.disposals),
    seen.disposals.length > 0,
    seen.refusals.length > 0,
  ]
}

/** The state of a quiet run: without its budgets, and with them. */
export function fingerprint(world: World, run: ExploredRun): { bare: string; whole: string } {
  const own = world.plan.distinguish?.(run) ?? null
  const bare = hash('md5', JSON.stringify([pastOf(run.log), livingOf(world), own]), 'base64')
  const used = [...world.used].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { bare, whole: hash('md5', bare + JSON.stringify(used), 'base64') }
}
