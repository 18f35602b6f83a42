/**
 * A check of the built-in model: what was seen of an answer when its turn was cut stays in the history.
 *
 * @module
 */
import { byType, fold, type Projection } from '../../projections/projection.ts'
import type { Check } from './model.ts'

interface Prefix {
  /** Text of the open attempt that stands in no message. */
  readonly open: boolean
  /** It stood in no message when its step closed. */
  readonly dropped: boolean
  /** Seqs of the turn ends over such a step. */
  readonly lost: readonly number[]
}

const KEPT: Prefix = { open: false, dropped: false, lost: [] }
const settled = (state: Prefix): Prefix => ({ ...state, open: false })

const prefix: Projection<Prefix> = {
  name: 'prefix',
  initial: KEPT,
  evolve: byType<Prefix>({
    'assistant/chunk': (state, { data: { chunk } }) =>
      chunk.kind === 'text-delta' && chunk.text.trim() !== '' ? { ...state, open: true } : state,
    'assistant/message': settled,
    'request/failed': settled,
    'step/end': (state) => ({ ...state, open: false, dropped: state.open }),
    'turn/end': ({ dropped, lost }, { seq, data }) => ({
      ...KEPT,
      lost: dropped && data.reason.kind === 'aborted' ? [...lost, seq] : lost,
    }),
  }),
}

/** Text that was seen when a turn was cut stands in an assistant message. */
export const keptPrefix: Check = ({ log }) =>
  fold(prefix, log).lost.map(
    (seq) => `the turn that ended at event ${seq} was cut, and text that was seen is in no message`,
  )
