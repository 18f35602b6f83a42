/**
 * The stores of this library hold the contract of a store of sessions.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { fileStore } from '../../src/sessions/file-store.ts'
import { memoryStore } from '../../src/sessions/memory-store.ts'
import { storeContract } from './store-contract.ts'

const dirs: string[] = []
const newDir = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'turnwise-store-'))
  dirs.push(dir)
  return dir
}
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true })
})

storeContract('memory', () => memoryStore())
storeContract('file', () => fileStore(join(newDir(), 'sessions')))

it('a file store is a folder of log files; others in it are not its sessions', async () => {
  const dir = newDir()
  writeFileSync(join(dir, 'notes.txt'), 'x')
  const store = fileStore(dir)
  const log = await store.create({ id: 'a', formatVersion: 1, createdAt: 1 })
  expect(await store.list()).toEqual(['a'])
  await log.close()
  expect(await fileStore(dir).list()).toEqual(['a'])
})

it('a memory store can hold sessions from the start', async () => {
  const header = { id: 'a', formatVersion: 1, createdAt: 1 } as const
  const store = memoryStore([{ header, events: [] }])
  expect((await store.open('a')).header).toEqual(header)
})
