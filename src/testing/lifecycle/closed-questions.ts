/**
 * A check of the built-in model: whatever was asked about a call is decided before its turn ends.
 *
 * @module
 */
import { byType, fold, type Projection } from '../../projections/projection.ts'
import type { Check } from './model.ts'

interface Questions {
  /** Keys of calls that were asked about, and of which nothing is decided. */
  readonly open: readonly string[]
  /** Keys that were left open by the end of their turn. */
  readonly left: readonly string[]
}

const questions: Projection<Questions> = {
  name: 'questions',
  initial: { open: [], left: [] },
  evolve: byType<Questions>({
    'approval/asked': (state, { data }) => ({ ...state, open: [...state.open, data.call.key] }),
    'approval/decided': (state, { data }) => ({
      ...state,
      open: state.open.filter((key) => key !== data.call.key),
    }),
    'turn/end': ({ open, left }) => ({ open: [], left: [...left, ...open] }),
  }),
}

/** Each question is answered, or recorded as cancelled. */
export const closedQuestions: Check = ({ log }) =>
  fold(questions, log).left.map(
    (key) => `the question about call ${key} was neither answered nor recorded as cancelled`,
  )
