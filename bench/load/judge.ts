/**
 * What a load run has cost, judged from the stored logs alone, and how fair it was, judged from the order of starts.
 *
 * @module
 */
import { checkLog, loadLedger } from '../../src/events/enclosure.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import type { HostNotice } from '../../src/sessions/host/host-port.ts'
import { promptId } from './workload.ts'

/** Each fault counted; all must be 0. */
export interface Zeros {
  /** Prompts with a receipt that never entered the history, or got no answer of their own. */
  lost: number
  /** Prompts that entered it twice, or were answered twice. */
  doubled: number
  /** Prompts that stand before one that was sent earlier to the same session. */
  outOfOrder: number
  /** Rejections and exceptions that nobody caught, contained faults, and logs that break a rule. */
  unhandled: number
}

/** Counts the faults of one session. @param accepted - prompts with a receipt; they were numbered from 1. */
export function judgeLog(
  zeros: Zeros,
  session: string,
  events: readonly StoredEvent[],
  accepted: number,
): void {
  if (!isSound(events)) zeros.unhandled += 1
  const committed = events.flatMap((event) =>
    event.type === 'user/message' ? [event.data.message.id] : [],
  )
  const answers = events.flatMap((event) =>
    event.type === 'assistant/message'
      ? event.data.message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
      : [],
  )
  const expected = Array.from({ length: accepted }, (_, at) => promptId(session, at + 1))
  for (const id of expected) {
    const seen = committed.filter((other) => other === id).length
    const answered = answers.filter((text) => text === `re: ${id}`).length
    if (seen === 0 || answered === 0) zeros.lost += 1
    if (seen > 1 || answered > 1) zeros.doubled += 1
  }
  const numbers = committed.map((id) => expected.indexOf(id))
  zeros.outOfOrder += numbers.filter(
    (number, at) => at > 0 && number < (numbers[at - 1] ?? 0),
  ).length
}

function isSound(events: readonly StoredEvent[]): boolean {
  try {
    checkLog(events)
    return loadLedger(events).openTurn === null
  } catch {
    return false
  }
}

/** Watches who is served while others wait. */
export class FairnessWatch {
  /** The most often that a waiting tenant saw another one being served before it was its turn; 1 is fair. */
  passedOver = 0
  /** Turns that had to wait. */
  waits = 0
  private readonly waiting = new Map<string, { count: number; passedBy: Map<string, number> }>()
  private readonly sessions = new Set<string>()

  readonly hear = (notice: HostNotice): void => {
    if (notice.type === 'waiting') this.wait(notice.id, notice.tenant)
    if (notice.type === 'started') this.start(notice.id, notice.tenant)
  }

  private wait(session: string, tenant: string): void {
    this.waits += 1
    this.sessions.add(session)
    const line = this.waiting.get(tenant)
    if (line === undefined) this.waiting.set(tenant, { count: 1, passedBy: new Map() })
    else line.count += 1
  }

  private start(session: string, served: string): void {
    if (this.sessions.delete(session)) this.serve(served)
    for (const [tenant, { passedBy }] of this.waiting) {
      if (tenant === served) continue
      const times = (passedBy.get(served) ?? 0) + 1
      passedBy.set(served, times)
      this.passedOver = Math.max(this.passedOver, times)
    }
  }

  private serve(tenant: string): void {
    const line = this.waiting.get(tenant)
    if (line === undefined) return
    line.count -= 1
    line.passedBy.clear()
    if (line.count === 0) this.waiting.delete(tenant)
  }
}
