import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { LogCorruptError } from '../../src/errors.ts'
import { createCatalogue } from '../../src/events/catalogue.ts'
import { defineEvent } from '../../src/events/define-event.ts'
import type { NewEvent } from '../../src/events/event.ts'
import { createFileLog, openFileLog, openOrCreateFileLog } from '../../src/log/file-log.ts'
import { inserted, opening, stored, turnStart, wholeTurn } from '../events/sample.ts'
import { logContract } from './contract.ts'
import { temporaryFolder } from './files.ts'

const dir = temporaryFolder()
const place = () => ({ dir, id: `s-${randomUUID()}` })
const pathOf = (at: { dir: string; id: string }) => join(at.dir, `${at.id}.jsonl`)
const header = { id: 's', formatVersion: 1, createdAt: 1 }
const lines = (...values: unknown[]) =>
  values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join('')

/** A file with this content. */
function fileOf(content: string | Uint8Array): string {
  const path = pathOf(place())
  writeFileSync(path, content)
  return path
}

for (const durability of ['strict', 'turn', 'none'] as const) {
  logContract(`file log, ${durability}`, (options) =>
    createFileLog(place(), { ...options, durability }),
  )
}

describe('creating', () => {
  it('L1: makes a file of mode 0600 with the header as line 0, in folders that need not exist', async () => {
    const at = { dir: join(dir, 'a', 'b'), id: 'my-session_1' }
    const log = await createFileLog(at, {
      header: { createdAt: 7, cwd: '/w', parent: 'p', inheritedLength: 0, depth: 1 },
    })
    expect(statSync(log.file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(log.file, 'utf8'))).toEqual({
      id: 'my-session_1',
      formatVersion: 1,
      createdAt: 7,
      cwd: '/w',
      parent: 'p',
      inheritedLength: 0,
      depth: 1,
    })
    await log.close()
    expect(readdirSync(at.dir)).toEqual(['my-session_1.jsonl'])
  })

  it('leaves a log that exists alone', async () => {
    const at = place()
    const first = await createFileLog(at)
    first.append(inserted('A'), 1)
    await first.close()
    await expect(createFileLog(at)).rejects.toThrow(
      expect.objectContaining({ code: 'SESSION_ALREADY_EXISTS' }),
    )
    const log = await openOrCreateFileLog(at)
    expect(log.length).toBe(1)
    await log.close()
  })

  it('may begin with events, such as those a fork inherits', async () => {
    const at = place()
    const log = await createFileLog(at, { events: stored(wholeTurn(1, 'A')) })
    log.append(turnStart(2), 1)
    await log.close()
    const again = await openFileLog(at)
    expect([again.length, again.ledger.openTurn]).toEqual([10, 2])
    await again.close()
  })

  it('refuses events that are no log, and creates nothing', async () => {
    const at = place()
    await expect(createFileLog(at, { events: stored([turnStart(2)]) })).rejects.toThrow(
      LogCorruptError,
    )
    expect(existsSync(pathOf(at))).toBe(false)
  })

  it.each(['', 'a/b', '../x', 'a b', 'é', 'x'.repeat(129)])('refuses the id %j', async (id) => {
    await expect(createFileLog({ dir, id })).rejects.toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
    await expect(openFileLog({ dir, id })).rejects.toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
  })

  it('takes a path, whose name is the id', async () => {
    const log = await openOrCreateFileLog(join(dir, 'by-path.jsonl'))
    expect(log.header.id).toBe('by-path')
    await log.close()
  })
})

/** Texts of many bytes a character; the last one is longer than several blocks. */
const wide = (i: number) => `${i}-${'€🙂'.repeat(i === 19 ? 100_000 : 9_000 + i)}`

describe('opening', () => {
  it('goes on where the log ended: seq, ledger, header', async () => {
    const at = place()
    const first = await createFileLog(at)
    for (const event of opening()) first.append(event, 3)
    await first.close()
    const log = await openFileLog(at)
    expect(log.header).toEqual(first.header)
    expect(log.read()).toEqual(first.read())
    expect([log.ledger.openTurn, log.ledger.openStep, log.ledger.isCommitted('A')]).toEqual([
      1,
      1,
      true,
    ])
    expect(log.append(inserted('B'), 4).seq).toBe(5)
    expect(Object.isFrozen(log.at(4)?.data)).toBe(true)
    await log.close()
    expect(readFileSync(log.file, 'utf8').split('\n')).toHaveLength(8)
  })

  it('refuses a session that does not exist, and makes neither file nor folder', async () => {
    const at = { dir: join(dir, 'nowhere'), id: 's' }
    await expect(openFileLog(at)).rejects.toThrow(
      expect.objectContaining({ code: 'SESSION_NOT_FOUND' }),
    )
    expect(existsSync(at.dir)).toBe(false)
  })

  it('splits at newlines only: other line separators belong to texts', async () => {
    const at = place()
    const first = await createFileLog(at)
    const odd = 'a\u2028b\u2029c\u0085d\r\ne'
    first.append(inserted(odd), 1)
    first.append(inserted('Z'), 1)
    await first.close()
    const log = await openFileLog(at)
    expect(log.ledger.pendingIn(odd)).toBe('next-turn')
    await log.close()
  })

  it('reads characters that lie across the blocks it reads', async () => {
    const at = place()
    const first = await createFileLog(at, { durability: 'none' })
    for (let i = 0; i < 20; i++) first.append(inserted(wide(i)), 1)
    await first.close()
    const log = await openFileLog(at)
    for (let i = 0; i < 20; i++) expect(log.ledger.pendingIn(wide(i))).toBe('next-turn')
    expect(log.read()).toEqual(first.read())
    await log.close()
  })

  it('knows events of your own from its catalogue', async () => {
    const note = defineEvent('acme/note', v.object({ text: v.string() }))
    const at = place()
    const first = await createFileLog(at)
    first.append(note.make({ text: 'x' }) as unknown as NewEvent, 1)
    await first.close()
    await expect(openFileLog(at)).rejects.toThrow(
      expect.objectContaining({ code: 'UNKNOWN_EVENT' }),
    )
    const log = await openFileLog(at, { catalogue: createCatalogue({ events: [note] }) })
    expect(log.length).toBe(1)
    await log.close()
  })

  it('checks payloads only when it is asked to', async () => {
    const path = fileOf(
      lines(
        header,
        { seq: 0, time: 1, type: 'turn/start', data: { turn: 1, extra: true } },
        { seq: 1, time: 1, type: 'step/start', data: { turn: 1, step: 1 } },
        { seq: 2, time: 1, type: 'request/context', data: { turn: 1, step: 1, provider: 7 } },
      ),
    )
    const log = await openFileLog(path)
    expect(log.length).toBe(3)
    await log.close()
    await expect(openFileLog(path, { validate: 'eager' })).rejects.toThrow(
      expect.objectContaining({ position: 3 }),
    )
  })
})
