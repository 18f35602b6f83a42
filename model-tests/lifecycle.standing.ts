/**
 * Where an agent stands, read from its log, and from the few facts that no log holds.
 *
 * @module
 */
import type { AgentStatus } from '../src/actors/agent-handle.ts'
import type { StoredEvent } from '../src/events/event.ts'
import type { MessageId } from '../src/events/message.ts'
import { inbox } from '../src/projections/inbox.ts'
import { byType, fold, type Projection } from '../src/projections/projection.ts'
import type { Counts } from './lifecycle.words.ts'

/** What a log tells of the present turn. */
interface Open {
  readonly turn: boolean
  readonly step: boolean
  readonly stepped: boolean
  /** The request of the open step: not answered yet, half streamed, waiting for another attempt. */
  readonly stream: 'asked' | 'half' | 'failed' | 'answered'
  /** Results or input lead into another step. */
  readonly owes: boolean
  readonly aborted: boolean
}

const CLOSED: Open = {
  turn: false,
  step: false,
  stepped: false,
  stream: 'asked',
  owes: true,
  aborted: false,
}

const open: Projection<Open> = {
  name: 'open turn',
  initial: CLOSED,
  evolve: byType<Open>({
    'turn/start': () => ({ ...CLOSED, turn: true }),
    'turn/end': () => CLOSED,
    'inbox/claimed': (state) => ({ ...state, owes: true }),
    'step/start': (state) => ({
      ...state,
      step: true,
      stepped: true,
      stream: 'asked',
      owes: false,
    }),
    'step/end': (state) => ({ ...state, step: false }),
    'assistant/chunk': (state) => ({ ...state, stream: 'half' }),
    'request/failed': (state) => ({ ...state, stream: 'failed' }),
    'assistant/message': (state, { data }) => ({
      ...state,
      stream: 'answered',
      owes: data.message.content.some(({ type }) => type === 'tool-call'),
    }),
    'tool/result': (state, { data: { outcome } }) =>
      outcome.kind === 'ok' && outcome.concludes === true ? { ...state, owes: false } : state,
    'cancel/requested': (state, { data }) =>
      data.turn === null ? state : { ...state, aborted: true },
  }),
}

/** What only the living agent tells. */
export interface Living {
  readonly status: AgentStatus
  readonly maintains: boolean
  readonly disposing: boolean
  /** Its maintenance task was told to stop. */
  readonly stopped: boolean
  /** What is waited for outside. That a gate or a model is asked again is written down with the answer only. */
  readonly waits: string
}

const IN_STEP = {
  answered: 'tooling',
  half: 'hanging',
  failed: 'backing off',
  asked: 'streaming',
} as const

function running({ step, stream, owes, stepped }: Open, waits: string): string {
  if (step) return waits === 'model' ? 'streaming' : IN_STEP[stream]
  if (!owes) return 'stopping'
  if (stepped) return 'gated again'
  return waits === 'preStep' ? 'gated' : 'opening'
}

/** What a running state becomes when the turn is aborted. */
const ABORTED: Readonly<Record<string, string>> = { tooling: 'draining', hanging: 'cutting' }

const DISPOSING: Readonly<Record<string, string>> = {
  cutting: 'disposing a stream',
  draining: 'disposing a tool',
  'maintenance aborted': 'disposing a task',
  converging: 'disposing',
}

function awake(state: Open, { maintains, stopped, waits }: Living): string {
  if (!state.turn) return maintains ? (stopped ? 'maintenance aborted' : 'maintaining') : 'idle'
  const at = running(state, waits)
  return state.aborted ? (ABORTED[at] ?? 'converging') : at
}

/** The state of the lifecycle model in which the log leaves the agent. */
export function standing(events: readonly StoredEvent[], living: Living): string {
  if (living.status === 'disposed') return 'disposed'
  const at = awake(fold(open, events), living)
  return living.disposing ? (DISPOSING[at] ?? `disposing in ${at}`) : at
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

/** Ids that did not end in exactly one way: committed, discarded, named as uncommitted, or still pending. */
export function lostOrTwice(events: readonly StoredEvent[]): string[] {
  const ends = new Map<MessageId, string[]>()
  const end = (ids: readonly MessageId[], how: string): void => {
    for (const id of ids) ends.get(id)?.push(how)
  }
  for (const event of events) {
    if (event.type === 'inbox/inserted') ends.set(event.data.message.id, [])
    else if (event.type === 'user/message') end([event.data.message.id], 'committed')
    else if (event.type === 'inbox/discarded') end(event.data.ids, 'discarded')
    else if (event.type === 'turn/end') end(event.data.uncommitted, 'uncommitted')
  }
  const { nextTurn, nextStep } = fold(inbox, events)
  end(
    [...nextTurn, ...nextStep].map(({ message }) => message.id),
    'pending',
  )
  return [...ends]
    .filter(([, how]) => how.length !== 1)
    .map(([id, how]) => `${id}: ${how.join(', ') || 'lost'}`)
}
