/**
 * Says what a series of crashes has cost. It looks at nothing but the stored logs and the traces.
 *
 * @module
 */
import { checkLog, loadLedger } from '../../src/events/enclosure.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import { openPlace } from './places.ts'
import { Traces } from './worker-config.ts'
import type { WorkerConfig } from './worker-config.ts'

/** Each fault in words; none may be there. */
export interface Verdict {
  /** Accepted prompts that were never committed, durable events that are gone, effects without a recorded call. */
  readonly lost: string[]
  /** Prompts that were committed twice, calls with two results. */
  readonly doubled: string[]
  /** Logs that cannot be loaded, or that break a rule. */
  readonly gapped: string[]
  /** Calls whose body ran more than once. */
  readonly doublyExecuted: string[]
}

export async function judge(config: WorkerConfig): Promise<Verdict> {
  const verdict: Verdict = { lost: [], doubled: [], gapped: [], doublyExecuted: [] }
  const traces = new Traces(config.traces)
  const place = await openPlace(config.place, config.ttlMs)
  for (const session of config.sessions) {
    const events = await read(verdict, session, () => place.store.read(session))
    judgeMessages(verdict, session, events, factsOf(traces.read('accepted'), session))
    judgeDurable(verdict, session, events, traces.read('durable'))
    judgeEffects(verdict, session, events, factsOf(traces.read('effect'), session))
  }
  await place.close()
  return verdict
}

/** The rest of the lines that begin with a session. */
const factsOf = (lines: readonly string[], session: string): string[] =>
  lines
    .filter((line) => line.startsWith(`${session} `))
    .map((line) => line.slice(session.length + 1))

async function read(
  verdict: Verdict,
  session: string,
  load: () => Promise<{ readonly events: readonly StoredEvent[] }>,
): Promise<readonly StoredEvent[]> {
  try {
    const { events } = await load()
    checkLog(events)
    const { openTurn } = loadLedger(events)
    if (openTurn !== null) verdict.gapped.push(`${session}: turn ${openTurn} was left open`)
    return events
  } catch (error) {
    verdict.gapped.push(`${session}: ${String(error)}`)
    return []
  }
}

function judgeMessages(
  { lost, doubled }: Verdict,
  session: string,
  events: readonly StoredEvent[],
  accepted: readonly string[],
): void {
  const committed = events.flatMap((e) => (e.type === 'user/message' ? [e.data.message.id] : []))
  for (const id of accepted)
    if (!committed.includes(id)) lost.push(`${session}: ${id} was accepted and never committed`)
  for (const id of twice(committed)) doubled.push(`${session}: ${id} was committed twice`)
  const answered = events.flatMap((e) => (e.type === 'tool/result' ? [e.data.call.key] : []))
  for (const key of twice(answered)) doubled.push(`${session}: call ${key} has two results`)
}

function judgeDurable(
  { lost }: Verdict,
  session: string,
  events: readonly StoredEvent[],
  lines: readonly string[],
): void {
  for (const fact of factsOf(lines, session)) {
    const [seq = ''] = fact.split(' ', 1)
    const event = fact.slice(seq.length + 1)
    if (JSON.stringify(events[Number(seq)]) !== event)
      lost.push(`${session}: event ${seq} was durable and is another one now: ${event}`)
  }
}

function judgeEffects(
  { lost, doublyExecuted }: Verdict,
  session: string,
  events: readonly StoredEvent[],
  executed: readonly string[],
): void {
  const called = new Set(events.flatMap((e) => (e.type === 'tool/call' ? [e.data.call.key] : [])))
  for (const key of twice(executed)) doublyExecuted.push(`${session}: call ${key} ran twice`)
  for (const key of executed)
    if (!called.has(key)) lost.push(`${session}: call ${key} ran, and no tool/call says so`)
  for (const e of events) {
    if (e.type !== 'tool/result' || e.data.outcome.kind !== 'ok') continue
    if (!executed.includes(e.data.call.key))
      lost.push(`${session}: call ${e.data.call.key} is said to have run, and did not`)
  }
}

function twice(keys: readonly string[]): string[] {
  const seen = new Set<string>()
  return keys.filter((key) => seen.size === seen.add(key).size)
}
