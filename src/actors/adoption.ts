/**
 * Takes over a turn that an earlier process left waiting for an approval: its record and its calls are made from the log.
 *
 * It records nothing and starts nothing; the charts go on from here once they are told to.
 *
 * @module
 */
import type { StoredEvent } from '../events/event.ts'
import { placeOf } from '../projections/place-of.ts'
import { byType } from '../projections/projection.ts'
import { newActivity } from './activity.ts'
import { CallBatch } from './call-batch.ts'
import type { Core } from './core.ts'
import type { ToolCall } from './tool-call.ts'
import type { TurnDesk } from './turn-desk.ts'
import { newTurn, tokensOf, type TurnRecord } from './turn-record.ts'

/** What is gathered on the way. */
interface Adopted {
  readonly turn: TurnRecord
  batch: CallBatch
  /** When questions expire, by call. */
  readonly expiries: Map<ToolCall, number>
}

/** Changes the call that `key` names: the message holds it, or the log would not have taken the event. */
function change(adopted: Adopted, key: string, apply: (call: ToolCall) => void): Adopted {
  const call = adopted.batch.calls.find(({ streamed }) => streamed.call.key === key)
  if (call !== undefined) apply(call)
  return adopted
}

/** Takes the events of the turn in order; each call of `evolve` changes what it is given. */
const take = byType<Adopted>({
  'step/start': (adopted, { data }) => {
    adopted.turn.step = data.step
    return adopted
  },
  'request/failed': (adopted, { data }) => {
    adopted.turn.tokens += tokensOf(data.usage)
    return adopted
  },
  'assistant/message': (adopted, { data }) => {
    const { turn, step, message, usage, finish } = data
    const calls = message.content.filter((block) => block.type === 'tool-call')
    adopted.turn.tokens += tokensOf(usage)
    adopted.turn.truncated ||= finish === 'max-tokens'
    adopted.batch = new CallBatch({ turn, step }, calls, false)
    return adopted
  },
  'tool/call': (adopted, { seq, data }) =>
    change(adopted, data.call.key, (call) => {
      call.seq = seq
    }),
  'approval/asked': (adopted, { data }) => {
    const { expiresAt } = data.question
    return change(adopted, data.call.key, (call) => {
      call.asked = true
      call.answer = undefined
      call.pre = { kind: 'ask' }
      if (expiresAt !== undefined) adopted.expiries.set(call, expiresAt)
    })
  },
  'approval/decided': (adopted, { data }) => {
    const { answer, by, reason = 'not approved' } = data
    return change(adopted, data.call.key, (call) => {
      call.answer = { allow: answer === 'allow', by, reason }
      adopted.expiries.delete(call)
    })
  },
  'tool/result': (adopted, { data }) =>
    change(adopted, data.call.key, (call) => {
      const { batch } = adopted
      call.outcome = data.outcome
      batch.committed += 1
      batch.next = batch.committed
    }),
})

/** Makes the open turn of the log the turn of this agent. The log must do nothing but wait for an approval. */
export function adoptTurn(core: Core, desk: TurnDesk): void {
  const events = core.log.read()
  const opened = events.findLast(
    (event): event is StoredEvent<'turn/start'> => event.type === 'turn/start',
  )
  if (opened === undefined) return
  const turn = newTurn(opened.data.turn, undefined, opened.time)
  turn.end = { kind: 'done', owes: true, truncated: false }
  const adopted = events
    .slice(opened.seq)
    .filter((event) => placeOf(event).turn === turn.turn)
    .reduce<Adopted>((state, event) => take(state, event), {
      turn,
      batch: new CallBatch({ turn: turn.turn, step: 0 }, [], false),
      expiries: new Map(),
    })
  // The fold of the log says so; whoever listens later is told of the end.
  core.status = 'running'
  core.activity = newActivity(turn.turn)
  desk.adopt(turn, adopted.batch)
  for (const [call, expiresAt] of adopted.expiries)
    desk.stepHost.calls.approvals.watch(call, expiresAt)
}
