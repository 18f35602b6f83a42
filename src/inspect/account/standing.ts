/**
 * Where agent, turn and step stand, as far as the log alone can tell.
 *
 * S1 A state is told by the event that it records. What may have followed in silence is named beside it, never left out.
 * S2 What lives only in the process (maintenance, disposal) leaves no event: {@link UNTOLD} names it.
 *
 * It runs in a browser too.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import { type ApprovalsState, approvals } from '../../projections/approvals.ts'
import { hasWakingWork, inbox, type InboxState } from '../../projections/inbox.ts'
import { openWork, type OpenWork } from '../../projections/open-work.ts'
import { byType, fold, type Projection, type Reducers } from '../../projections/projection.ts'
import { AGENT, STEP, type States, TURN, waitsOf } from './places.ts'

/** Where one chart stands. */
export interface ChartStanding {
  /** States it may be in; the first one recorded the last event that tells. Empty: the chart does not run. */
  readonly states: States
  /** Those of them in which it can still be found after some time. */
  readonly waits: States
}

/** Where the three charts stand. */
export interface Standing {
  readonly agent: ChartStanding
  readonly turn: ChartStanding
  readonly step: ChartStanding
  /** The open turn was cancelled. */
  readonly aborted: boolean
  readonly open: OpenWork
}

export interface StandingState {
  readonly work: OpenWork
  readonly inbox: InboxState
  readonly questions: ApprovalsState
  readonly agent: States
  readonly turn: States
  readonly step: States
  readonly aborted: boolean
  /** The step chart has run a step since the session was opened. */
  readonly stepped: boolean
}

type Places = Pick<StandingState, 'agent' | 'turn' | 'step'>

const at = (places: Partial<Places>) => (state: StandingState) => ({ ...state, ...places })

/** States that an abort may lead to, by states in which it found the step. */
const ABORTED: readonly (readonly [found: string, states: States])[] = [
  ['streaming', ['cutting', 'finalising']],
  ['recovering', ['conceding']],
  ['transforming', ['discarding', 'finalising']],
  ['committing', ['draining.waiting', 'draining.accounting']],
  ['calling.running', ['draining.waiting', 'draining.accounting']],
  ['answering', ['draining.waiting']],
  ['opening', ['converging']],
  ['heading', ['converging']],
  ['noting', ['converging']],
]

function onCancel(state: StandingState, { data }: StoredEvent<'cancel/requested'>): StandingState {
  const { turn, step, work } = state
  if (data.turn === null || data.turn !== work.turn || state.aborted) return state
  if (work.step === null) return { ...state, aborted: true, turn: [...turn, 'open.converging'] }
  const more = ABORTED.flatMap(([found, states]) => (step.includes(found) ? states : []))
  return { ...state, aborted: true, step: [...new Set([...step, ...more])] }
}

function onMessage(
  state: StandingState,
  { data }: StoredEvent<'assistant/message'>,
): StandingState {
  return { ...state, step: data.interrupted === true ? STEP.finalising : STEP.committing }
}

function onResult(state: StandingState, { data }: StoredEvent<'tool/result'>): StandingState {
  const { outcome } = data
  if (outcome.kind === 'error' && outcome.code === 'ARGUMENTS_CUT')
    return { ...state, step: STEP.cut }
  return { ...state, step: state.aborted ? STEP.drained : STEP.recording }
}

/** After the end of a turn the agent rests, unless something that waits asks for work. */
const afterTurn = (state: StandingState): States =>
  hasWakingWork(state.inbox) ? AGENT.goesOn : AGENT.rests

function onInserted(state: StandingState, { data }: StoredEvent<'inbox/inserted'>): StandingState {
  if (state.work.turn !== null) return state
  const turn = data.mark === 'restored' ? TURN.restoring : state.turn
  if (state.agent === AGENT.idle || state.agent === AGENT.woken)
    return { ...state, turn, agent: hasWakingWork(state.inbox) ? AGENT.woken : AGENT.idle }
  return { ...state, turn, agent: afterTurn(state) }
}

const onOpened = (state: StandingState): StandingState => ({
  ...state,
  agent: hasWakingWork(state.inbox) ? AGENT.woken : AGENT.idle,
  turn: TURN.none,
  step: STEP.none,
  stepped: false,
})

