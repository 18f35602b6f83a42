/**
 * The questions about calls: which wait for somebody to allow them, and which tools somebody has allowed.
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
  /** Names of the tools of which a call was allowed, in the order of the first time. */
  readonly allowed: readonly string[]
}

/** The open question about the call with this key. */
export const openQuestion = (
  { open }: Pick<ApprovalsState, 'open'>,
  key: string,
): OpenQuestion | undefined => open.find((asked) => asked.call.key === key)

const keep = (state: ApprovalsState, stays: (asked: OpenQuestion) => boolean): ApprovalsState => {
  const open = state.open.filter(stays)
  return open.length === state.open.length ? state : { ...state, open }
}

const onAsked = (
  state: ApprovalsState,
  { seq, time, data }: StoredEvent<'approval/asked'>,
): ApprovalsState => ({
  ...state,
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

function onDecided(
  state: ApprovalsState,
  { data }: StoredEvent<'approval/decided'>,
): ApprovalsState {
  const asked = openQuestion(state, data.call.key)
  const closed = keep(state, (other) => other !== asked)
  const tool = asked?.question.tool
  if (data.answer !== 'allow' || tool === undefined || state.allowed.includes(tool)) return closed
  return { ...closed, allowed: [...closed.allowed, tool] }
}

/** The questions of a session. They close with an answer, with the outcome of their call, and with their turn. */
export const approvals: Projection<ApprovalsState> = {
  name: 'approvals',
  initial: { open: [], allowed: [] },
  evolve: byType<ApprovalsState>({
    'approval/asked': onAsked,
    'approval/decided': onDecided,
    'tool/result': (state, { data }) => keep(state, (asked) => asked.call.key !== data.call.key),
    'turn/end': (state, { data }) => keep(state, (asked) => asked.turn !== data.turn),
  }),
}
