/**
 * What a recorded cancel does to its turn, and what may be open when a turn ends.
 *
 * - `first-cause`: one cancel at most hits a turn.
 * - `cancel-wins`: a turn that a cancel has hit ends aborted with its cause, or not by itself.
 * - `after-cancel`: nothing new is begun for a turn that was cancelled: no claim, step, request, chunk, question, decision.
 * - `compaction-ends`: a compaction of a turn ends before the turn does, unless the turn was interrupted.
 *
 * @module
 */
import { isDeepStrictEqual } from 'node:util'
import type { EventMap, StoredEvent } from '../../events/event.ts'
import type { Cause, TurnReason } from '../../events/message.ts'
import { placeOf } from '../../projections/place-of.ts'
import type { Report, Watch } from './violation.ts'

/** What begins something. */
const BEGINS: ReadonlySet<string> = new Set([
  'approval/asked',
  'assistant/chunk',
  'context/message',
  'gate/decided',
  'inbox/claimed',
  'request/context',
  'request/header',
  'step/start',
])

/** Does it begin something, rather than end what was begun? */
function begins(event: StoredEvent): boolean {
  if (event.type === 'assistant/message') return event.data.interrupted !== true
  if (event.type === 'request/failed') return event.data.action !== 'fail'
  if (event.type === 'approval/decided') return event.data.answer !== 'cancelled'
  return BEGINS.has(event.type)
}

export class AuthorityWatch implements Watch {
  private readonly report: Report
  /** The cancel that has hit the open turn. */
  private hit: EventMap['cancel/requested'] | undefined
  private compacting: number | null | undefined

  constructor(report: Report) {
    this.report = report
  }

  take(event: StoredEvent): void {
    this.begun(event)
    if (event.type === 'turn/start') this.hit = undefined
    else if (event.type === 'cancel/requested') this.canceled(event)
    else if (event.type === 'turn/end') this.ended(event)
    else if (event.type === 'compaction/start') this.compacting = event.data.turn
    else if (event.type === 'compaction/end') this.compacting = undefined
  }

  private begun(event: StoredEvent): void {
    const { turn } = placeOf(event)
    if (this.hit === undefined || turn !== this.hit.turn || !begins(event)) return
    const message = `${event.type} of turn ${turn} after the turn was cancelled`
    this.report({ invariant: 'I-AUTH', rule: 'after-cancel', seq: event.seq, message })
  }

  private canceled(event: StoredEvent<'cancel/requested'>): void {
    const { turn } = event.data
    if (turn === null) return
    if (this.hit?.turn === turn) {
      const message = `turn ${turn} was hit by a cancel before`
      this.report({ invariant: 'I-AUTH', rule: 'first-cause', seq: event.seq, message })
    } else this.hit = event.data
  }

  private ended(event: StoredEvent<'turn/end'>): void {
    const { turn, reason } = event.data
    const { hit } = this
    if (hit?.turn === turn && !obeys(reason, hit.cause)) {
      const message = `turn ${turn} was cancelled by ${hit.cause.kind}, but it ended ${reason.kind}`
      this.report({ invariant: 'I-AUTH', rule: 'cancel-wins', seq: event.seq, message })
    }
    if (this.compacting === turn && reason.kind !== 'interrupted') {
      const message = `turn ${turn} ended before its compaction did`
      this.report({ invariant: 'I-BRACKET', rule: 'compaction-ends', seq: event.seq, message })
    }
  }
}

/** A turn that could not be closed as it should have been says so. */
const obeys = (reason: TurnReason, cause: Cause): boolean =>
  reason.kind === 'interrupted' ||
  reason.kind === 'error' ||
  (reason.kind === 'aborted' && isDeepStrictEqual(reason.cause, cause))
