/**
 * The goal of a session: what it is, how far it is, and how many rounds of it have started.
 *
 * G1 A round has started when its message is committed: a retried request, a rejected or a withdrawn prompt count nothing.
 * G2 A change that cannot be read changes the revision and nothing else.
 * G3 Whether rounds go on by themselves is not in the log: that is up to a process.
 *
 * @module
 */
import type { StoredEvent } from '../events/event.ts'
import type { Json } from '../events/json.ts'
import { byType, type Projection } from './projection.ts'

export type GoalPhase = 'active' | 'paused' | 'blocked' | 'complete'

/** What a `goal/change` says. */
export type GoalChange =
  | { readonly kind: 'set' | 'edit'; readonly objective: string }
  | {
      readonly kind: 'phase'
      readonly phase: GoalPhase
      /** Why, in one word that programs can read. */
      readonly code?: string
      /** Why, for people. */
      readonly reason?: string
    }

/** The present goal. */
export interface GoalState {
  readonly id: string
  /** Counts the changes of all goals of the session, from 1. */
  readonly revision: number
  readonly objective: string
  readonly phase: GoalPhase
  readonly code: string | null
  readonly reason: string | null
  /** Rounds that have started. */
  readonly started: number
}

const PHASES: readonly GoalPhase[] = ['active', 'paused', 'blocked', 'complete']

type JsonRecord = { readonly [key: string]: Json | undefined }

/** A text, a number or a list has none of the fields that are looked for. */
const recordOf = (change: Json): JsonRecord => (change ?? {}) as JsonRecord

const textIn = (value: Json | undefined): string | null =>
  typeof value === 'string' ? value : null

function begun(id: string, revision: number, objective: string): GoalState {
  return { id, revision, objective, phase: 'active', code: null, reason: null, started: 0 }
}

function onChange(state: GoalState | null, { data }: StoredEvent<'goal/change'>): GoalState | null {
  const { goal: id, revision } = data
  const change = recordOf(data.change)
  const objective = textIn(change['objective'])
  if (change['kind'] === 'set' && objective !== null) return begun(id, revision, objective)
  if (state?.id !== id) return state
  if (change['kind'] === 'edit' && objective !== null) return { ...state, revision, objective }
  return change['kind'] === 'phase' ? toPhase(state, revision, change) : { ...state, revision }
}

function toPhase(state: GoalState, revision: number, change: JsonRecord): GoalState {
  const phase = PHASES.find((one) => one === change['phase'])
  if (phase === undefined) return { ...state, revision }
  return {
    ...state,
    revision,
    phase,
    code: textIn(change['code']),
    reason: textIn(change['reason']),
  }
}

/** The next round of the present revision has entered a step. */
function onMessage(
  state: GoalState | null,
  { data }: StoredEvent<'user/message'>,
): GoalState | null {
  const { kind, goal: id, revision, round } = data.message.source
  if (kind !== 'goal' || state === null) return state
  const next = id === state.id && revision === state.revision && round === state.started + 1
  return next ? { ...state, started: state.started + 1 } : state
}

/** The present goal; null where none was set. */
export const goal: Projection<GoalState | null> = {
  name: 'goal',
  initial: null,
  evolve: byType<GoalState | null>({ 'goal/change': onChange, 'user/message': onMessage }),
}
