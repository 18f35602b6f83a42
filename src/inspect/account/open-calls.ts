/**
 * What a call without an outcome is waiting for.
 *
 * It runs in a browser too.
 *
 * @module
 */
import type { OpenQuestion } from '../../projections/approvals.ts'
import type { OpenWorkCall } from '../../projections/open-work.ts'
import { counted, type Finding, one, quoted, since, timeOf } from './finding.ts'
import type { Glance } from './glance.ts'

/** What one call of the open step waits for. */
export function callFinding(glance: Glance, open: OpenWorkCall): Finding {
  const { call, state } = open
  const where = whereOf(glance, open)
  const asked = glance.questions.open.find((question) => question.call.key === call.key)
  if (asked !== undefined) return askedFinding(glance, asked, where)
  if (state === 'called') return runningFinding(glance, open, where)
  const [code, text] =
    state === 'settled'
      ? (['tool-settled', 'has settled; its result waits for the calls before it'] as const)
      : (['tool-waiting', 'has not started'] as const)
  return { code, text: `${where} ${text}.`, ids: [call.key] }
}

const whereOf = ({ standing }: Glance, { call, name }: OpenWorkCall): string =>
  `Tool ${quoted(name)} (call ${quoted(call.providerId)}) of step ${standing.open.turn}.${standing.open.step}`

function askedFinding({ standing, now }: Glance, asked: OpenQuestion, where: string): Finding {
  const { key, index } = asked.call
  const behind = standing.open.calls.filter(({ call }) => call.index > index).length
  const more =
    behind === 0 ? '' : ` ${counted(behind, 'call')} behind it ${one(behind, 'waits', 'wait')} too.`
  return {
    code: 'approval-waiting',
    text: `${where} has been waiting for an approval ${since(asked.askedAt, now)}.${more}`,
    todo: `Approve or deny it: agent.approve(${JSON.stringify(key)}, 'allow' or 'deny'), or here if the viewer was opened with control. A cancel closes the question.`,
    seq: asked.seq,
    ids: [key],
  }
}

function runningFinding(
  { events, now, owner }: Glance,
  { call }: OpenWorkCall,
  where: string,
): Finding {
  const called = events.findLast(
    (event) => event.type === 'tool/call' && event.data.call.key === call.key,
  )
  const from = called?.time ?? now
  const ended = owner === 'gone' || owner === 'none'
  return {
    code: 'tool-running',
    text: ended
      ? `${where} was called at ${timeOf(from)} and has no outcome: it was running when its process ended.`
      : `${where} has been running ${since(from, now)}.`,
    todo: ended
      ? 'Check what it did before it is repeated.'
      : 'Wait for it, or cancel: after the drain grace (10 s unless set otherwise) the call is answered OUTCOME_UNKNOWN and the turn closes.',
    ...(called !== undefined && { seq: called.seq }),
    ids: [call.key],
  }
}
