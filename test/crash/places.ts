/**
 * Opens logs of whichever store.
 *
 * @module
 */
import { join } from 'node:path'
import { fileStore } from '../../src/sessions/file-store.ts'
import type { SessionStore } from '../../src/sessions/session-store.ts'
import type { Place } from './worker-config.ts'

/** A store with its end. */
export interface OpenPlace {
  readonly store: SessionStore
  readonly close: () => Promise<void>
}

/** Drivers are loaded by whoever needs them: it is processes that are started here, many of them. */
export async function openPlace(place: Place, ttlMs: number): Promise<OpenPlace> {
  if (place.kind === 'file')
    return { store: fileStore(join(place.dir, 'logs')), close: async () => {} }
  const store = await durable(place, ttlMs)
  return { store, close: () => store.close() }
}

async function durable(place: Exclude<Place, { kind: 'file' }>, ttlMs: number) {
  if (place.kind === 'PostgreSQL') {
    const { postgresStore } = await import('../../src/log/postgres/postgres-store.ts')
    return postgresStore(place.url, { schema: place.schema, ttlMs, connections: 3 })
  }
  const { sqliteStore } = await import('../../src/log/sqlite/sqlite-store.ts')
  return sqliteStore(join((place as { dir: string }).dir, 'store.db'), { ttlMs })
}
