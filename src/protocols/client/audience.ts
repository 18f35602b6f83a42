/**
 * Everybody who is told what a server says, and what is known from it.
 *
 * A1 What is said is handed on in its order, in the tick in which it came, to whoever joined before.
 * A2 A malformed notification ends whoever would have needed it, and nobody else.
 * A3 A reader that throws is dismissed with what it threw; nobody else, and no later word, suffers from it.
 * A4 Once nothing more comes, whoever joins is told why at once.
 *
 * @module
 */
import type { AgentStatus } from '../../actors/agent-handle.ts'
import { causeChain } from '../../errors.ts'
import type { Notification } from '../json-rpc/notifications.ts'
import type { SdkProtocolError } from './client-errors.ts'
import { Descent } from './lineage.ts'
import { readNotification, sessionOf } from './read-notification.ts'
import type { Reader } from './subscription.ts'
import type { Heard } from './transport.ts'

/** The readers of one client. */
export class Audience {
  /** Why nothing more comes. */
  failure: Error | undefined
  private readonly descent = new Descent()
  private readonly statuses = new Map<string, AgentStatus>()
  /** With the session that each wants to hear about; undefined for all. */
  private readonly readers = new Map<Reader, string | undefined>()
  private readonly onDiagnostic: (message: string) => void

  constructor(onDiagnostic: (message: string) => void) {
    this.onDiagnostic = onDiagnostic
  }

  /** @returns ends it. */
  join(reader: Reader, within?: string): () => void {
    if (this.failure !== undefined) reader.fail(this.failure)
    else this.readers.set(reader, within)
    return () => {
      this.readers.delete(reader)
    }
  }

  statusOf(sessionId: string): AgentStatus | undefined {
    return this.statuses.get(sessionId)
  }

  hear(heard: Heard): void {
    let notification: Notification | undefined
    try {
      notification = readNotification(heard)
    } catch (error) {
      this.onDiagnostic((error as SdkProtocolError).summary)
      for (const reader of this.readersOf(heard)) this.dismiss(reader, error as SdkProtocolError)
      return
    }
    if (notification === undefined) return
    this.descent.hear(notification)
    if (notification.method === 'session.status')
      this.statuses.set(notification.params.sessionId, notification.params.status)
    for (const reader of this.readersOf(heard)) this.hand(reader, notification)
  }

  /** Nothing more comes. */
  fail(error: Error): void {
    this.failure ??= error
    this.statuses.clear()
    for (const reader of this.readers.keys()) this.dismiss(reader, this.failure)
  }

  private hand(reader: Reader, notification: Notification): void {
    // It may have left because of what was told to another one.
    if (!this.readers.has(reader)) return
    try {
      reader.hear(notification)
    } catch (error) {
      this.dismiss(reader, error instanceof Error ? error : new Error(causeChain(error)))
    }
  }

  private dismiss(reader: Reader, error: Error): void {
    this.readers.delete(reader)
    try {
      reader.fail(error)
    } catch (fault) {
      this.onDiagnostic(`a reader threw: ${causeChain(fault)}`)
    }
  }

  private readersOf(heard: Heard): readonly Reader[] {
    return [...this.readers]
      .filter(([, within]) => within === undefined || this.concerns(within, heard))
      .map(([reader]) => reader)
  }

  private concerns(root: string, { method, params }: Heard): boolean {
    const id =
      method === 'child.started' || method === 'child.finished'
        ? (params as { readonly parent?: unknown } | null)?.parent
        : sessionOf(params)
    // What does not even say whom it is about may be about anybody.
    return typeof id !== 'string' || this.descent.isWithin(root, id)
  }
}
