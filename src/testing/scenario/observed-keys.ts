/**
 * Keys of the probe with a meaning of their own: `throws`, `answers`, `bodiesStarted`, `historyRoles`, …
 *
 * @module
 */
import { history, historyView } from '../../projections/history.ts'
import { printReason } from '../print-event.ts'
import { describeAnswer, errorWords } from './answers.ts'
import type { Found } from './observed-moments.ts'
import type { AgentRun, World } from './world.ts'

type Finder = (world: World, run: AgentRun, want: unknown) => Found | undefined

/** A value that is compared. */
export const found = (value: unknown): Found => ({ value })

/** An error in words; it passes if they hold what is wanted. */
const errorFound = (error: unknown, want: unknown): Found => ({
  value: error === undefined ? 'nothing thrown' : errorWords(error),
  passes: error !== undefined && errorWords(error).includes(String(want)),
})

/** Values of the commands that state an answer, or else of the edits. */
function answers(world: World): unknown[] {
  const stated = world.answers.filter((answered) => answered.stated)
  const all =
    stated.length > 0 ? stated : world.answers.filter((one) => typeof one.value === 'boolean')
  return all.map(
    (answered) =>
      answered.value ?? (answered.threw === undefined ? undefined : describeAnswer(answered)),
  )
}

/** What tasks settled with: a value, or `rejects m`. */
function results(world: World): unknown[] {
  return [...world.answers]
    .filter((answered) => /maintenance|run\(/i.test(answered.text))
    .map((answered) =>
      answered.threw instanceof Error ? `rejects ${answered.threw.message}` : answered.value,
    )
}

const lastData = (run: AgentRun, type: string): Record<string, unknown> | undefined =>
  run.events.findLast((event) => event.type === type)?.data as unknown as
    | Record<string, unknown>
    | undefined

/** Is each request a prefix of the next, and can none be changed? */
function prefixAndFrozen(world: World): boolean {
  const texts = world.requests.map((made) => JSON.stringify(made.request.messages).slice(0, -1))
  const grows = texts.every((text, i) => i === 0 || text.startsWith(texts[i - 1] ?? ''))
  return grows && world.requests.every((made) => isFrozen(made.request.messages))
}

const isFrozen = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isFrozen))

const firstThrown = (world: World): unknown =>
  world.answers.find((answered) => answered.threw !== undefined)?.threw

/** How the turns ended, in order. */
const endings = (run: AgentRun): string[] =>
  run.events.flatMap((event) => (event.type === 'turn/end' ? [printReason(event.data.reason)] : []))

/** The notification about one message, or all of them. */
function insertedNotice(run: AgentRun, want: unknown): Found | undefined {
  if (Array.isArray(want)) {
    const all = want.map((one) => insertedNotice(run, one)?.value)
    return found(all)
  }

  const id = (want as { id?: string } | null)?.id
  const notice = run.live.findLast(
    (one) => one.type === 'inserted' && (id === undefined || one.message.id === id),
  )
  if (notice?.type !== 'inserted') return undefined
  const { message, target, wake, placement } = notice
  return found({ id: message.id, target, wake, placement, source: message.source.kind })
}

const calls = (world: World, name: string, key: 'call'): unknown[] =>
  (world.asked.get(name) ?? []).map((asked) => asked[key])

const live = (run: AgentRun, type: string): number =>
  run.live.filter((notice) => notice.type === type).length

/** Finders of keys with a meaning of their own. */
export const EXACT: Readonly<Record<string, Finder>> = {
  throws: (world, _run, want) => errorFound(world.values.get('throws') ?? firstThrown(world), want),
  rejects: (world, _run, want) =>
    errorFound(world.values.get('rejects') ?? firstThrown(world), want),
  answers: (world) => found(answers(world)),
  answer: (world) => found(answers(world).at(-1)),
  results: (world) => found(results(world)),
  notifications: (_world, run) => found(run.notices),
  bodiesStarted: (world) => found(world.bodies.map((body) => body.call)),
  bodyOrder: (world) => found(world.bodies.map((body) => body.call)),
  bodies: (world) => found(world.bodies.map((body) => body.call)),
  distinctCallKeys: (world) => found(new Set(world.bodies.map((body) => body.key)).size),
  signalReasonIsFirstCause: (world) =>
    found(
      world.requests.some(
        (made) =>
          made.context.signal.aborted &&
          made.context.signal.reason === world.values.get('first cause'),
      ),
    ),
  prefixAndFrozen: (world) => found(prefixAndFrozen(world)),
  requestMaxTokens: (world) => found(world.requests.at(-1)?.request.maxTokens),
  modelCalls: (world) => found(world.requests.length),
  modelRequests: (world) => found(world.requests.length),
  signalAborted: (world) => found(world.requests.at(-1)?.context.signal.aborted),
  signalReason: (world) => found(world.requests.at(-1)?.context.signal.reason),
  turnEnds: (_world, run) => found(endings(run)),
  reasons: (_world, run) => found(endings(run)),
  historyRoles: (_world, run) =>
    found(historyView(run.agent.read(history)).map((entry) => entry.role)),
  inserted: (_world, run, want) => insertedNotice(run, want),
  turnEnd: (_world, run) => found(lastData(run, 'turn/end')?.['reason']),
  discard: (_world, run) => found(lastData(run, 'inbox/discarded')),
  agentDisposedEvents: (_world, run) => found(live(run, 'agent/disposed')),
  errorNotifications: (_world, run) => found(live(run, 'error')),
  diagnostics: (_world, run) => found(run.diagnostics),
  jobRan: (world) => found(world.values.get('jobRan') ?? false),
  toolPre: (world) => found(calls(world, 'toolPre', 'call')),
  toolPost: (world) => found(calls(world, 'toolPost', 'call')),
  contiguous: (_world, run) => found(run.events.every((event, i) => event.seq === i)),
  cancelRequests: (_world, run) =>
    found(run.events.filter((event) => event.type === 'cancel/requested').length),
  timers: (world) => found(world.clock.timers),
  gateCalls: (world, _run, want) => gateCalls(world, want),
}

/** `gateCalls`: those of the gate whose questions look like what is wanted. */
function gateCalls(world: World, want: unknown): Found | undefined {
  const first = Array.isArray(want) ? (want[0] as Record<string, unknown> | undefined) : undefined
  const keys = Object.keys(first ?? {})
  const lists = [...world.asked.values()]
  const fitting = lists.find((list) => keys.every((key) => key in (list[0] ?? {})))
  return found(fitting ?? lists[0] ?? [])
}
