/**
 * A crash at every append: whatever prefix of a log was stored, a fresh runtime goes on with it.
 *
 * - `lost`: a message that was accepted ends as committed, discarded, named by a turn that ended by itself, or pending.
 * - `body`: no body of the life before runs again; `request`: nothing is asked before somebody asks.
 * - `prefix`: what was stored is not rewritten.
 * - `repair`: a repair of what was repaired adds nothing.
 * - every invariant, at rest.
 *
 * @module
 */
import type { Agent } from '../src/actors/agent-handle.ts'
import type { StoredEvent } from '../src/events/event.ts'
import type { MessageId } from '../src/events/message.ts'
import { inbox, pendingEntries } from '../src/projections/inbox.ts'
import { fold } from '../src/projections/projection.ts'
import { memoryStore } from '../src/sessions/memory-store.ts'
import { createRegistry } from '../src/sessions/registry.ts'
import { repairEvents } from '../src/sessions/repair.ts'
import { checkInvariants } from '../src/testing/check-invariants.ts'
import { scriptedModel } from '../src/testing/scripted-model.ts'

export const HEADER = { id: 's1', formatVersion: 1, createdAt: 0 } as const

/** Names of all tools that are called in `events`, each with a body that counts. */
function counting(events: readonly StoredEvent[], ran: string[]) {
  const names = new Set(
    events.flatMap((event) => (event.type === 'tool/call' ? event.data.name : [])),
  )
  return [...names].map((name) => ({
    name,
    run: (_: never, { call }: { call: { key: string } }) => void ran.push(call.key),
  }))
}

/** Messages whose fate nobody can name. What a crash has cut counts as lost unless it came back. */
function lost(events: readonly StoredEvent[]): MessageId[] {
  const open = new Set<MessageId>()
  for (const event of events) {
    for (const id of settledBy(event)) open.delete(id)
    if (event.type === 'inbox/inserted') open.add(event.data.message.id)
    if (event.type === 'inbox/replaced') for (const { id } of event.data.messages) open.add(id)
  }
  for (const { message } of pendingEntries(fold(inbox, events))) open.delete(message.id)
  return [...open]
}

function settledBy(event: StoredEvent): readonly MessageId[] {
  if (event.type === 'user/message') return [event.data.message.id]
  if (event.type === 'inbox/discarded' || event.type === 'inbox/replaced') return event.data.ids
  const ended = event.type === 'turn/end' && event.data.reason.kind !== 'interrupted'
  return ended ? event.data.uncommitted : []
}

interface Life {
  readonly agent: Agent
  readonly ran: readonly string[]
  readonly requests: () => number
}

async function resumed(events: readonly StoredEvent[]): Promise<Life> {
  const ran: string[] = []
  const model = scriptedModel([{ items: [{ do: 'text', text: 'on' }], times: Infinity }])
  const registry = createRegistry({
    factory: () => ({ model, tools: counting(events, ran) }),
    store: memoryStore([{ header: HEADER, events }]),
  })
  const agent = await registry.resume(HEADER.id)
  return { agent, ran, requests: () => model.requests.length }
}

/**
 * Crashes behind `stored`, resumes, and goes on with a prompt until nothing is left to do.
 *
 * @returns what is wrong, in words.
 */
export async function goOnAfter(stored: readonly StoredEvent[]): Promise<string[]> {
  const { agent, ran, requests } = await resumed(stored)
  const wrong: string[] = []
  const law = (holds: boolean, words: string): void => {
    if (!holds) wrong.push(words)
  }
  law(requests() === 0, 'request: a request was made before anybody asked')
  law(
    repairEvents(agent.log.read()).length === 0,
    'repair: a repair of the repaired adds something',
  )
  await agent.run({ id: 'after the crash', content: 'go on' })
  const events = agent.log.read()
  law(samePrefix(events, stored), 'prefix: what was stored was rewritten')
  for (const { invariant, rule, message } of checkInvariants(events, { atRest: true, bodies: ran }))
    wrong.push(`${invariant} ${rule}: ${message}`)
  const before = new Set(
    stored.flatMap((event) => (event.type === 'tool/call' ? event.data.call.key : [])),
  )
  for (const key of ran) law(!before.has(key), `body: ${key} of the life before ran`)
  for (const id of lost(events)) wrong.push(`lost: ${id} has no fate`)
  law(committed(events, 'after the crash'), 'lost: the prompt behind the crash was not committed')
  law(repairEvents(events).length === 0, 'repair: a sound log would be repaired')
  return wrong
}

const samePrefix = (events: readonly StoredEvent[], stored: readonly StoredEvent[]): boolean =>
  JSON.stringify(events.slice(0, stored.length)) === JSON.stringify(stored)

const committed = (events: readonly StoredEvent[], id: MessageId): boolean =>
  events.some((event) => event.type === 'user/message' && event.data.message.id === id)

/** Pairs of neighbours: what a crash can come between. */
const pairsOf = (events: readonly StoredEvent[]): string[] =>
  events.map(({ type }, i) => `${type} ${events[i + 1]?.type ?? ''}`)

/** Few logs that hold every pair of neighbours that all of them hold: each is taken that has one that is new. */
export function covering(logs: Iterable<readonly StoredEvent[]>): readonly StoredEvent[][] {
  const seen = new Set<string>()
  const chosen: StoredEvent[][] = []
  for (const log of logs) {
    const fresh = pairsOf(log).filter((pair) => !seen.has(pair))
    if (fresh.length === 0) continue
    for (const pair of fresh) seen.add(pair)
    chosen.push([...log])
  }
  return chosen
}
