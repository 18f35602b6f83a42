/**
 * Writes logs by the verbs of a user: followup, steer, inject, cancel, and turns by hand.
 *
 * @module
 */
import type { EventMap, InboxList, InsertionMark } from '../../src/events/event.ts'
import type { TurnReason } from '../../src/events/message.ts'
import { LogWriter, textMessage } from './log-writer.ts'

/** Turn ends by their kind. */
export const REASONS = {
  completed: { kind: 'completed' },
  'max-tokens': { kind: 'max-tokens' },
  blocked: { kind: 'blocked', by: 'gate', reason: 'no' },
  aborted: { kind: 'aborted', cause: { kind: 'user' } },
  error: { kind: 'error', code: 'SERVER', message: 'boom' },
  limit: { kind: 'limit', which: 'steps', used: 1, allowed: 1 },
  interrupted: { kind: 'interrupted' },
} satisfies Record<TurnReason['kind'], TurnReason>

export class LogScript extends LogWriter {
  /** Inserts at the end of a list, or at `index`. */
  send(list: InboxList, id: string, wake = true, mark?: InsertionMark, index?: number): void {
    const at = index ?? this.lists[list].length
    this.insert(list, at, textMessage(id), mark === undefined ? { wake } : { wake, mark })
  }

  followup(id: string): void {
    this.send('next-turn', id)
  }

  steer(id: string): void {
    this.send('next-step', id)
  }

  inject(id: string): void {
    const at = this.lists['next-step'].length
    this.insert('next-step', at, textMessage(id, 'plugin'), { wake: false })
  }

  cancel(options: Partial<EventMap['cancel/requested']> = {}): void {
    this.put('cancel/requested', {
      cause: { kind: 'user' },
      actor: 'user',
      keepInbox: false,
      resume: false,
      turn: this.ledger.openTurn,
      discarded: [],
      ...options,
    })
  }

  start(): number {
    const turn = this.ledger.lastTurn + 1
    this.put('turn/start', { turn })
    return turn
  }

  /** Ends the open turn; what it claimed and did not commit is named. */
  end(kind: TurnReason['kind'], rest: Partial<EventMap['turn/end']> = {}): void {
    const uncommitted = [...(this.ledger.turn?.claimed ?? [])]
    this.put('turn/end', {
      turn: this.ledger.lastTurn,
      reason: REASONS[kind],
      uncommitted,
      ...rest,
    })
  }

  /** Opens a step with a batch. */
  step(...batch: string[]): { turn: number; step: number } {
    const at = { turn: this.ledger.lastTurn, step: this.ledger.lastStep + 1 }
    this.put('step/start', at)
    for (const id of batch) this.put('user/message', { ...at, message: textMessage(id) })
    return at
  }

  /** A followup that becomes a turn of one step. */
  turn(id: string, text: string): void {
    this.followup(id)
    this.claim(this.start(), [id])
    const at = this.step(id)
    this.put('assistant/message', {
      ...at,
      message: { role: 'assistant', content: [{ type: 'text', text }] },
    })
    this.put('step/end', at)
    this.end('completed')
  }
}
