/**
 * Compares the results of owned runs: `{finalResponse: one, turns: ['1 completed'], events: through turn/end 1}`.
 *
 * @module
 */
import type { RunResult } from '../../actors/agent-handle.ts'
import { printReason } from '../print-event.ts'
import { valueMatches } from './compare.ts'
import { group } from './phrase.ts'

/** What was found out about one result. */
export interface ResultCheck {
  readonly diffs: string[]
  readonly unchecked: string[]
}

const FIELDS = ['sessionId', 'messageId', 'finalResponse', 'turns', 'events', 'usage']
const ELSEWHERE = /^(?:oneShot|child|observer|client|stdout|exit)/

/** The turns of a result: `1 completed`, `2 error:SERVER`. */
export const printTurns = (result: RunResult): string[] =>
  result.turns.map(({ turn, reason }) => `${turn} ${printReason(reason)}`)

/** `from the insertion of A`. */
function startMatches(want: string, result: RunResult): boolean {
  const id = group(/insertion of (\w+)/, want)
  const first = result.events[0]
  return id === undefined || (first?.type === 'inbox/inserted' && first.data.message.id === id)
}

/** `through turn/end 1`. */
function endMatches(want: string, result: RunResult): boolean {
  const turn = group(/through turn\/end (\d+)/, want)
  const last = result.events.at(-1)
  return turn === undefined || (last?.type === 'turn/end' && last.data.turn === Number(turn))
}

function checkEvents(want: string, result: RunResult, check: ResultCheck): void {
  if (!/insertion of \w+|through turn\/end/.test(want))
    check.unchecked.push(`result.events: ${want}`)
  else if (!startMatches(want, result) || !endMatches(want, result)) {
    const types = result.events.map((event) => event.type)
    check.diffs.push(`result.events expected: ${want}\n  got: ${types.join(', ')}`)
  }
}

function checkValue(field: string, want: unknown, result: RunResult, check: ResultCheck): void {
  const got = field === 'turns' ? printTurns(result) : result[field as 'finalResponse']
  if (valueMatches(want, got)) return
  check.diffs.push(
    `result.${field} expected: ${JSON.stringify(want)}\n  got: ${JSON.stringify(got)}`,
  )
}

function checkField(name: string, want: unknown, result: RunResult, check: ResultCheck): void {
  const field = name.replace(/^run\./, '')
  const prose = typeof want === 'string' && field === 'usage'
  if (ELSEWHERE.test(field) || prose) {
    check.unchecked.push(`result.${name}: ${JSON.stringify(want)}`)
  } else if (!FIELDS.includes(field)) check.diffs.push(`result has no field ${field}`)
  else if (field === 'events' && typeof want === 'string') checkEvents(want, result, check)
  else checkValue(field, want, result, check)
}

/** A field of the only result, or all fields of a named one. */
function checkEntry(
  name: string,
  value: unknown,
  runs: ReadonlyMap<string, RunResult>,
  check: ResultCheck,
): void {
  const named = runs.get(name)
  const only = named ?? runs.values().next().value
  if (only === undefined) check.diffs.push(`no run settled, expected result.${name}`)
  else if (named === undefined) checkField(name, value, only, check)
  else {
    for (const [field, want] of Object.entries(value as object))
      checkField(field, want, named, check)
  }
}

/** Compares one result, or several by name. */
export function checkResults(want: unknown, runs: ReadonlyMap<string, RunResult>): ResultCheck {
  const check: ResultCheck = { diffs: [], unchecked: [] }
  for (const [name, value] of Object.entries(want ?? {})) checkEntry(name, value, runs, check)
  return check
}
