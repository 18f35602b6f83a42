/**
 * Messages that other processes leave for a session, and their way into it.
 *
 * @module
 */
import { TurnwiseError } from '../../errors.ts'
import { asJson } from '../../events/shape.ts'
import type { Backend } from './backend.ts'
import type { Changes } from './changes.ts'
import type { StoreInbox } from './event-store.ts'

/** The inbox of the sessions of `backend`. */
export function backedInbox(backend: Backend, changes: Changes, closing: AbortSignal): StoreInbox {
  const found = <T>(session: string, answer: T | undefined): T => {
    if (answer === undefined) throw noSession(backend.name, session)
    return answer
  }
  return {
    send: async (session, { id, body }) => {
      const row = { id, body: JSON.stringify(asJson(body, 'body')) }
      const answer = found(session, await backend.send(session, row))
      if (answer === 'stored') {
        changes.tell(session)
        backend.announce?.([session])
      }
      return answer
    },
    pending: async (session) => {
      const rows = await backend.pending(session)
      return rows.map(({ id, body }) => ({ id, body: JSON.parse(body) as unknown }))
    },
    taken: (session, ids) => backend.taken(session, ids),
    changed: async (session, signal = closing) => {
      const watching = changes.watch(session)
      await watching.wait(signal)
      watching.stop()
    },
  }
}

/** The error of a session that a store does not hold. */
export const noSession = (store: string, session: string): TurnwiseError =>
  new TurnwiseError(
    'SESSION_NOT_FOUND',
    `expected session ${session} in ${store}, found nothing; nothing was changed. Create it, or check the id.`,
  )
