/**
 * Real processes are killed and stopped in the middle of their work, on every store. `npm run test:crash` does the same
 * at every append index.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres } from '../stores/postgres-server.ts'
import type { PostgresServer } from '../stores/postgres-server.ts'
import { Killer } from './killer.ts'
import type { Place } from './worker-config.ts'

const BUDGET = { indices: [3, 17], random: 2, stops: 1, sessions: 4 }
const TIMEOUT_MS = 180_000

let server: PostgresServer

beforeAll(async () => {
  server = await startPostgres()
}, TIMEOUT_MS)
afterAll(() => server.stop())

const PLACES: { [kind in Place['kind']]: (dir: string) => Place } = {
  file: (dir) => ({ kind: 'file', dir }),
  SQLite: (dir) => ({ kind: 'SQLite', dir }),
  PostgreSQL: () => ({ kind: 'PostgreSQL', url: server.url, schema: 'turnwise' }),
}

describe.concurrent('after kills and stops', () => {
  it.each(Object.entries(PLACES))(
    '%s: nothing is lost, doubled, gapped or doubly executed',
    async (_, place) => {
      const { kills, stops, ...costs } = await new Killer(place, 7).run(BUDGET)
      expect(costs).toMatchObject({
        lost: [],
        doubled: [],
        gapped: [],
        doublyExecuted: [],
        faults: [],
      })
      expect(kills).toBeGreaterThanOrEqual(8)
      expect(stops).toBe(1)
    },
    TIMEOUT_MS,
  )
})
