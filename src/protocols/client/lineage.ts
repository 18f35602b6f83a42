/**
 * Who descends from whom, over any depth, as far as the server has told.
 *
 * @module
 */
import type { Notification } from '../json-rpc/notifications.ts'

/** The children that a client has heard of. */
export class Descent {
  private readonly parents = new Map<string, string>()

  /** An id that is used again belongs to its latest parent. */
  hear(notification: Notification): void {
    if (notification.method !== 'child.started') return
    this.parents.set(notification.params.child, notification.params.parent)
  }

  /** Is `id` the session `root` itself, or below it? */
  isWithin(root: string, id: string): boolean {
    const seen = new Set<string>()
    for (let at: string | undefined = id; at !== undefined; at = this.parents.get(at)) {
      if (at === root) return true
      if (seen.has(at)) return false
      seen.add(at)
    }
    return false
  }
}
