/**
 * Scenarios about a projection: the log is given, and what is folded from it is expected.
 *
 * @module
 */
import { consumedWork } from '../../projections/consumed-work.ts'
import { parseLog } from '../parse-log.ts'
import { printLog } from '../print-event.ts'
import { diffLines, valueMatches } from './compare.ts'
import type { Scenario, ScenarioResult } from './scenario.ts'

const lines = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Does the scenario fold a log that is given? */
export const isFolded = (scenario: Scenario): boolean =>
  (scenario.commands ?? []).some((command) => String(command.do).startsWith('consumedWork('))

/** A result of which nothing was seen on a stage. */
export const EMPTY: Omit<
  ScenarioResult,
  'id' | 'title' | 'ok' | 'diffs' | 'unchecked' | 'log' | 'observed'
> = {
  notUnderstood: [],
  trace: [],
  status: '',
  statusTrace: [],
  requests: [],
  inbox: { 'next-turn': [], 'next-step': [] },
  liveErrors: [],
  runs: {},
  diagnostics: [],
  events: {},
}

/** Folds the log of the expectation and compares what was expected of it. */
export function runFolded(scenario: Scenario): ScenarioResult {
  const { id, title = '', expect = {} } = scenario
  const given = lines(expect['log'])
  const events = parseLog(given)
  const log = printLog(events)
  const observed = { ...consumedWork(events) }
  const diffs = [...diffLines('log', given, log), ...observedDiffs(expect['observed'], observed)]
  const unchecked = lines(expect['also']).map((sentence) => `also: ${sentence}`)
  return { ...EMPTY, id, title, ok: diffs.length === 0, diffs, unchecked, log, observed }
}

function observedDiffs(want: unknown, got: Readonly<Record<string, unknown>>): string[] {
  return Object.entries((want ?? {}) as Readonly<Record<string, unknown>>)
    .filter(([key, value]) => !valueMatches(value, got[key]))
    .map(
      ([key, value]) =>
        `observed.${key} expected: ${JSON.stringify(value)}\n  got: ${JSON.stringify(got[key])}`,
    )
}
