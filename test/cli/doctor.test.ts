/**
 * `turnwise doctor`: what it says, and what it appends when asked to.
 */
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, cwd, put, useCommand } from './command-rig.ts'
import { CRASHED, putLog, STRAY, TURN } from './stored-logs.ts'

useCommand()

describe('turnwise doctor', () => {
  it('says of each log whether it is sound, and exits 0 where all are', async () => {
    putLog('a', TURN)
    putLog('b', CRASHED)
    const { code, out } = await call(['doctor', '.turnwise'])
    expect(code).toBe(0)
    expect(out.split('\n').slice(0, 3)).toEqual([
      '.turnwise/a.jsonl: sound, 8 events',
      '.turnwise/b.jsonl: sound, 5 events',
      expect.stringMatching(
        /^ {2}event 1 \(turn\/start\): open, open-turn: .* would append 2 events$/,
      ),
    ])
  })

  it('names the event and the rule, and exits 1', async () => {
    putLog('a', [...TURN, 'turn/start 3'])
    const { code, out } = await call(['doctor', '.turnwise/a.jsonl'])
    expect(code).toBe(1)
    expect(out).toContain(
      '.turnwise/a.jsonl: NOT SOUND, 9 events\n  event 8 (turn/start): next-turn-number: ',
    )
  })

  it('tells it as JSON, one log a line', async () => {
    putLog('a', [...TURN, 'turn/start 3'])
    const { out } = await call(['doctor', '.turnwise/a.jsonl', '--json'])
    expect(JSON.parse(out)).toMatchObject({
      file: '.turnwise/a.jsonl',
      diagnosis: {
        sound: false,
        findings: [{ rule: 'next-turn-number', invariant: 'I-BRACKET', seq: 8, line: 10 }],
      },
    })
  })

  it('repairs by appending alone, when asked to', async () => {
    putLog('a', STRAY)
    const before = readFileSync(join(cwd, '.turnwise/a.jsonl'), 'utf8')
    expect((await call(['doctor', '.turnwise/a.jsonl'])).code).toBe(1)
    expect(readFileSync(join(cwd, '.turnwise/a.jsonl'), 'utf8')).toBe(before)
    const { code, out } = await call(['doctor', '.turnwise/a.jsonl', '--repair'])
    expect([code, out]).toEqual([0, '.turnwise/a.jsonl: sound, 9 events, repaired by 2 events\n'])
    expect(readFileSync(join(cwd, '.turnwise/a.jsonl'), 'utf8').startsWith(before)).toBe(true)
    expect(await call(['doctor', '.turnwise', '--repair'])).toMatchObject({
      out: '.turnwise/a.jsonl: sound, 9 events\n',
    })
  })

  it('cuts a torn last line, when asked to', async () => {
    putLog('a', TURN)
    const text = readFileSync(join(cwd, '.turnwise/a.jsonl'), 'utf8')
    put('.turnwise/a.jsonl', `${text}{"seq":8,"ti`)
    expect((await call(['doctor', '.turnwise'])).out).toContain('line 10: note, torn-tail: ')
    await call(['doctor', '.turnwise', '--repair'])
    expect(readFileSync(join(cwd, '.turnwise/a.jsonl'), 'utf8')).toBe(text)
  })

  it('leaves alone what a repair cannot mend', async () => {
    putLog('a', [...CRASHED, 'turn/start 3'])
    const before = readFileSync(join(cwd, '.turnwise/a.jsonl'), 'utf8')
    expect((await call(['doctor', '.turnwise', '--repair'])).code).toBe(1)
    expect(readFileSync(join(cwd, '.turnwise/a.jsonl'), 'utf8')).toBe(before)
  })

  it('accepts the logs of earlier versions, with events of others', async () => {
    const old = new URL('../logs/every-event.jsonl', import.meta.url).pathname
    copyFileSync(old, join(cwd, 'every-event.jsonl'))
    expect((await call(['doctor', 'every-event.jsonl', '--repair'])).code).toBe(0)
  })

  it('goes on behind a file that cannot be read, and exits 1', async () => {
    putLog('a', TURN)
    const { code, out } = await call(['doctor', 'missing.jsonl', '.turnwise/a.jsonl'])
    expect(code).toBe(1)
    expect(out).toMatch(/^missing\.jsonl: ENOENT.*\n\.turnwise\/a\.jsonl: sound/)
  })

  it('does not touch a log that a process has open', async () => {
    putLog('a', CRASHED)
    const { openFileLog } = await import('../../src/log/file-log.ts')
    const log = await openFileLog(join(cwd, '.turnwise/a.jsonl'))
    const { code, out } = await call(['doctor', '.turnwise', '--repair'])
    expect(code).toBe(1)
    expect(out).toContain('SESSION_LIVE')
    await log.close()
  })
})
