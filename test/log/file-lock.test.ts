import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFileLog, openFileLog } from '../../src/log/file-log.ts'
import { acquireLock } from '../../src/log/file-lock.ts'
import { inserted } from '../events/sample.ts'
import { temporaryFolder } from './files.ts'

const dir = temporaryFolder()
const fresh = () => join(dir, randomUUID())
const live = expect.objectContaining({ code: 'SESSION_LIVE' })
/** A pid that existed and does not any more. */
const deadPid = (): number => spawnSync(process.execPath, ['-e', '0']).pid

/** A lock as this process would hold it, with changes. */
function lockWith(file: string, changes: object): void {
  const release = acquireLock(file)
  const holder = JSON.parse(readFileSync(`${file}.lock`, 'utf8')) as object
  release()
  writeFileSync(`${file}.lock`, JSON.stringify({ ...holder, token: 'other', ...changes }))
}

describe('a lock', () => {
  it('has one holder, and is gone once it is released', () => {
    const file = fresh()
    const release = acquireLock(file)
    expect(() => acquireLock(file)).toThrow(live)
    expect(() => acquireLock(file)).toThrow(`process ${process.pid} on`)
    release()
    expect(existsSync(`${file}.lock`)).toBe(false)
    acquireLock(file)()
  })

  it('releasing twice does not release the next holder', () => {
    const file = fresh()
    const first = acquireLock(file)
    first()
    const second = acquireLock(file)
    first()
    expect(() => acquireLock(file)).toThrow(live)
    second()
  })

  it.each<[what: string, changes: () => object]>([
    ['a process that is gone', () => ({ pid: deadPid() })],
    ['a process whose pid is used again', () => ({ start: '1' })],
    ['a boot before this one', () => ({ boot: 'an older one' })],
  ])('of %s is taken over', (_what, changes) => {
    const file = fresh()
    lockWith(file, changes())
    const release = acquireLock(file)
    expect(JSON.parse(readFileSync(`${file}.lock`, 'utf8'))).toMatchObject({ pid: process.pid })
    release()
    expect(existsSync(`${file}.lock.takeover`)).toBe(false)
  })

  it.each<[what: string, changes: object]>([
    ['a process that lives', {}],
    ['another machine', { host: 'elsewhere', boot: 'another', pid: 1 }],
    ['another container of this machine', { space: 'pid:[1]', pid: 999_999_999 }],
  ])('K3: of %s is respected', (_what, changes) => {
    const file = fresh()
    lockWith(file, changes)
    expect(() => acquireLock(file)).toThrow(live)
    expect(JSON.parse(readFileSync(`${file}.lock`, 'utf8'))).toMatchObject({ token: 'other' })
  })

  it.each(['', '{"pid":', 'null', '{}'])(
    'that a power failure left as %j is taken over',
    (content) => {
      const file = fresh()
      writeFileSync(`${file}.lock`, content)
      acquireLock(file)()
      expect(existsSync(`${file}.lock`)).toBe(false)
    },
  )

  it('K2: while somebody else takes over, it is left to them', () => {
    const file = fresh()
    lockWith(file, { pid: deadPid() })
    writeFileSync(`${file}.lock.takeover`, String(process.pid))
    expect(() => acquireLock(file)).toThrow(live)
    writeFileSync(`${file}.lock.takeover`, String(deadPid()))
    acquireLock(file)()
  })
})

describe('a file log', () => {
  it('is open once at a time', async () => {
    const at = { dir, id: randomUUID() }
    const log = await createFileLog(at)
    await expect(openFileLog(at)).rejects.toThrow(live)
    await log.close()
    const again = await openFileLog(at)
    await again.close()
  })

  it('is opened over the lock of a process that was killed', async () => {
    const at = { dir, id: randomUUID() }
    const log = await createFileLog(at)
    await log.close()
    lockWith(log.file, { pid: deadPid() })
    const again = await openFileLog(at)
    expect(again.append(inserted('A'), 1).seq).toBe(0)
    await again.close()
  })
})
