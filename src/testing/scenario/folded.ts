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
  (scenario.commands ?? []).some((command) => /^consumedWork\(/.test(String(command.do)))

/** Folds the log of the expectation and compares what was expected of it. */
export function runFolded(scenario: Scenario): ScenarioResult {
  const given = lines(scenario.expect?.['log'])
  const diffs: string[] = []
  let observed: Record<string, unknown> = {}
  let log: string[] = []
  try {
    const events = parseLog(given)
    log = printLog(events)
    observed = { ...consumedWork(events) }
    diffs.push(...diffLines('log', given, log))
  } catch (error) {
    diffs.push(String(error))
  }
  for (const [key, want] of Object.entries((scenario.expect?.['observed'] ?? {}) as object)) {
    if (valueMatches(want, observed[key])) continue
    diffs.push(
      `observed.${key} expected: ${JSON.stringify(want)}\n  got: ${JSON.stringify(observed[key])}`,
    )
  }
  const prose = lines(scenario.expect?.['also']).map((sentence) => `also: ${sentence}`)
  return {
    id: scenario.id,
    title: scenario.title ?? '',
    ok: diffs.length === 0,
    diffs,
    notUnderstood: [],
    unchecked: prose,
    log,
    trace: [],
    status: '',
    statusTrace: [],
    requests: [],
    inbox: { 'next-turn': [], 'next-step': [] },
    liveErrors: [],
    observed,
    runs: {},
    diagnostics: [],
    events: {},
  }
}
