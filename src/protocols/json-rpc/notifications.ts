/**
 * What the server says unasked, and how it says no.
 *
 * @module
 */
import type { AgentStatus } from '../../actors/agent-handle.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { ChildFinished } from '../../sessions/children/child-port.ts'

/** Parameters of every notification, all from the server. */
export interface Notifications {
  /** A durable event: once each and in the order of its log. */
  'session.event': { readonly sessionId: string; readonly event: StoredEvent }
  'session.status': { readonly sessionId: string; readonly status: AgentStatus }
  /** A session with a parent was created. */
  'child.started': { readonly parent: string; readonly child: string; readonly depth: number }
  /** A child that ran in the process of the server has come to rest. */
  'child.finished': ChildFinished
}
export type NotificationName = keyof Notifications

/** A notification, narrowed by its method. */
export type Notification = {
  [N in NotificationName]: { readonly method: N; readonly params: Notifications[N] }
}[NotificationName]

/** The error of an answer. */
export interface RpcErrorBody {
  readonly code: number
  readonly message: string
  readonly data: {
    /** Of the table in docs/errors.md. */
    readonly code: string
    readonly sessionId?: string
    readonly supported?: { readonly min: number; readonly max: number }
    /** Everything that went wrong, where that was more than one thing. */
    readonly failures?: readonly { readonly code: string; readonly message: string }[]
  }
}
