/**
 * Variants of a case about children, and the map of stop reasons.
 *
 * @module
 */
import type { StoredEvent } from '../../../events/event.ts'
import type { TurnReason } from '../../../events/message.ts'
import { childWork } from '../../../projections/child-work.ts'
import { fold } from '../../../projections/projection.ts'
import { settlementOf } from '../../../sessions/children/settlement.ts'
import { group, splitTop } from '../phrase.ts'
import type { Scenario } from '../scenario.ts'

/** One way to play a case, with the result it must have. */
export interface Variant {
  readonly name: string
  readonly scenario: Scenario
  readonly want: unknown
}

const LISTED = /\s*\(variants: (.+)\)$/
const SLASHED = /^(while the parent is )(.+ \/ .+)$/

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** `start child with schema (variants: …; …)`: each has its own entry of the script, and its own result. */
function listedVariants(scenario: Scenario, listed: string): Variant[] {
  const [first, ...others] = scenario.commands ?? []
  const want = recordOf(scenario.expect?.['result'])
  const names = Object.keys(want)
  const entries: readonly unknown[] = [scenario.setup?.model ?? []].flat()
  const command = { when: first?.when, do: String(first?.do).replace(LISTED, '') }
  return splitTop(listed, /\s*;\s*/).map((text, i) => {
    const name = names[i] ?? text
    const setup = { ...scenario.setup, model: entries.slice(i, i + 1) }
    return {
      name,
      want: want[name],
      scenario: { ...scenario, setup, commands: [command, ...others] },
    }
  })
}

/** The variants that a command lists; the case itself where it lists none. */
export function childVariants(scenario: Scenario): readonly Variant[] {
  const want = scenario.expect?.['result']
  const [first, ...others] = scenario.commands ?? []
  const text = String(first?.do)
  const listed = group(LISTED, text)
  if (listed !== undefined) return listedVariants(scenario, listed)
  const [, head = '', states] = SLASHED.exec(text) ?? []
  if (states === undefined) return [{ name: '', scenario, want }]
  return states.split(' / ').map((state) => {
    const command = { when: first?.when, do: head + state }
    return { name: state, want, scenario: { ...scenario, commands: [command, ...others] } }
  })
}

const REASONS: Readonly<Record<string, TurnReason | null>> = {
  completed: { kind: 'completed' },
  'max-tokens': { kind: 'max-tokens' },
  aborted: { kind: 'aborted', cause: { kind: 'user' } },
  blocked: { kind: 'blocked', by: 'gate', reason: 'no' },
  error: { kind: 'error', code: 'SERVER', message: 'boom' },
  limit: { kind: 'limit', which: 'steps', used: 1, allowed: 1 },
  interrupted: { kind: 'interrupted' },
  none: null,
}

/** Does the case list how turns may end, and what a child has then stopped as? */
export const isReasonMap = ({ expect }: Scenario): boolean => {
  const keys = Object.keys(recordOf(expect?.['result']))
  return keys.length > 3 && keys.every((key) => key in REASONS)
}

/** What differs between that list and the settlement of a turn that ended so. */
export const reasonDiffs = (want: unknown): string[] =>
  Object.entries(recordOf(want)).flatMap(([key, word]) => {
    const got = stopOf(REASONS[key] ?? null)
    return got === word ? [] : [`result.${key} expected: ${String(word)}\n  got: ${got}`]
  })

function stopOf(reason: TurnReason | null): string {
  const at = { turn: 1, step: 1 }
  const events =
    reason === null
      ? []
      : [
          { type: 'turn/start', data: { turn: 1 } },
          { type: 'step/start', data: at },
          { type: 'step/end', data: at },
          { type: 'turn/end', data: { turn: 1, reason, uncommitted: [] } },
        ]
  const stored = events.map((event, seq) => ({ ...event, seq, time: 0 })) as StoredEvent[]
  return settlementOf(fold(childWork, stored), {
    sessionId: 'child',
    cancelled: false,
    liveText: '',
    capture: undefined,
  }).stopReason
}
