/**
 * The live notices against the log: each once, in the order of the log, and the status alternates.
 *
 * @module
 */
import type { LiveNotice } from '../src/actors/agent-handle.ts'
import type { StoredEvent } from '../src/events/event.ts'
import { inbox, type InboxEntry } from '../src/projections/inbox.ts'
import { fold } from '../src/projections/projection.ts'
import type { World } from './fuzz-world.ts'

/** Judges the notices and receipts of this life. */
export function judgeNotices(world: World): void {
  inboxNotices(world)
  statusNotices(world)
  errorNotices(world)
  receipts(world)
  lists(world)
}

/** What an inbox event must have been told as. */
function expected({ type, data }: StoredEvent): string[] {
  if (type === 'inbox/inserted') return [`inserted ${data.message.id} ${data.target}`]
  if (type === 'inbox/claimed')
    return [...data.nextStep, ...data.nextTurn].map((id) => `claimed ${id} ${data.turn}`)
  if (type === 'inbox/discarded') return data.ids.map((id) => `discarded ${id} ${data.reason}`)
  if (type !== 'inbox/replaced') return []
  return [
    ...data.ids.map((id) => `discarded ${id} replaced`),
    ...data.messages.map((message) => `inserted ${message.id} ${data.target}`),
  ]
}

function told(notice: LiveNotice): string[] {
  if (notice.type === 'inserted') return [`inserted ${notice.message.id} ${notice.target}`]
  if (notice.type === 'claimed') return [`claimed ${notice.message.id} ${notice.turn}`]
  return notice.type === 'discarded' ? [`discarded ${notice.message.id} ${notice.reason}`] : []
}

function inboxNotices(world: World): void {
  const want = world.log.read(world.born).flatMap(expected)
  const got = world.notices.flatMap(({ notice }) => told(notice))
  const at = [...want, ...got].findIndex((_, i) => want[i] !== got[i])
  world.law(at === -1, `inbox notices differ from the log: ${want[at]} / ${got[at]}`)
}

function statusNotices(world: World): void {
  let last = 'idle'
  for (const { notice } of world.notices) {
    if (notice.type !== 'status') continue
    world.law(notice.status !== last, `status ${last} was told twice`)
    world.law(last !== 'disposed', 'a status was told after disposed')
    last = notice.status
  }
  world.law(last === world.agent.status, 'the last status was not told')
}

/** Every error turn has its one notice, and no other turn has one. */
function errorNotices(world: World): void {
  if (!world.faithful) return
  const ends = world.log.read(world.born).flatMap(({ type, data }) => {
    if (type !== 'turn/end' || data.reason.kind !== 'error') return []
    return [`${data.turn} ${data.reason.code} ${data.reason.message}`]
  })
  const notices = world.notices.flatMap(({ notice }) =>
    notice.type === 'error' ? [`${notice.turn} ${notice.error.code} ${notice.error.message}`] : [],
  )
  const text = `${ends.join()} / ${notices.join()}`
  world.law(ends.join() === notices.join(), `error notices differ from the error turns: ${text}`)
}

/** Ids of messages that an event brings in. */
function entering({ type, data }: StoredEvent): string[] {
  if (type === 'inbox/inserted' || type === 'context/message') return [data.message.id]
  return type === 'inbox/replaced' ? data.messages.map((message) => message.id) : []
}

/** Every receipt stands for a message in the log, or for a refusal that was reported. */
function receipts(world: World): void {
  const last = new Map<string, number>()
  for (const event of world.log.read()) for (const id of entering(event)) last.set(id, event.seq)
  const excuses = world.diagnostics.map((diagnostic) => diagnostic.message).join('\n')
  for (const { id, verb, position } of world.receipts) {
    const found = (last.get(id) ?? -1) >= position
    world.law(found || excuses.includes(id), `the message of a ${verb} is nowhere: ${id}`)
  }
}

const idsOf = (list: readonly InboxEntry[]): string => list.map((entry) => entry.message.id).join()

/** The handle shows the fold of the log. */
function lists(world: World): void {
  const { inbox: shown, parked } = world.agent
  const pending = fold(inbox, world.log.read())
  const same =
    idsOf(pending.nextTurn) === idsOf(shown.nextTurn) &&
    idsOf(pending.nextStep) === idsOf(shown.nextStep)
  world.law(same, 'the pending lists differ from the log')
  const live = world.diagnostics.some(({ kind }) => kind === 'durability')
  if (live || !world.faithful) return
  const [want, got] = [JSON.stringify(pending.parked), JSON.stringify(parked)]
  world.law(want === got, `what is parked differs from the log: ${want} / ${got}`)
}
