/**
 * Logs in files: whole, resumed, growing, replaced, damaged; and folders of them.
 */
import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openFileLog } from '../../../src/log/file-log.ts'
import { TURN } from '../../cli/stored-logs.ts'
import {
  agents,
  append,
  ask,
  at,
  folder,
  follow,
  idOf,
  open,
  place,
  putLog,
  useViewer,
} from './viewer-rig.ts'

useViewer()

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n')
const stored = (path: string): unknown[] =>
  linesOf(path)
    .slice(1)
    .map((line) => JSON.parse(line) as unknown)

describe('a log in a file', () => {
  it('comes whole, with its header first and its end marked', async () => {
    const path = putLog('a', TURN)
    const viewer = await open({ logs: [path] })
    const reader = await follow(viewer, await idOf(viewer))
    expect(await reader.caughtUp()).toEqual(stored(path))
    expect(reader.seen.map(({ event }) => event)).toEqual(['header', 'batch', 'caughtup'])
    expect(reader.header).toMatchObject({ header: { id: 'a' }, from: 0 })
    expect(reader.seen[1]?.id).toBe('7')
  })

  it('begins where it is asked to, and behind what a broken connection had', async () => {
    const viewer = await open({ logs: [putLog('a', TURN)] })
    const id = await idOf(viewer)
    const seqs = async (query: string, headers?: Record<string, string>): Promise<number[]> => {
      const reader = await follow(viewer, id, query, headers)
      return (await reader.caughtUp()).map(({ seq }) => seq)
    }
    expect(await seqs('?from=6')).toEqual([6, 7])
    expect(await seqs('?from=2', { 'last-event-id': '4' })).toEqual([5, 6, 7])
    expect(await seqs('', { 'last-event-id': '7' })).toEqual([])
    // Positions that the log does not have are those of another one.
    expect(await seqs('', { 'last-event-id': '99' })).toHaveLength(8)
    expect((await fetch(at(viewer, `/api/agents/${id}/events?from=x`))).status).toBe(400)
  })

  it('is followed while it grows, whole lines only', async () => {
    const path = putLog('a', TURN)
    const viewer = await open({ logs: [path] })
    const reader = await follow(viewer, await idOf(viewer))
    await reader.caughtUp()
    const next = JSON.stringify({ seq: 8, time: 1, type: 'turn/start', data: { turn: 2 } })
    writeFileSync(path, next.slice(0, 20), { flag: 'a' })
    expect((await agents(viewer))[0]?.events).toBe(8)
    writeFileSync(path, `${next.slice(20)}\n`, { flag: 'a' })
    await reader.next('batch')
    expect(reader.events.at(-1)).toEqual(JSON.parse(next))
    expect((await agents(viewer))[0]).toMatchObject({ events: 9, status: 'unknown' })
  })

  it('begins anew when another log takes its place', async () => {
    const path = putLog('a', TURN)
    const viewer = await open({ logs: [path] })
    const reader = await follow(viewer, await idOf(viewer))
    await reader.caughtUp()
    const other = putLog('other', ['inbox next-turn @0 +["B"]', ...TURN])
    renameSync(other, path)
    expect(await reader.next('header')).toMatchObject({ header: { id: 'other' }, from: 0 })
    await reader.caughtUp()
    expect(reader.events).toHaveLength(8 + 9)
  })

  it('begins anew when it was cut, or written over in place', async () => {
    const path = putLog('a', TURN)
    const viewer = await open({ logs: [path] })
    const reader = await follow(viewer, await idOf(viewer))
    await reader.caughtUp()
    truncateSync(path, Buffer.byteLength(`${linesOf(path).slice(0, 4).join('\n')}\n`))
    expect(await reader.next('header')).toMatchObject({ from: 0 })
    await reader.caughtUp()
    const text = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      text.replace('"next-turn"', '"next-step"').replace('"nextTurn":["A"]', '"nextTurn":[]'),
    )
    expect(await reader.next('header')).toMatchObject({ from: 0 })
  })

  it('is read up to the first damage, which is named', async () => {
    const path = putLog('a', TURN)
    append(path, [{ seq: 9, time: 0, type: 'turn/start', data: { turn: 2 } }])
    const viewer = await open({ logs: [path] })
    const reader = await follow(viewer, await idOf(viewer))
    expect(await reader.next('trouble')).toEqual({
      code: 'LOG_CORRUPT',
      message: expect.stringMatching(/^line 10: .*seq.* What follows is not shown\.$/) as string,
    })
    expect(reader.events).toHaveLength(8)
    expect((await agents(viewer))[0]).toMatchObject({
      events: 8,
      trouble: expect.stringContaining('line 10') as string,
    })
    // It was mended: what could not be read before comes now.
    putLog('a', [...TURN, 'turn/start 2'])
    await reader.next('header')
    await reader.caughtUp()
    expect(reader.events.at(-1)?.type).toBe('turn/start')
  })

  it.each([
    ['no JSON', 'not json\n'],
    ['no UTF-8', Buffer.from([0xff, 0xfe, 0x0a])],
    ['a payload of another shape', '{"seq":0,"time":0,"type":"turn/end","data":null}\n'],
    ['a newer version', '{"seq":0,"time":0,"type":"turn/start","v":9,"data":{"turn":1}}\n'],
    ['a type of this library that is not known', '{"seq":0,"time":0,"type":"turn","data":{}}\n'],
  ])('with %s in it is trouble, not an end of the server', async (_, damage) => {
    const path = putLog('a', [])
    writeFileSync(path, damage, { flag: 'a' })
    const viewer = await open({ logs: [path] })
    const reader = await follow(viewer, await idOf(viewer))
    expect(await reader.next<{ code: string }>('trouble')).toMatchObject({
      message: expect.stringContaining('line 2') as string,
    })
    expect(reader.events).toEqual([])
  })

  it.each([
    ['is empty', ''],
    ['has no header', '{"hello":1}\n'],
  ])('that %s is listed', async (_, text) => {
    writeFileSync(place('a'), text)
    const viewer = await open({ logs: [folder] })
    expect(await agents(viewer)).toMatchObject([{ events: 0, status: 'idle' }])
    expect(
      (await ask<{ error: unknown }>(viewer, `/api/agents/${await idOf(viewer)}/events/0`)).error,
    ).toBeDefined()
  })

  it('that is gone, or no file, is trouble until it is there', async () => {
    const viewer = await open({ logs: [place('a')] })
    const reader = await follow(viewer, await idOf(viewer))
    expect(await reader.next('trouble')).toMatchObject({ code: 'ENOENT' })
    putLog('a', TURN)
    expect(await reader.caughtUp()).toHaveLength(8)
    rmSync(place('a'))
    expect(await reader.next('trouble')).toMatchObject({ code: 'ENOENT' })
  })

  it('passes events of others through as they stand', async () => {
    const path = putLog('a', TURN)
    const event = {
      seq: 8,
      time: 0,
      type: 'acme/note',
      v: 3,
      data: { ['__proto__']: 1, text: 'x' },
    }
    append(path, [event])
    const viewer = await open({ logs: [path] })
    const reader = await follow(viewer, await idOf(viewer))
    expect((await reader.caughtUp()).at(-1)).toEqual(event)
  })
})

describe('a folder of logs', () => {
  it('shows each of them, new ones too, and nothing else in it', async () => {
    putLog('a', TURN)
    writeFileSync(join(folder, 'secret.txt'), 'secret')
    const viewer = await open({ logs: [folder] })
    expect((await agents(viewer)).map(({ title }) => title)).toEqual(['a'])
    putLog('b', [])
    expect((await agents(viewer)).map(({ title }) => title)).toEqual(['a', 'b'])
  })

  it('says who has a log open', async () => {
    const path = putLog('a', TURN.slice(0, 5))
    const viewer = await open({ logs: [folder] })
    expect(await agents(viewer)).toMatchObject([{ owner: 'none', status: 'unknown' }])
    const log = await openFileLog(path)
    expect(await agents(viewer)).toMatchObject([{ owner: 'alive', status: 'running' }])
    await log.close()
    const mark = { token: 't', pid: 2 ** 22 - 1, start: '', host: '', boot: '', space: '' }
    writeFileSync(`${path}.lock`, `${JSON.stringify({ ...mark, host: hostname() })}\n`)
    expect(await agents(viewer)).toMatchObject([{ owner: 'gone', status: 'unknown' }])
  })
})
