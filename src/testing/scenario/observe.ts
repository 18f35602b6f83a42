/**
 * Finds what the probe of a scenario is asked for: `turnStoppingCalls`, `statusBeforeC2Drains`, `afterFirstIdle`, …
 *
 * @module
 */
import { history, historyView } from '../../projections/history.ts'
import { factsOf, type Facts } from './facts.ts'
import { describeAnswer, errorWords } from './answers.ts'
import { atMoment, checked, type Found } from './observed-moments.ts'
import { gateNamed } from './parse-place.ts'
import type { AgentRun, Answered, World } from './world.ts'

type Finder = (world: World, run: AgentRun, want: unknown) => Found | undefined

const found = (value: unknown): Found => ({ value })

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

function insertedNotice(run: AgentRun, want: unknown): Found | undefined {
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

const EXACT: Readonly<Record<string, Finder>> = {
  throws: (world, _run, want) =>
    errorFound(
      world.values.get('throws') ?? world.answers.find((one) => one.threw !== undefined)?.threw,
      want,
    ),
  rejects: (world, _run, want) => errorFound(world.values.get('rejects'), want),
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

/** The gate a key such as `requestGateCalls` or `preStepCalls` counts. */
export function countedGate(key: string): ReturnType<typeof gateNamed> {
  const hit = /^(\w+?)(?:Gate|Hook)?(?:Calls|Asked|Times)$/.exec(key)
  return hit === null ? undefined : gateNamed(hit[1] ?? '')
}

/** A command by its text: `followup B` as `throws AgentDisposedError`. */
function byCommand(key: string, want: unknown, world: World): Found | undefined {
  const answered: Answered | undefined = world.answers.findLast(
    (one) => one.text === key || one.text.startsWith(`${key} `),
  )
  if (answered === undefined) return undefined
  const words = describeAnswer(answered)
  const wanted = /^(?:throws|rejects) (.*)$/.exec(String(want))?.[1]
  return {
    value: words,
    passes:
      wanted === undefined
        ? words === String(want)
        : answered.threw !== undefined && words.includes(wanted),
  }
}

function recorded(key: string, want: unknown, world: World): Found | undefined {
  if (!world.values.has(key)) return undefined
  const value = world.values.get(key)
  return found(Array.isArray(value) && !Array.isArray(want) ? value.at(-1) : value)
}

/** The last event that carries the key. */
function inEvents(key: string, run: AgentRun): Found | undefined {
  const event = run.events.findLast((one) => key in (one.data as object))
  return event === undefined
    ? undefined
    : found((event.data as unknown as Record<string, unknown>)[key])
}

/** What could be read when a command looked, or at the end. */
function fact(key: string, world: World, run: AgentRun): Found | undefined {
  const facts = checked(world)?.facts ?? factsOf(world, run)
  return key in facts ? found(facts[key as keyof Facts]) : undefined
}

/** Finds the value of a key; undefined if nobody knows what the key means. */
export function observe(
  key: string,
  want: unknown,
  world: World,
  run: AgentRun,
): Found | undefined {
  const exact = EXACT[key]?.(world, run, want)
  if (exact !== undefined) return exact
  const gate = countedGate(key)
  if (gate !== undefined) return found(world.asked.get(gate) ?? [])
  return elsewhere(key, want, world, run)
}

function elsewhere(key: string, want: unknown, world: World, run: AgentRun): Found | undefined {
  return (
    recorded(key, want, world) ??
    atMoment(key, want, world) ??
    byCommand(key, want, world) ??
    fact(key, world, run) ??
    inEvents(key, run)
  )
}
