/**
 * The answer to "why is it not idle?", and where nothing is at work: why not, what was lost, what was kept, what to do.
 *
 * It runs in a browser too. It reads the log and nothing else: what a log cannot say it names as such.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import type { Finding } from './finding.ts'
import { glanceAt, type Owner } from './glance.ts'
import { openFindings } from './open-findings.ts'
import { pastFindings } from './past-findings.ts'
import { pendingFindings } from './pending-findings.ts'

/**
 * What is open, what waits, and how the last turn ended; most pressing first.
 *
 * @param events - a whole log, or its beginning up to some position.
 * @param nowMs - ms since the epoch; default: the time of the last event.
 * @param owner - who has the log open, if somebody looked.
 */
export function whyNotIdle(
  events: readonly StoredEvent[],
  nowMs?: number,
  owner?: Owner,
): readonly Finding[] {
  const glance = glanceAt(events, nowMs, owner)
  const { turn } = glance.standing.open
  const open = openFindings(glance)
  const pending = pendingFindings(glance.inbox, turn, events)
  const works = turn !== null || pending.some(({ code }) => code === 'pending-waking')
  const rest: Finding[] = works ? [] : [restFinding(pending)]
  return [...open, ...rest, ...pending, ...pastFindings(glance)]
}

/** Nothing is at work. */
const restFinding = (pending: readonly Finding[]): Finding => ({
  code: 'idle',
  text:
    pending.length === 0
      ? 'Nothing runs and nothing is pending: it is idle until the next message.'
      : 'Nothing runs: it is idle, and what is pending does not start by itself.',
})