const REDUCERS: Reducers<StandingState> = {
  'session/opened': onOpened,
  'inbox/inserted': onInserted,
  'turn/start': (state) => ({
    ...state,
    aborted: false,
    agent: AGENT.turning,
    turn: TURN.opening,
    step: state.stepped ? STEP.closing.slice(1) : STEP.unopened,
  }),
  'inbox/claimed': at({ turn: TURN.claiming }),
  'context/message': at({ turn: TURN.injecting }),
  'step/start': (state) => ({ ...state, turn: TURN.stepping, step: STEP.opening, stepped: true }),
  'request/header': at({ step: STEP.heading }),
  'request/context': at({ step: STEP.heading }),
  'assistant/chunk': (state, { data }) => {
    const step = data.chunk.kind === 'finish' ? STEP.streamed : STEP.streaming
    return state.step === step ? state : { ...state, step }
  },
  'request/failed': (state, { data }) => ({
    ...state,
    step: data.action === 'retry' ? STEP.retried : STEP.failed,
  }),
  'assistant/message': onMessage,
  'tool/call': (state) => ({ ...state, step: state.aborted ? STEP.drained : STEP.announcing }),
  'approval/asked': at({ step: STEP.questioning }),
  'approval/decided': (state) => ({
    ...state,
    step: state.aborted ? STEP.drained : STEP.answered,
  }),
  'tool/result': onResult,
  'step/end': (state) => ({
    ...state,
    turn: state.aborted ? TURN.converging : TURN.stepped,
    step: STEP.closing,
  }),
  'gate/decided': at({ turn: TURN.decided }),
  'turn/end': (state) => ({ ...state, agent: afterTurn(state), turn: TURN.closing }),
  'cancel/requested': onCancel,
  'compaction/start': (state, { data }) =>
    data.turn === null ? { ...state, agent: AGENT.maintains } : state,
  'compaction/end': (state, { data }) =>
    data.turn === null ? { ...state, agent: AGENT.idle } : state,
}

const place = byType(REDUCERS)

function evolve(state: StandingState, event: StoredEvent): StandingState {
  const work = openWork.evolve(state.work, event)
  const pending = inbox.evolve(state.inbox, event)
  const questions = approvals.evolve(state.questions, event)
  const same = work === state.work && pending === state.inbox && questions === state.questions
  // What a cancel hit is what was open before it.
  const next = place(same ? state : { ...state, inbox: pending, questions }, event)
  return same && next === state ? state : { ...next, work }
}

/** Where the charts stand, as a fold of the log. */
export const standing: Projection<StandingState> = {
  name: 'standing',
  initial: {
    work: openWork.initial,
    inbox: inbox.initial,
    questions: approvals.initial,
    agent: AGENT.idle,
    turn: TURN.none,
    step: STEP.none,
    aborted: false,
    stepped: false,
  },
  evolve,
}

const chart = (states: States): ChartStanding => ({ states, waits: waitsOf(states) })

/** The view of that state. */
export const standingView = (state: StandingState): Standing => ({
  agent: chart(state.agent),
  turn: chart(state.turn),
  step: narrowed(state),
  aborted: state.aborted && state.work.turn !== null,
  open: state.work,
})

/** A question that is closed is waited for no more. */
function narrowed({ step, questions }: StandingState): ChartStanding {
  const { states, waits } = chart(step)
  if (questions.open.length > 0) return { states, waits }
  const others = waits.filter((state) => state !== 'calling.approving')
  return { states, waits: others.length === 0 ? waits : others }
}

/** Where the charts stand behind the last of `events`. */
export function standingOf(events: readonly StoredEvent[]): Standing {
  const opened = events.findLastIndex(({ type }) => type === 'turn/start')
  return standingView(fold(standing, events.slice(Math.max(opened, 0)), before(events, opened)))
}

/** All that a turn finds when it opens: of a long log the rest need not be folded. */
function before(events: readonly StoredEvent[], opened: number): StandingState {
  if (opened <= 0) return standing.initial
  const past = events.slice(0, opened)
  const last = past.findLast(({ type }) => type === 'step/start' || type === 'session/opened')
  return {
    ...standing.initial,
    inbox: fold(inbox, past),
    questions: fold(approvals, past),
    stepped: last?.type === 'step/start',
  }
}
