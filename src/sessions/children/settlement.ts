/**
 * The result of a child, from what its log says.
 *
 * S1 A cancelled child has completed only if the turn that accounts for its work completed and nothing accepted was dropped.
 * S2 Where a value was asked for, having completed means having handed it in.
 *
 * @module
 */
import type { TurnReason } from '../../events/message.ts'
import type { ChildWork } from '../../projections/child-work.ts'
import type { ChildResult, StopReason } from './child-port.ts'
import { TREE_BUDGET } from './tree-budget.ts'

const REASONS: Readonly<Record<TurnReason['kind'], StopReason>> = {
  completed: 'completed',
  'max-tokens': 'max-tokens',
  limit: 'limit',
  aborted: 'aborted',
  blocked: 'refusal',
  error: 'error',
  interrupted: 'error',
}

/** What is known of a child besides its log. */
export interface Circumstances {
  readonly sessionId: string
  /** It was told to stop, whether or not there was anything to be recorded. */
  readonly cancelled: boolean
  /** Streamed text that was recorded nowhere. */
  readonly liveText: string
  /** The captured value; undefined where none was asked for. */
  readonly capture: { readonly value: unknown; readonly captured: boolean } | undefined
}

/** What a child came to. */
export function settlementOf(work: ChildWork, known: Circumstances): Omit<ChildResult, 'notice'> {
  const { capture } = known
  const ended = stopReasonOf(work, known)
  const how =
    ended === 'completed' && capture?.captured === false
      ? LACKING
      : { stopReason: ended, ...detailOf(work, ended) }
  return {
    sessionId: known.sessionId,
    ...how,
    output: work.committed || work.streamed.text || known.liveText,
    ...(capture?.captured === true && { structured: capture.value }),
    reason: work.reason,
    turns: work.turns.toArray(),
    usage: work.usage,
  }
}

const LACKING = {
  stopReason: 'error',
  detail: 'it has not handed in the value it was asked for',
} as const

function stopReasonOf(
  { reason, cancelled, consumed }: ChildWork,
  known: Circumstances,
): StopReason {
  const done = reason?.kind === 'completed' && !consumed.droppedUnrun
  if ((cancelled || known.cancelled) && !done) return 'aborted'
  return reason === null ? 'error' : wordOf(reason)
}

const wordOf = (reason: TurnReason): StopReason =>
  reason.kind === 'blocked' && reason.by === TREE_BUDGET ? 'limit' : REASONS[reason.kind]

function detailOf({ reason }: ChildWork, stopReason: StopReason): { detail?: string } {
  if (reason === null) return stopReason === 'aborted' ? {} : { detail: 'it has not worked at all' }
  if (reason.kind === 'error') return { detail: `${reason.code}: ${reason.message}` }
  if (reason.kind === 'blocked') return { detail: reason.reason }
  return reason.kind === 'limit'
    ? { detail: `${reason.which}: ${reason.used} of ${reason.allowed}` }
    : {}
}
