/**
 * What is open at the tail of a log: turn, step, attempt, and the calls that have no outcome yet.
 *
 * O1 Events that repair adds to an earlier turn or step change nothing here.
 *
 * @module
 */
import { produce, type Draft } from 'immer'
import type { StepAt, StoredEvent } from '../events/event.ts'
import type { CallRef, Outcome } from '../events/message.ts'
import { byType, type Projection } from './projection.ts'

/** A call of the open step without a result. */
export interface OpenWorkCall {
  readonly call: CallRef
  readonly name: string
  /** `named` by the message only, `called` by a `tool/call`, or `settled` while an earlier call is not. */
  readonly state: 'named' | 'called' | 'settled'
  readonly outcome: Outcome | null
}

export interface OpenWork {
  readonly turn: number | null
  readonly step: number | null
  /** Number of the attempt that is streaming, from its first chunk on. */
  readonly attempt: number | null
  /** In the order of the model. */
  readonly calls: readonly OpenWorkCall[]
}

const NOTHING: OpenWork = { turn: null, step: null, attempt: null, calls: [] }

const isOpen = (state: OpenWork, at: StepAt): boolean =>
  state.step === at.step && state.turn === at.turn

const named = (call: CallRef, name: string): OpenWorkCall => ({
  call,
  name,
  state: 'named',
  outcome: null,
})

/** Changes one call of the open step; a call the message does not name (its block was cut) is added. */
const editCall = (
  state: OpenWork,
  at: StepAt & { readonly call: CallRef },
  name: string,
  edit: (call: Draft<OpenWorkCall>) => void,
): OpenWork =>
  isOpen(state, at)
    ? produce(state, (draft) => {
        let found = draft.calls.find((known) => known.call.key === at.call.key)
        if (found === undefined) {
          draft.calls.push(named(at.call, name) as Draft<OpenWorkCall>)
          found = draft.calls.at(-1)
        }
        if (found !== undefined) edit(found)
      })
    : state

function onMessage(state: OpenWork, { data }: StoredEvent<'assistant/message'>): OpenWork {
  const calls = data.message.content.flatMap((block) =>
    block.type === 'tool-call' ? [named(block.call, block.name)] : [],
  )
  const changes = calls.length > 0 || state.attempt !== null
  return changes && isOpen(state, data) ? { ...state, attempt: null, calls } : state
}

/** What is open at the tail. */
export const openWork: Projection<OpenWork> = {
  name: 'open-work',
  initial: NOTHING,
  evolve: byType<OpenWork>({
    'turn/start': (_, { data }) => ({ ...NOTHING, turn: data.turn }),
    'turn/end': (state, { data }) => (state.turn === data.turn ? NOTHING : state),
    'step/start': (_, { data }) => ({ ...NOTHING, turn: data.turn, step: data.step }),
    'step/end': (state, { data }) =>
      isOpen(state, data) ? { ...NOTHING, turn: data.turn } : state,
    'assistant/chunk': (state, { data }) =>
      state.attempt === data.attempt || !isOpen(state, data)
        ? state
        : { ...state, attempt: data.attempt },
    'request/failed': (state, { data }) =>
      state.attempt !== null && isOpen(state, data) ? { ...state, attempt: null } : state,
    'assistant/message': onMessage,
    'tool/call': (state, { data }) =>
      editCall(state, data, data.name, (call) => {
        call.state = 'called'
      }),
    'tool/settled': (state, { data }) =>
      editCall(state, data, '', (call) => {
        call.state = 'settled'
        call.outcome = data.outcome as Draft<Outcome>
      }),
    'tool/result': (state, { data }) => {
      const calls = state.calls.filter((known) => known.call.key !== data.call.key)
      return calls.length === state.calls.length ? state : { ...state, calls }
    },
  }),
}
