/**
 * What is said of messages beside their fate: by cancels, and by marks.
 *
 * - `cancel-names`: a cancel names as discarded what a discard took away.
 * - `known-mark`: only what a turn has named as uncommitted comes back as restored or recovered.
 * - `recovered-wake`: a recovered message does not wake.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import type { MessageId } from '../../events/message.ts'
import type { Report, Watch } from './violation.ts'

export class FateWatch implements Watch {
  private readonly report: Report
  private readonly discarded = new Set<MessageId>()
  private readonly uncommitted = new Set<MessageId>()

  constructor(report: Report) {
    this.report = report
  }

  take(event: StoredEvent): void {
    if (event.type === 'inbox/discarded') for (const id of event.data.ids) this.discarded.add(id)
    else if (event.type === 'turn/end')
      for (const id of event.data.uncommitted) this.uncommitted.add(id)
    else if (event.type === 'inbox/inserted') this.inserted(event)
    else if (event.type === 'cancel/requested') this.canceled(event)
  }

  private inserted(event: StoredEvent<'inbox/inserted'>): void {
    const { message, mark, wake } = event.data
    this.discarded.delete(message.id)
    if (mark !== undefined && !this.uncommitted.has(message.id)) {
      this.wrong(
        event,
        'known-mark',
        `${message.id} is marked ${mark}, but no turn end has named it`,
      )
    } else if (mark === 'recovered' && wake) {
      this.wrong(event, 'recovered-wake', `${message.id} was recovered and wakes`)
    }
    this.uncommitted.delete(message.id)
  }

  private canceled(event: StoredEvent<'cancel/requested'>): void {
    const unknown = event.data.discarded.filter((id) => !this.discarded.has(id))
    if (unknown.length === 0) return
    const names = unknown.join(', ')
    this.wrong(event, 'cancel-names', `names ${names} as discarded, but nothing has discarded it`)
  }

  private wrong({ seq }: StoredEvent, rule: string, message: string): void {
    this.report({ invariant: 'I-ONCE', rule, seq, message })
  }
}
