/**
 * `turnwise sessions`: the stored sessions and where each stands.
 *
 * @module
 */
import { resolve } from 'node:path'
import { TurnwiseError } from '../errors.ts'
import { loadLedger } from '../events/enclosure.ts'
import { inbox } from '../projections/inbox.ts'
import { fold } from '../projections/projection.ts'
import { fileStore } from '../sessions/file-store.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import { oneLine } from './live/printable.ts'
import { reasonOf } from './live/reasons.ts'
import { plural } from './offline/words.ts'
import type { SessionsAsked } from './session-arguments.ts'
import type { Surroundings } from './surroundings.ts'
import { EXIT } from './usage.ts'
import type { ExitCode } from './usage.ts'

/** Lists the sessions of a folder. @returns 1 if one of them cannot be read. */
export async function sessionsCommand(asked: SessionsAsked, at: Surroundings): Promise<ExitCode> {
  const store = fileStore(resolve(at.cwd, asked.log))
  let readable = true
  for (const id of await store.list()) {
    const session = await look(store, id)
    readable &&= !('error' in session)
    at.stdout.write(`${asked.json ? JSON.stringify(session) : lineOf(session)}\n`)
  }
  return readable ? EXIT.ok : EXIT.failed
}

interface Session {
  readonly id: string
  readonly events: number
  readonly turns: number
  /** How the last turn ended; `open` if it did not. */
  readonly last: string | null
  readonly pending: number
  readonly parent?: string
  /** ms since the epoch of the last event, or of the creation. */
  readonly time: number
}

async function look(
  store: SessionStore,
  id: string,
): Promise<Session | { readonly id: string; readonly error: string }> {
  try {
    const { header, events } = await store.read(id)
    const { lastTurn, openTurn } = loadLedger(events)
    const { nextTurn, nextStep } = fold(inbox, events)
    const end = events.findLast((event) => event.type === 'turn/end')
    const ended = end === undefined ? null : reasonOf(end.data.reason)
    return {
      id,
      events: events.length,
      turns: lastTurn,
      last: openTurn === null ? ended : 'open',
      pending: nextTurn.length + nextStep.length,
      ...(header.parent !== undefined && { parent: header.parent }),
      time: events.at(-1)?.time ?? header.createdAt,
    }
  } catch (error) {
    if (!(error instanceof TurnwiseError)) throw error
    return { id, error: `${error.code}: ${error.summary}` }
  }
}

function lineOf(session: Awaited<ReturnType<typeof look>>): string {
  if ('error' in session) return oneLine(`${session.id}  ${session.error}`)
  const { id, events, turns, last, pending, parent, time } = session
  const parts = [
    id,
    new Date(time).toISOString(),
    plural(turns, 'turn'),
    plural(events, 'event'),
    ...(last === null ? [] : [`last ${last}`]),
    ...(pending === 0 ? [] : [`${pending} pending`]),
    ...(parent === undefined ? [] : [`from ${parent}`]),
  ]
  return oneLine(parts.join('  '))
}
