/**
 * What an open turn is waiting for.
 *
 * It runs in a browser too.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import { type Finding, lasting, quoted, since, timeOf } from './finding.ts'
import type { Glance } from './glance.ts'
import { callFinding } from './open-calls.ts'

/** What is open; empty where no turn is. */
export function openFindings(glance: Glance): Finding[] {
  const { turn } = glance.standing.open
  if (turn === null) return []
  return [
    turnFinding(glance, turn),
    ...cancelFinding(glance, turn),
    ...ownerFinding(glance, turn),
    ...workFindings(glance),
  ]
}

function turnFinding({ turn: record, now }: Glance, turn: number): Finding {
  const started = record?.startedAt ?? now
  return {
    code: 'turn-open',
    text: `Turn ${turn} has been open ${since(started, now)}.`,
    ...(record !== undefined && { seq: record.from }),
  }
}

function cancelFinding({ cancel, standing, now }: Glance, turn: number): Finding[] {
  if (!standing.aborted || cancel === undefined) return []
  return [
    {
      code: 'cancelling',
      text: `Turn ${turn} was cancelled (${cancel.data.cause.kind}) ${lasting(now - cancel.time)} ago and is not closed yet: what had started drains.`,
      todo: 'Wait: the drain grace (10 s unless set otherwise) ends it, whatever is open then is answered as unknown.',
      seq: cancel.seq,
    },
  ]
}

const CLOSE =
  'Resume the session (turnwise resume), or run turnwise doctor --repair: the turn is closed as interrupted, calls get an honest outcome, nothing is run again.'

function ownerFinding({ owner }: Glance, turn: number): Finding[] {
  if (owner === 'alive') return []
  if (owner === undefined) {
    return [
      {
        code: 'owner-unknown',
        text: `Whether the process of turn ${turn} still runs, the log cannot tell. If it is gone, the turn stays open until it is repaired.`,
        todo: `If it is gone: ${CLOSE.charAt(0).toLowerCase()}${CLOSE.slice(1)}`,
      },
    ]
  }
  return [
    {
      code: 'owner-gone',
      text: `No process has this log open: turn ${turn} stays open, and nothing of it goes on by itself.`,
      todo: CLOSE,
    },
  ]
}

function workFindings(glance: Glance): Finding[] {
  const { step, calls } = glance.standing.open
  if (step === null) return [outsideStep(glance)]
  return calls.length > 0 ? calls.map((call) => callFinding(glance, call)) : [modelFinding(glance)]
}

function outsideStep({ events, standing, now }: Glance): Finding {
  const { turn } = standing.open
  const last = events.findLast(({ type }) => type !== 'inbox/inserted')
  const ago =
    last === undefined
      ? ''
      : ` It stands there since ${timeOf(last.time)}, for ${lasting(now - last.time)}.`
  const stepped = events.findLast(({ type }) => type === 'turn/start' || type === 'step/end')
  if (stepped?.type === 'step/end') {
    return {
      code: 'between-steps',
      text: `A step of turn ${turn} has ended and no other has begun: continuation, turnStopping or preStep decides, or the system prompt is assembled.${ago}`,
      todo: 'Look at what these gates wait for; a cancel ends the turn at once.',
      seq: stepped.seq,
    }
  }
  return {
    code: 'before-step',
    text: `Turn ${turn} has not begun a step: its input is claimed, the system prompt is assembled, or preStep decides.${ago}`,
    todo: 'Look at what preStep and the system prompt wait for; a cancel ends the turn at once.',
    ...(last !== undefined && { seq: last.seq }),
  }
}

/** The last event of the open step that is about its request. */
const REQUEST: ReadonlySet<string> = new Set([
  'step/start',
  'user/message',
  'request/header',
  'request/context',
  'request/failed',
  'assistant/chunk',
  'assistant/message',
])

function modelFinding({ events, standing, now }: Glance): Finding {
  const { turn, step, attempt } = standing.open
  const last = events.findLast(({ type }) => REQUEST.has(type))
  const where = `step ${turn}.${step}`
  if (last?.type === 'request/failed') return failedFinding(last, where)
  if (last?.type === 'assistant/message' || last === undefined)
    return { code: 'closing', text: `The answer of ${where} is recorded; the step is closing.` }
  if (attempt !== null) {
    return {
      code: 'model-streaming',
      text: `Attempt ${attempt} of ${where} is streaming; its last chunk came ${lasting(now - last.time)} ago.`,
      todo: 'Wait: silence fails an attempt (after 5 min unless set otherwise). A cancel keeps what was streamed.',
      seq: last.seq,
    }
  }
  return {
    code: 'model-silent',
    text: `No chunk of ${where} has come ${since(last.time, now)}: the request is composed, or the model has not answered.`,
    todo: 'Wait: silence fails an attempt (after 5 min unless set otherwise). Or cancel.',
    seq: last.seq,
  }
}

function failedFinding({ seq, time, data }: StoredEvent<'request/failed'>, where: string): Finding {
  const { attempt, failure, action, delayMs } = data
  const failed = `Attempt ${attempt} of ${where} failed (${quoted(`${failure.code}: ${failure.message}`)})`
  return action === 'retry'
    ? {
        code: 'backing-off',
        text: `${failed}; the next one may start at ${timeOf(time + delayMs)}.`,
        seq,
      }
    : { code: 'closing', text: `${failed} and is not repeated; the step is closing.`, seq }
}
