/**
 * The interval of one run as its client sees it: from the insertion of its message to quiescence.
 *
 * I1 It listens before the message is sent: the insertion may come before the receipt that names it.
 * I2 Descendants are shown to the observer and are no part of the result; their idle ends nothing.
 * I3 An idle that is followed by more in the same breath, as where a listener of it sends something, is no rest.
 * I4 Nothing of the result is attributed to the message.
 *
 * @module
 */
import type { AgentStatus, RunResult } from '../../actors/agent-handle.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { MessageId } from '../../events/message.ts'
import { fold } from '../../projections/projection.ts'
import { runInterval } from '../../projections/run-interval.ts'
import type { Notification } from '../json-rpc/notifications.ts'

/** One interval. */
export class Interval {
  private readonly sessionId: string
  private readonly events: StoredEvent[] = []
  /** Number of events that had come at each rest, in order. */
  private readonly rests: number[] = []
  /** That number at an idle that has not proved to be a rest yet. */
  private resting: number | undefined
  private status: AgentStatus | undefined
  private messageId: MessageId | undefined
  private start = -1

  /** @param status - the last one that was heard; undefined if none was. */
  constructor(sessionId: string, status: AgentStatus | undefined) {
    this.sessionId = sessionId
    this.status = status
  }

  /** The message that starts it. */
  receive(messageId: MessageId): void {
    this.messageId = messageId
    this.start = this.events.findIndex((event) => this.isInsertion(event))
  }

  hear(notification: Notification): void {
    if (notification.method === 'session.event') this.hearEvent(notification.params)
    if (notification.method !== 'session.status') return
    const { sessionId, status } = notification.params
    if (sessionId !== this.sessionId) return
    this.status = status
    this.resting = status === 'running' ? undefined : this.events.length
  }

  /** What came together has been heard: an idle among it that still holds is a rest. */
  settle(): void {
    if (this.resting !== undefined) this.rests.push(this.resting)
    this.resting = undefined
  }

  /** What happened, once it is over. */
  get result(): RunResult | undefined {
    const { messageId, start } = this
    if (messageId === undefined || start === -1) return undefined
    const rest = this.rests.find((length) => length > start)
    if (rest !== undefined) return this.resultOf(messageId, rest)
    // It was dropped before anybody began with it: nothing will come to rest because of it.
    return this.status !== 'running' && this.isDropped(messageId)
      ? this.resultOf(messageId, this.events.length)
      : undefined
  }

  private hearEvent({ sessionId, event }: { sessionId: string; event: StoredEvent }): void {
    if (sessionId !== this.sessionId) return
    this.events.push(event)
    if (this.start === -1 && this.isInsertion(event)) this.start = this.events.length - 1
  }

  private isInsertion({ type, data }: StoredEvent): boolean {
    return type === 'inbox/inserted' && data.message.id === this.messageId
  }

  private isDropped(messageId: MessageId): boolean {
    return this.events
      .slice(this.start)
      .some(({ type, data }) => type === 'inbox/discarded' && data.ids.includes(messageId))
  }

  private resultOf(messageId: MessageId, end: number): RunResult {
    const events = this.events.slice(this.start, end)
    const { turns, finalResponse, usage } = fold(runInterval(messageId), events)
    const { sessionId } = this
    return { sessionId, messageId, finalResponse, events, turns: turns.toArray(), usage }
  }
}
