/**
 * What the log of an agent, and what waits outside of it, say of where it stands.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import { approvals, type OpenQuestion } from '../../projections/approvals.ts'
import { inbox } from '../../projections/inbox.ts'
import { byType, fold, type Projection } from '../../projections/projection.ts'
import type { Counts } from './remembered.ts'
import type { Stage } from './stage.ts'

/**
 * What goes on, as far as everybody can tell: nothing, a turn or a maintenance task, neither aborted nor disposed; the
 * same aborted; the same disposed; or the agent is gone.
 */
export type Phase =
  | 'idle'
  | 'turn'
  | 'turn aborted'
  | 'turn disposing'
  | 'task'
  | 'task aborted'
  | 'task disposing'
  | 'disposed'

/** A call of the open step whose outcome is not known yet. */
export interface PendingCall {
  readonly key: string
  readonly tool: string
}

/** What a log tells of the open turn. */
export interface OpenTurn {
  readonly turn: boolean
  /** A step is open. */
  readonly step: boolean
  /** A step was opened in this turn. */
  readonly stepped: boolean
  /** The request of the open step: not answered yet, streaming, failed, answered. */
  readonly stream: 'asked' | 'begun' | 'failed' | 'answered'
  /** Failed attempts of the open step. */
  readonly failures: number
  /** Results, input or a decision lead into another step. */
  readonly owes: boolean
  readonly aborted: boolean
  readonly calls: readonly PendingCall[]
}

const CLOSED: OpenTurn = {
  turn: false,
  step: false,
  stepped: false,
  stream: 'asked',
  failures: 0,
  owes: true,
  aborted: false,
  calls: [],
}

const without = ({ calls }: OpenTurn, key: string): readonly PendingCall[] =>
  calls.filter((call) => call.key !== key)

const openTurn: Projection<OpenTurn> = {
  name: 'open turn',
  initial: CLOSED,
  evolve: byType<OpenTurn>({
    'turn/start': () => ({ ...CLOSED, turn: true }),
    'turn/end': () => CLOSED,
    'inbox/claimed': (state) => ({ ...state, owes: true }),
    'step/start': ({ aborted }) => ({
      ...CLOSED,
      turn: true,
      step: true,
      stepped: true,
      owes: false,
      aborted,
    }),
    'step/end': (state) => ({ ...state, step: false }),
    'assistant/chunk': (state) => ({ ...state, stream: 'begun' }),
    'request/failed': (state) => ({ ...state, stream: 'failed', failures: state.failures + 1 }),
    'assistant/message': (state, { data: { message } }) => {
      const calls = message.content
        .filter((block) => block.type === 'tool-call')
        .map(({ call, name }) => ({ key: call.key, tool: name }))
      return { ...state, stream: 'answered', owes: calls.length > 0, calls }
    },
    'tool/settled': (state, { data }) => ({ ...state, calls: without(state, data.call.key) }),
    'tool/result': (state, { data: { call, outcome } }) => ({
      ...state,
      calls: without(state, call.key),
      owes: state.owes && !(outcome.kind === 'ok' && outcome.concludes === true),
    }),
    'gate/decided': (state, { data }) => ({ ...state, owes: data.decision === 'continue' }),
    'cancel/requested': (state, { data }) =>
      data.turn === null ? state : { ...state, aborted: true },
  }),
}

/** Where an agent stands. */
export interface Facts extends OpenTurn {
  readonly phase: Phase
  readonly log: readonly StoredEvent[]
  /** Questions about calls that nobody has answered. */
  readonly questions: readonly OpenQuestion[]
  /** Names of what waits for a move; see `Stage.hold`. */
  readonly waits: readonly string[]
}

/** Do all of these wait for a move? */
export const waitsFor =
  (...names: readonly string[]) =>
  ({ waits }: Facts): boolean =>
    names.every((name) => waits.includes(name))

function phaseOf({ turn, aborted }: OpenTurn, stage: Stage): Phase {
  const { agent, disposing, taskStopped } = stage
  if (agent.status === 'disposed') return 'disposed'
  if (turn) return disposing ? 'turn disposing' : aborted ? 'turn aborted' : 'turn'
  if (agent.activity !== 'maintenance') return 'idle'
  return disposing ? 'task disposing' : taskStopped ? 'task aborted' : 'task'
}

/** What can be seen of the agent on `stage`. */
export function factsOf(stage: Stage): Facts {
  const log = stage.agent.log.read()
  const open = fold(openTurn, log)
  const { open: questions } = fold(approvals, log)
  return { ...open, phase: phaseOf(open, stage), log, questions, waits: stage.waits }
}

/** What pends according to the log, and whether what wakes is parked. */
export function pendingOf(events: readonly StoredEvent[]): { pending: Counts; held: boolean } {
  const { nextTurn, nextStep, parked } = fold(inbox, events)
  const waking = [...nextTurn, ...nextStep].filter(({ wake }) => wake)
  return {
    pending: {
      prompts: nextTurn.length,
      steers: nextStep.filter(({ wake }) => wake).length,
      notes: nextStep.filter(({ wake }) => !wake).length,
    },
    held: parked !== null && waking.some(({ message }) => parked.ids.includes(message.id)),
  }
}
