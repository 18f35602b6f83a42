/**
 * The client where somebody else is at fault: readers that throw, starts that meet, requests that cannot be written.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { TransportClosedError } from '../../../src/protocols/client/client-errors.ts'
import { against, folder, graces, isAlive, notes, pids } from './fakes.ts'

test('SD-20 an observer that threw is told nothing more', async () => {
  let calls = 0
  const run = against('lineage').run('s1', 'A', {
    observer: () => {
      calls += 1
      throw new Error('enough')
    },
  })
  await expect(run).rejects.toThrow('enough')
  expect(calls).toBe(1)
})

it('goes on where a reader throws, and tells that reader so', async () => {
  const client = against('receipt first')
  const failures: Error[] = []
  client.watch({
    hear: () => {
      throw new Error('not me')
    },
    fail: (error) => failures.push(error),
  })
  expect((await client.run('s1', 'A')).turns).toHaveLength(1)
  expect(failures.map(({ message }) => message)).toEqual(['not me'])
})

test('SD-17 whoever starts again after a death shares one fresh process', async () => {
  const client = against('dies')
  await client.run('s1', 'A').catch(() => {})
  await Promise.all([client.start(), client.start()])
  expect(pids()).toHaveLength(2)
  await client.close()
  expect(pids().map(isAlive)).toEqual([false, false])
})

test('SD-18 close does not wait for an initialize that is never answered', async () => {
  const client = against('slow start', { graces })
  const starting = client.start().catch((error: unknown) => error)
  await expect.poll(() => existsSync(join(folder, 'notes')) && notes()).toContain('initialize')
  await client.close()
  expect(await starting).toBeInstanceOf(TransportClosedError)
  expect(pids().map(isAlive)).toEqual([false])
})

it('keeps nothing of a request that cannot be written', async () => {
  const client = against('silent', { requestTimeoutMs: 50 })
  await client.start()
  const asked = client.call('session/list', { huge: 1n } as never)
  await expect(asked).rejects.toThrow(TypeError)
  expect(await client.call('session/list', {}, { timeoutMs: 10_000 })).toEqual({ sessions: [] })
})
