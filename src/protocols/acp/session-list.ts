/**
 * The stored sessions as a client lists them, page by page.
 *
 * A session that cannot be read is left out, as is one that has no folder: nobody could load it.
 *
 * @module
 */
import type { SessionStore, StoredSession } from '../../sessions/session-store.ts'
import { invalidParams } from './fault.ts'

/** One line of the list. */
export interface ListedSession {
  readonly sessionId: string
  readonly cwd: string
  readonly title?: string
  readonly updatedAt: string
}

export interface ListPage {
  readonly sessions: ListedSession[]
  readonly nextCursor?: string
}

/** Sessions of one page. */
const PAGE = 50
/** Characters of a title. */
const MAX_TITLE = 80

/**
 * @param cwd - only sessions of this folder.
 * @param cursor - id behind which the page begins.
 * @throws AcpFault for a cursor that this function did not give out.
 */
export async function listSessions(
  store: SessionStore,
  cwd: string | null | undefined,
  cursor: string | null | undefined,
): Promise<ListPage> {
  const sessions: ListedSession[] = []
  for (const id of behind(await store.list(), cursor ?? undefined)) {
    const last = sessions.at(-1)
    if (last !== undefined && sessions.length === PAGE)
      return { sessions, nextCursor: last.sessionId }
    const listed = await look(store, id)
    if (listed !== undefined && (cwd ?? listed.cwd) === listed.cwd) sessions.push(listed)
  }
  return { sessions }
}

function behind(ids: readonly string[], cursor: string | undefined): readonly string[] {
  if (cursor === undefined) return ids
  const at = ids.indexOf(cursor)
  if (at === -1) throw invalidParams('expected a cursor of an earlier page, found another')
  return ids.slice(at + 1)
}

async function look(store: SessionStore, id: string): Promise<ListedSession | undefined> {
  const stored = await store.read(id).catch(() => undefined)
  if (stored === undefined) return undefined
  const { header, events } = stored
  if (header.cwd === undefined) return undefined
  const title = titleOf(stored)
  const updatedAt = new Date(events.at(-1)?.time ?? header.createdAt).toISOString()
  return { sessionId: id, cwd: header.cwd, ...(title !== '' && { title }), updatedAt }
}

/** What the user said first. */
function titleOf({ events }: StoredSession): string {
  for (const { type, data } of events) {
    if (type !== 'user/message' || data.message.source.kind !== 'user') continue
    const block = data.message.content.find((one) => one.type === 'text')
    if (block !== undefined) return block.text.trim().slice(0, MAX_TITLE)
  }
  return ''
}
