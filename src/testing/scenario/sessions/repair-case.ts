/**
 * Scenarios about repair: a stored log is given, and what repair appends to it is expected.
 *
 * @module
 */
import { isDeepStrictEqual } from 'node:util'
import type { NewEvent, StoredEvent } from '../../../events/event.ts'
import { createMemoryLog } from '../../../log/memory-log.ts'
import { inbox } from '../../../projections/inbox.ts'
import { fold } from '../../../projections/projection.ts'
import { repairEvents } from '../../../sessions/repair.ts'
import { checkInvariants } from '../../check-invariants.ts'
import { parseLog } from '../../parse-log.ts'
import { printLog } from '../../print-event.ts'
import { listed } from '../../print-request.ts'
import { diffLines, valueMatches } from '../compare.ts'
import type { PrintedInbox, Scenario, ScenarioResult } from '../scenario.ts'

const lines = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Does the scenario repair a log that is given? */
export const isRepairCase = (scenario: Scenario): boolean =>
  scenario.setup?.prefix !== undefined ||
  (scenario.commands ?? []).every((command) => /^repair\b(?! s\d)/.test(String(command.do)))

/** What a repaired log shows. */
interface Repaired {
  readonly events: readonly StoredEvent[]
  readonly log: readonly string[]
  /** Lines that repair has written. */
  readonly appended: number
  readonly observed: Readonly<Record<string, unknown>>
}

const VERBOSE = /^(?:assistant\/chunk|request\/header|request\/context)\b/
const UNLISTED = /^(?:approval|compaction|goal|child)\//

/** Lines that the expectation would show. */
function shown(events: readonly StoredEvent[], want: readonly string[]): string[] {
  const all = printLog(events, { verbose: want.some((line) => VERBOSE.test(line)) })
  return want.some((line) => UNLISTED.test(line)) ? all : all.filter((line) => !UNLISTED.test(line))
}

function repair(prefix: readonly string[], want: readonly string[]): Repaired {
  const given = parseLog(prefix)
  const added = repairEvents(given)
  const events = withMore(given, added)
  const log = shown(events, want)
  return {
    events,
    log,
    appended: log.length - shown(given, want).length,
    observed: {
      sameOutputTwice: isDeepStrictEqual(added, repairEvents(given)),
      repairOfRepaired: repairEvents(events).length,
      appended: added.length,
      times: events.slice(given.length).map(({ time }) => time),
    },
  }
}

function withMore(
  events: readonly StoredEvent[],
  more: readonly NewEvent[],
): readonly StoredEvent[] {
  const log = createMemoryLog({ header: { id: 's1', formatVersion: 1, createdAt: 0 }, events })
  if (more.length > 0) log.append(more, events.at(-1)?.time ?? 0)
  return log.read()
}

const inboxOf = (events: readonly StoredEvent[]): PrintedInbox => {
  const { nextTurn, nextStep } = fold(inbox, events)
  return {
    'next-turn': nextTurn.map(({ message }) => listed(message)),
    'next-step': nextStep.map(({ message }) => listed(message)),
  }
}

/** Repairs the prefix and compares what was expected of it. */
export function runRepairCase(scenario: Scenario): ScenarioResult {
  const { id, title = '', setup, expect = {} } = scenario
  const want = lines(expect['log'])
  const repaired = repair(setup?.prefix ?? [], want)
  const { events, log, appended, observed } = repaired
  const pending = inboxOf(events)
  const diffs = [
    ...diffLines('log', want, log),
    ...differs('appended', expect['appended'], appended),
    ...differs('inbox', expect['inbox'], pending),
    ...Object.entries(expect['observed'] ?? {}).flatMap(([key, value]) =>
      differs(`observed.${key}`, value, observed[key]),
    ),
    ...emptyDiffs(scenario),
    ...checkInvariants(events, { atRest: true }).map(({ message }) => message),
  ]
  const keys = Object.keys(expect).filter((key) => !KNOWN.has(key))
  return {
    id,
    title,
    ok: diffs.length === 0 && keys.length === 0,
    diffs,
    notUnderstood: keys.map((key) => `expect.${key}`),
    unchecked: lines(expect['also']).map((sentence) => `also: ${sentence}`),
    log,
    trace: log,
    status: 'idle',
    statusTrace: [],
    requests: [],
    inbox: pending,
    liveErrors: [],
    observed,
    runs: {},
    diagnostics: [],
    events: { s1: events },
  }
}

const KNOWN = new Set([
  'log',
  'appended',
  'inbox',
  'observed',
  'also',
  'never',
  'status',
  'statusTrace',
  'requests',
  'liveErrors',
])

function differs(what: string, want: unknown, got: unknown): string[] {
  if (want === undefined || valueMatches(want, got)) return []
  return [`${what} expected: ${JSON.stringify(want)}\n  got: ${JSON.stringify(got)}`]
}

/** Where the commands name an empty log, it is repaired as well. */
function emptyDiffs(scenario: Scenario): string[] {
  const named = (scenario.commands ?? []).some((command) => /empty log/.test(String(command.do)))
  const added = named ? repairEvents([]).length : 0
  return added === 0 ? [] : [`the repair of an empty log appended ${added} events`]
}
