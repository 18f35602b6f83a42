/**
 * The answer to "why is it not idle?" at any position, from few events however long the log is.
 *
 * A1 It is that of the whole prefix: what is left out before the last quiet moment, and between the first and the last
 *    chunk of an attempt, changes nothing but the order in which messages are named.
 *
 * @module
 */
import type { Finding, FindingCode } from '../../../src/inspect/account/finding.ts'
import type { Owner } from '../../../src/inspect/account/glance.ts'
import { whyNotIdle } from '../../../src/inspect/account/why-not-idle.ts'
import type { WireEvent } from '../../../src/inspect/viewer/wire.ts'
import type { Recording } from './recording.ts'
import { lastUpTo } from './search.ts'

/** Seqs of the events that an answer at this position is made from. */
export function seqsFor(recording: Recording, seen: number): number[] {
  const { telling, quiet } = recording
  const last = recording.at(seen).turns.list.last
  const from = last === null ? 0 : (quiet[lastUpTo(quiet, last.from)] ?? 0)
  const seqs = telling.slice(lastUpTo(telling, from - 1) + 1, lastUpTo(telling, seen - 1) + 1)
  // Inside a run of chunks the last one seen is not among them.
  if (seen > from && seqs.at(-1) !== seen - 1) seqs.push(seen - 1)
  return seqs
}

/** What is to be known at a position; the seqs of the findings are those of the log. */
export function answerAt(
  recording: Recording,
  seqs: readonly number[],
  now: number,
  owner: Owner | undefined,
): readonly Finding[] {
  const events = seqs.flatMap((seq, index): WireEvent[] => {
    const event = recording.events[seq]
    // Findings take the seq for the place in the list.
    return event === undefined ? [] : [{ ...event, seq: index }]
  })
  return findings(events, now, owner).map((finding) => {
    const seq = finding.seq === undefined ? undefined : seqs[finding.seq]
    return seq === undefined ? finding : { ...finding, seq }
  })
}

/** A log may come from anywhere: where no answer can be made, that is the answer. */
function findings(
  events: readonly WireEvent[],
  now: number,
  owner: Owner | undefined,
): readonly Finding[] {
  try {
    return whyNotIdle(events, now, owner)
  } catch {
    const text =
      'An event has another shape than this page knows: no answer can be made from this log.'
    return [{ code: 'owner-unknown', text, todo: 'Check the log: turnwise doctor LOG.' }]
  }
}

const FATES = new Set<FindingCode>([
  'turn-completed',
  'turn-max-tokens',
  'turn-blocked',
  'turn-aborted',
  'turn-error',
  'turn-limit',
  'turn-interrupted',
  'answer-kept',
  'message-kept',
  'message-back',
  'message-lost',
  'call-unknown',
  'call-aborted',
  'call-not-run',
])

/** Is it about what is over: how the last turn ended, and what became of what it held? */
export const isFate = ({ code }: Finding): boolean => FATES.has(code)

const LOST = new Set<FindingCode>(['message-lost', 'call-not-run'])
const UNSURE = new Set<FindingCode>(['call-unknown', 'call-aborted'])
const KEPT = new Set<FindingCode>(['answer-kept', 'message-kept', 'message-back'])

/** One word for what became of something; empty for how a turn ended. */
export function fateWord({ code }: Finding): 'lost' | 'unsure' | 'kept' | '' {
  if (LOST.has(code)) return 'lost'
  if (UNSURE.has(code)) return 'unsure'
  return KEPT.has(code) ? 'kept' : ''
}
