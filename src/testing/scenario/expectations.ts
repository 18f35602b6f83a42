/**
 * Compares everything a scenario expects with what was seen.
 *
 * @module
 */
import { diffLines, diffRequests, valueMatches } from './compare.ts'
import { judgeAlso, judgeNever } from './expect-prose.ts'
import { checkResults } from './expect-result.ts'
import { inboxOf } from './facts.ts'
import { observe } from './observe.ts'
import type { PrintedInbox, Scenario } from './scenario.ts'
import type { AgentRun, World } from './world.ts'

/** What was seen, in the notation of the expectation. */
export interface Seen {
  readonly log: readonly string[]
  readonly trace: readonly string[]
  readonly status: string | Readonly<Record<string, string>>
  readonly statusTrace: readonly string[]
  readonly requests: readonly (readonly string[])[]
  readonly inbox: PrintedInbox
  readonly liveErrors: readonly string[]
}

export interface Verdicts {
  readonly diffs: string[]
  readonly notUnderstood: string[]
  readonly unchecked: string[]
  readonly observed: Record<string, unknown>
}

const QUIET = /^(?:s\d )?(?:assistant\/chunk|request\/header|request\/context)\b/
const UNLISTED = /^(?:s\d )?(?:approval|compaction|goal|child)\//
const lines = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Which kinds of lines an expectation shows. */
function shown(want: readonly string[], all: readonly { readonly line: string }[]): string[] {
  const quiet = want.some((line) => QUIET.test(line))
  const unlisted = want.some((line) => UNLISTED.test(line))
  return all
    .map(({ line }) => line)
    .filter((line) => (quiet || !QUIET.test(line)) && (unlisted || !UNLISTED.test(line)))
}

const several = (want: readonly string[]): boolean => want.some((line) => /^s\d /.test(line))

/** Everything that was seen. */
export function see(scenario: Scenario, world: World): Seen {
  const expect = scenario.expect ?? {}
  const run = world.run()
  const names = [...world.agents.keys()].toSorted()
  const log = lines(expect['log'])
  const many = names.length > 1
  return {
    log: several(log)
      ? names.flatMap((name) => shown(log, world.run(name).lines).map((line) => `${name} ${line}`))
      : shown(log, run.lines),
    trace: shown(lines(expect['trace']), run.trace),
    status: many
      ? Object.fromEntries(names.map((name) => [name, world.run(name).agent.status]))
      : run.agent.status,
    statusTrace: run.statuses,
    requests: world.requests.map((made) => made.history),
    inbox: inboxOf(run),
    liveErrors: run.errors,
  }
}

/** Lines by session: the order between sessions says nothing. */
const bySession = (want: readonly string[]): string[] =>
  several(want) ? want.toSorted((a, b) => a.slice(0, 2).localeCompare(b.slice(0, 2))) : [...want]

type Check = (want: unknown, seen: Seen) => string[]

const CHECKS: Readonly<Record<string, Check>> = {
  log: (want, seen) => diffLines('log', bySession(lines(want)), seen.log),
  trace: (want, seen) => diffLines('trace', lines(want), seen.trace),
  status: (want, seen) => statusDiffs(want, seen),
  statusTrace: (want, seen) => diffLines('statusTrace', lines(want), seen.statusTrace),
  requests: (want, seen) => diffRequests((want as unknown[]).map(lines), seen.requests),
  inbox: (want, seen) => inboxDiffs(want, seen),
  liveErrors: (want, seen) => diffLines('liveErrors', lines(want), seen.liveErrors),
}

function statusDiffs(want: unknown, seen: Seen): string[] {
  if (valueMatches(want, seen.status)) return []
  return [`status expected: ${JSON.stringify(want)}\n  got: ${JSON.stringify(seen.status)}`]
}

function inboxDiffs(want: unknown, seen: Seen): string[] {
  const wanted = want as Partial<PrintedInbox>
  return [
    ...diffLines('inbox next-turn', lines(wanted['next-turn']), seen.inbox['next-turn']),
    ...diffLines('inbox next-step', lines(wanted['next-step']), seen.inbox['next-step']),
  ]
}

const SESSIONS: Readonly<Record<string, string>> = { a: 's1', b: 's2', 1: 's1', 2: 's2' }

/** Expectations by session, where they are given so. */
function sessionsOf(want: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (typeof want !== 'object' || want === null || Array.isArray(want)) return undefined
  const entries = Object.entries(want).map(
    ([name, part]) => [SESSIONS[name] ?? name, part] as const,
  )
  return entries.every(([name]) => /^s\d$/.test(name)) ? entries : undefined
}

