import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LogCorruptError } from '../../src/errors.ts'
import { openFileLog } from '../../src/log/file-log.ts'
import { readLogFile } from '../../src/log/read-log.ts'
import type { TornTail } from '../../src/log/read-log.ts'
import { inserted, stored, wholeTurn } from '../events/sample.ts'
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

describe('a torn tail', () => {
  const text = 'é€🙂'
  const whole = lines(header, ...stored([inserted('A')]))
  const last = Buffer.from(JSON.stringify({ seq: 1, time: 1, ...inserted(text, 'next-step') }))

  it(`L3: is cut at each of the ${last.length} bytes of the last record, and reported`, async () => {
    for (let cut = 1; cut <= last.length; cut++) {
      const path = fileOf(Buffer.concat([Buffer.from(whole), last.subarray(0, cut)]))
      const repairs: TornTail[] = []
      const log = await openFileLog(path, {
        durability: 'none',
        onRepair: (torn) => repairs.push(torn),
      })
      expect(repairs).toEqual([{ line: 2, bytes: cut }])
      expect(readFileSync(path, 'utf8')).toBe(whole)
      expect(log.append(inserted('B'), 1).seq).toBe(1)
      await log.close()
      expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4)
    }
  })

  it('is left alone by a reader that does not own the log', async () => {
    const path = fileOf(Buffer.concat([Buffer.from(whole), last]))
    expect(await readLogFile(path)).toMatchObject({
      torn: { line: 2, bytes: last.length },
      bytes: whole.length,
    })
    expect(statSync(path).size).toBe(whole.length + last.length)
  })

  it('is no excuse for damage before it: then nothing is cut', async () => {
    const content = lines(header, '{"seq":0', ...stored([inserted('A')])) + '{"seq":'
    const path = fileOf(content)
    await expect(openFileLog(path)).rejects.toThrow(LogCorruptError)
    expect(readFileSync(path, 'utf8')).toBe(content)
  })
})

describe('damage', () => {
  const good = stored(wholeTurn(1, 'A'))
  const without = (seq: number) => good.filter((event) => event.seq !== seq)
  it.each<[what: string, line: number, content: string]>([
    ['an empty file', 0, ''],
    ['a header without newline', 0, JSON.stringify(header)],
    ['a first line that is no header', 0, lines(...good)],
    ['a header with a bad date', 0, lines({ ...header, createdAt: 'now' })],
    [
      'a line that is no JSON',
      4,
      lines(header, ...good.slice(0, 3), '{"seq":3,', ...good.slice(4)),
    ],
    ['an empty line', 2, lines(header, good[0], '', ...good.slice(1))],
    [
      'two records on one line',
      1,
      lines(header, `${JSON.stringify(good[0])}${JSON.stringify(good[1])}`),
    ],
    ['a gap', 6, lines(header, ...without(5))],
    [
      'a record that stands twice',
      5,
      lines(header, ...good.slice(0, 4), good[3], ...good.slice(4)),
    ],
    ['records out of order', 3, lines(header, ...good.slice(0, 2), good[3], good[2])],
    ['an event that may not stand there', 2, lines(header, good[0], { ...good[0], seq: 1 })],
    ['a damaged envelope', 2, lines(header, good[0], { ...good[1], time: 'noon' })],
  ])(
    'L3: of %s is refused with its line, and the file is left alone',
    async (_what, line, content) => {
      const path = fileOf(content)
      await expect(openFileLog(path)).rejects.toThrow(
        expect.objectContaining({ code: 'LOG_CORRUPT', position: line }),
      )
      expect(readFileSync(path, 'utf8')).toBe(content)
      expect(existsSync(`${path}.lock`)).toBe(false)
    },
  )

  it('of bytes that are no UTF-8 is refused with its line', async () => {
    const bytes = Buffer.from(lines(header, ...good))
    bytes[bytes.indexOf('"A"') + 1] = 0xff
    await expect(openFileLog(fileOf(bytes))).rejects.toThrow(
      expect.objectContaining({ code: 'LOG_CORRUPT', position: 1 }),
    )
  })

  it('is told from a newer layout and from unknown events', async () => {
    await expect(openFileLog(fileOf(lines({ ...header, formatVersion: 2 })))).rejects.toThrow(
      'format version 1, found 2',
    )
    const odd = { seq: 0, time: 1, type: 'acme/note', data: {} }
    await expect(openFileLog(fileOf(lines(header, odd)))).rejects.toThrow(
      expect.objectContaining({ code: 'UNKNOWN_EVENT' }),
    )
    const log = await openFileLog(fileOf(lines(header, { ...odd, optional: true })))
    expect(log.at(0)?.type).toBe('acme/note')
    await log.close()
  })

  it('of a folder in place of a file is what the system says', async () => {
    const path = pathOf(place())
    mkdirSync(path)
    await expect(openFileLog(path)).rejects.toThrow('EISDIR')
  })
})
