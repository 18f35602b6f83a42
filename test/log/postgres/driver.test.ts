/**
 * The optional package of the PostgreSQL store, where nobody has installed it.
 */
import { expect, it, vi } from 'vitest'

vi.mock('pg', () => {
  throw new Error('there is no such package')
})

it('says which package is missing and how to get it, when a store is opened and not before', async () => {
  const { postgresStore } = await import('../../../src/log/postgres/index.ts')
  await expect(postgresStore('postgres://127.0.0.1:1/none')).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    message: expect.stringContaining('npm install pg') as string,
  })
})
