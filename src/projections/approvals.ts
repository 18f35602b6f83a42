/**
 * The open questions: calls that wait for somebody to allow them.
 *
 * @module
 */
import type { ApprovalQuestion, StoredEvent } from '../events/event.ts'
import type { CallRef } from '../events/message.ts'
import { byType, type Projection } from './projection.ts'

/** A question nobody has answered yet. */
export interface OpenQuestion {
  readonly call: CallRef
  readonly turn: number
  readonly step: number
  readonly question: ApprovalQuestion
  /** Seq and time of `approval/asked`. */
  readonly seq: number
  readonly askedAt: number
}

export interface ApprovalsState {
  /** In the order in which they were asked. */
  readonly open: readonly OpenQuestion[]
}

/** The open question about the call with this key. */
export const openQuestion = ({ open }: ApprovalsState, key: string): OpenQuestion | undefined =>
  open.find((asked) => asked.call.key === key)

const keep = (state: ApprovalsState, stays: (asked: OpenQuestion) => boolean): ApprovalsState => {
  const open = state.open.filter(stays)
  return open.length === state.open.length ? state : { open }
}

const onAsked = (
  state: ApprovalsState,
  { seq, time, data }: StoredEvent<'approval/asked'>,
): ApprovalsState => ({
  open: [
    ...state.open,
    {
      call: data.call,
      turn: data.turn,
      step: data.step,
      question: data.question,
      seq,
      askedAt: time,
    },
  ],
})

/** The open questions. They close with an answer, with the outcome of their call, and with their turn. */
export const approvals: Projection<ApprovalsState> = {
  name: 'approvals',
  initial: { open: [] },
  evolve: byType<ApprovalsState>({
    'approval/asked': onAsked,
    'approval/decided': (state, { data }) =>
      keep(state, (asked) => asked.call.key !== data.call.key),
    'tool/result': (state, { data }) => keep(state, (asked) => asked.call.key !== data.call.key),
    'turn/end': (state, { data }) => keep(state, (asked) => asked.turn !== data.turn),
  }),
}
