/**
 * Compares the results of owned runs: `{finalResponse: one, turns: ['1 completed'], events: through turn/end 1}`.
 *
 * @module
 */
import type { RunResult } from '../../actors/agent-handle.ts'
import { printReason } from '../print-event.ts'
import { valueMatches } from './compare.ts'

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

/** `from the insertion of A through turn/end 1`. */
function eventsMatch(want: string, result: RunResult): string | undefined {
  const start = /insertion of (\w+)/.exec(want)?.[1]
  const end = /through turn\/end (\d+)/.exec(want)?.[1]
  const first = result.events[0]
  const last = result.events.at(-1)
  if (
    start !== undefined &&
    !(first?.type === 'inbox/inserted' && first.data.message.id === start)
  ) {
    return `events start with ${first?.type ?? 'nothing'}`
  }
  if (end !== undefined && !(last?.type === 'turn/end' && last.data.turn === Number(end))) {
    return `events end with ${last?.type ?? 'nothing'}`
  }
  return start === undefined && end === undefined ? 'cannot read this expectation' : undefined
}

function checkField(name: string, want: unknown, result: RunResult, check: ResultCheck): void {
  const field = name.replace(/^run\./, '')
  if (ELSEWHERE.test(field)) {
    check.unchecked.push(`result.${name}: ${JSON.stringify(want)}`)
    return
  }
  if (!FIELDS.includes(field)) {
    check.diffs.push(`result has no field ${field}`)
    return
  }
  if (field === 'events' && typeof want === 'string') {
    const wrong = eventsMatch(want, result)
    if (wrong !== undefined) check.diffs.push(`result.events: ${wrong}, expected ${want}`)
    return
  }
  if (field === 'usage' && typeof want === 'string') {
    check.unchecked.push(`result.usage: ${want}`)
    return
  }
  const got = field === 'turns' ? printTurns(result) : result[field as 'finalResponse']
  if (!valueMatches(want, got)) {
    check.diffs.push(
      `result.${field} expected: ${JSON.stringify(want)}\n  got: ${JSON.stringify(got)}`,
    )
  }
}

/** Compares one result, or several by name. */
export function checkResults(want: unknown, runs: ReadonlyMap<string, RunResult>): ResultCheck {
  const check: ResultCheck = { diffs: [], unchecked: [] }
  if (typeof want !== 'object' || want === null) return check
  for (const [name, value] of Object.entries(want)) {
    const named = runs.get(name)
    if (named !== undefined && typeof value === 'object' && value !== null) {
      for (const [field, expected] of Object.entries(value as object))
        checkField(field, expected, named, check)
      continue
    }
    const only = runs.values().next().value
    if (only === undefined) check.diffs.push(`no run settled, expected result.${name}`)
    else checkField(name, value, only, check)
  }
  return check
}