/** Compares one key, session by session where it is given so. */
function compare(check: Check, want: unknown, seen: Seen, world: World): string[] {
  const sessions = sessionsOf(want)
  if (sessions === undefined) return check(want, seen)
  return sessions.flatMap(([name, part]) =>
    check(part, seenOf(world, name, seen)).map((text) => `${name}: ${text}`),
  )
}

/** What was seen of one session alone. */
function seenOf(world: World, name: string, seen: Seen): Seen {
  const run = world.run(name)
  return {
    ...seen,
    status: run.agent.status,
    statusTrace: run.statuses,
    requests: world.requests.filter((made) => made.agent === name).map((made) => made.history),
    inbox: inboxOf(run),
    liveErrors: run.errors,
  }
}

/** A key in prose can only be read by a person, unless it is a command. */
const isProse = (key: string): boolean => /\s\w+\s/.test(key)

function checkObserved(want: unknown, world: World, run: AgentRun, verdicts: Verdicts): void {
  if (Array.isArray(want)) {
    checkOrder(want, run, verdicts)
    return
  }
  for (const [key, value] of Object.entries(want as object)) {
    const found = observe(key, value, world, run)
    if (found === undefined) {
      if (isProse(key)) verdicts.unchecked.push(`observed: ${key} = ${JSON.stringify(value)}`)
      else verdicts.notUnderstood.push(`observed.${key}`)
      continue
    }
    verdicts.observed[key] = found.value
    if (found.passes ?? valueMatches(value, found.value)) continue
    verdicts.diffs.push(
      `observed.${key} expected: ${JSON.stringify(value)}\n  got: ${JSON.stringify(found.value)}`,
    )
  }
}

/** A list of live events: those an agent announces have to come in this order. */
function checkOrder(want: readonly unknown[], run: AgentRun, verdicts: Verdicts): void {
  const seen = run.live.map((notice) =>
    notice.type === 'status' ? `status ${notice.status}` : notice.type,
  )
  let from = 0
  for (const entry of want) {
    const { event, value, ...rest } = entry as { event?: string; value?: unknown }
    const name = event === 'status' ? `status ${String(value)}` : String(event)
    if (!/^status |^agent\/disposed$|^inserted$|^claimed$|^discarded$|^error$/.test(name)) {
      verdicts.unchecked.push(`observed: ${JSON.stringify(entry)}`)
      continue
    }
    const at = seen.indexOf(name, from)
    if (at < 0)
      verdicts.diffs.push(`observed: ${name} does not come in its place; got ${seen.join(', ')}`)
    else from = at + 1
    if (Object.keys(rest).length > 0)
      verdicts.unchecked.push(`observed: ${name} ${JSON.stringify(rest)}`)
  }
}

/** Sentences: checked where a rule reads them, else left to a reader. */
function checkProse(scenario: Scenario, world: World, verdicts: Verdicts): void {
  const run = world.run()
  const judgements = [
    ['also', judgeAlso],
    ['never', judgeNever],
  ] as const
  for (const [kind, judge] of judgements) {
    for (const sentence of lines(scenario.expect?.[kind])) {
      const verdict = judge(sentence, world, run)
      if (verdict === undefined) verdicts.unchecked.push(`${kind}: ${sentence}`)
      else if (!verdict) verdicts.diffs.push(`${kind} does not hold: ${sentence}`)
    }
  }
}

/** Keys that are judged apart from what is compared line by line. */
function judgeKey(key: string, want: unknown, world: World, verdicts: Verdicts): void {
  if (key === 'observed') checkObserved(want, world, world.run(), verdicts)
  else if (key === 'result') {
    const result = checkResults(want, world.runs)
    verdicts.diffs.push(...result.diffs)
    verdicts.unchecked.push(...result.unchecked)
  } else if (key !== 'also' && key !== 'never') verdicts.notUnderstood.push(`expect.${key}`)
}

/** Compares it all. Where the log is expected, error notifications nobody expects are a difference. */
export function judgeAll(scenario: Scenario, seen: Seen, world: World): Verdicts {
  const verdicts: Verdicts = { diffs: [], notUnderstood: [], unchecked: [], observed: {} }
  const given = scenario.expect ?? {}
  const expect = 'log' in given ? { liveErrors: [], ...given } : given
  for (const [key, want] of Object.entries(expect)) {
    const check = CHECKS[key]
    if (check === undefined) judgeKey(key, want, world, verdicts)
    else verdicts.diffs.push(...compare(check, want, seen, world))
  }
  checkProse(scenario, world, verdicts)
  return verdicts
}
