import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { findDriver } from '../../src/log/sqlite/driver.ts'
import { sqliteStore } from '../../src/log/sqlite/sqlite-store.ts'
import { headerOf, newId, note } from '../../src/testing/log-contract/samples.ts'
import { temporaryFolder } from '../log/files.ts'
import { runContract } from './run-contract.ts'
import { sqliteSubject } from './sqlite-subject.ts'

const dir = temporaryFolder()
runContract('SQLite store', sqliteSubject(dir, 'node:sqlite'))

describe('a SQLite store', () => {
  it('is readable by its owner only, its journals too', async () => {
    const file = join(dir, 'new', 'private.db')
    const store = sqliteStore(file)
    const log = await store.create(headerOf(newId()))
    log.append(note({}), 1)
    await log.flush()
    for (const part of ['', '-wal', '-shm'])
      expect(statSync(`${file}${part}`).mode & 0o777).toBe(0o600)
    await log.close()
    await store.close()
  })

  it('waits for the disk at every commit', () => {
    const file = join(dir, 'settings.db')
    const opened: unknown[] = []
    const store = sqliteStore(file, {
      onOpen: (db) => {
        for (const name of ['synchronous', 'journal_mode', 'busy_timeout'])
          opened.push(Object.values(db.prepare(`pragma ${name}`).get() as object)[0])
      },
    })
    expect(opened).toEqual([2, 'wal', 5000])
    return store.close()
  })

  it('refuses a file of a later layout, and leaves it alone', async () => {
    const file = join(dir, 'later.db')
    await sqliteStore(file).close()
    const db = findDriver()(file)
    db.exec('pragma user_version = 99')
    db.close()
    expect(() => sqliteStore(file)).toThrow(expect.objectContaining({ code: 'UNKNOWN_EVENT' }))
  })

  it('names both ways to have a driver where there is none', () => {
    const builtin = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
    try {
      expect(() => sqliteStore(join(dir, 'none.db'))).toThrow(
        /Node 22\.13 or later.*node:sqlite.*better-sqlite3 \(12\.x on Node 20, 13\.x on Node 22/,
      )
    } finally {
      builtin.mockRestore()
    }
  })
})
