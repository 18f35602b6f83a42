/**
 * What commands answer, and what is waited for, according to the lifecycle model.
 *
 * @module
 */
import type { LifecycleState } from './lifecycle.model.ts'
import { type LifecycleEvent, type Remembered, sum, wakes } from './lifecycle.words.ts'

/** What is waited for outside the agent in each state. */
export const WAITS: Readonly<Record<LifecycleState, string>> = {
  idle: '',
  opening: '',
  gated: 'preStep',
  'gated again': 'preStep',
  streaming: 'model',
  'backing off': '',
  hanging: '',
  tooling: 'tool',
  stopping: 'stop',
  converging: '',
  cutting: '',
  draining: 'tool',
  maintaining: 'task',
  'maintenance aborted': 'task',
  disposing: '',
  'disposing a stream': '',
  'disposing a tool': 'tool',
  'disposing a task': 'task',
  disposed: '',
}

/** States in which there is nothing left to abort. */
const PAST: readonly LifecycleState[] = [
  'idle',
  'converging',
  'cutting',
  'draining',
  'maintenance aborted',
]

const isGone = (state: LifecycleState): boolean => state.startsWith('dispos')

/** Does a cancel that finds nothing to abort park something, now or when it goes back? */
const holds = ({ pending, held, restores }: Remembered, type: string): boolean =>
  !type.startsWith('abort') && ((!held && wakes(pending)) || restores === 'free')

function receipt(state: LifecycleState, known: Remembered, type: string): string {
  if (isGone(state)) return 'none'
  const discarded = type === 'cancel' ? sum(known.pending) : 0
  const late = discarded > 0 || holds(known, type) ? 'discarded' : 'none'
  const effect = PAST.includes(state) ? late : 'aborted'
  return discarded > 0 ? `${effect} ${discarded}` : effect
}

/** The answer of `type`, given in `state`. */
export function answerOf(state: LifecycleState, known: Remembered, type: LifecycleEvent): string {
  if (type.startsWith('cancel') || type.startsWith('abort')) return receipt(state, known, type)
  const commands: readonly string[] = ['followup', 'steer', 'inject', 'clear', 'maintain']
  if (isGone(state) && commands.includes(type)) return 'refused'
  if (type === 'clear') return String(sum(known.pending) > 0)
  return type === 'maintain' && state !== 'idle' ? 'AGENT_BUSY' : ''
}
