/**
 * `turnwise trace`: a timeline or a diagram of a stored log, and what it says of logs that it cannot read.
 */
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HELP_ON } from '../../src/cli/help.ts'
import { call, cwd, put, useCommand } from './command-rig.ts'
import { CRASHED, putLog, TURN } from './stored-logs.ts'

useCommand()

describe('turnwise trace', () => {
  it('prints a timeline without what was said', async () => {
    putLog('a', TURN)
    const { code, out, err } = await call(['trace', '.turnwise/a.jsonl'])
    expect([code, err]).toEqual([0, ''])
    expect(
      out
        .split('\n')
        .slice(2)
        .map((line) => line.slice(37)),
    ).toEqual([
      'followup A',
      'turn 1 starts',
      'claims A',
      'step 1.1 starts',
      'takes A into the history',
      'attempt 1',
      'answers: text',
      'step 1.1 ends',
      'turn 1 ends: completed',
      '',
    ])
  })

  it('shows what was said with --reveal, as a diagram with --format mermaid', async () => {
    putLog('a', TURN)
    const { out } = await call(['trace', '.turnwise/a.jsonl', '--format', 'mermaid', '--reveal'])
    expect(out).toMatch(/^sequenceDiagram\n/)
    expect(out).toContain('  model-->>-agent: answers: text #34;one#34;\n')
  })

  it('prints facts as JSON, of a range', async () => {
    putLog('a', TURN)
    const { out } = await call(['trace', '.turnwise/a.jsonl', '--json', '--from', '1', '--to', '2'])
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([
      { seq: 1, turn: 1, kind: 'note', what: 'turn 1 starts', said: '' },
      { seq: 2, turn: 1, kind: 'note', what: 'claims A', said: '' },
    ])
  })

  it('takes the log of a folder that was written last', async () => {
    putLog('newer', CRASHED)
    putLog('older', TURN)
    utimesSync(join(cwd, '.turnwise/older.jsonl'), 1, 1)
    const { out } = await call(['trace', '.turnwise'])
    expect(out).not.toContain('turn 1 ends')
  })

  it('reads logs with events of others, and with a torn last line', async () => {
    putLog('a', TURN)
    put(
      '.turnwise/a.jsonl',
      `${await stored('a')}{"seq":8,"time":0,"type":"acme/note","v":3,"data":1}\n{"seq":9,`,
    )
    const { code, out } = await call(['trace', '.turnwise/a.jsonl'])
    expect([code, out.trimEnd().endsWith('acme/note')]).toEqual([0, true])
  })

  it('makes control characters of a log visible', async () => {
    putLog('a', ['inbox next-turn @0 +["A"]'])
    put(
      '.turnwise/a.jsonl',
      (await stored('a')).replace('"text":"A"', String.raw`"text":"\u001b[2J\u009b1m"`),
    )
    const { out } = await call(['trace', '.turnwise/a.jsonl', '--reveal'])
    expect(out).toContain('"\uFFFD[2J\uFFFD1m"')
  })

  it.each<[what: string, words: readonly string[], code: number, err: RegExp]>([
    ['a missing log', ['nope.jsonl'], 1, /^NO_LOG: there is no log at nope.jsonl\n$/],
    ['a folder without logs', ['src'], 1, /^NO_LOG: there is no log in src\n$/],
    ['a damaged log', ['bad.jsonl'], 1, /^LOG_CORRUPT: .*line 1 .*turn\/start/],
    ['an event behind the end', ['.turnwise', '--to', '8'], 1, /^NO_EVENT: .*its last one is 7\n$/],
    ['no log', [], 2, /expected a log file/],
    ['two logs', ['a', 'b'], 2, /one log was expected, found 2/],
    ['an unknown format', ['a', '--format', 'svg'], 2, /--format must be one of text, mermaid/],
    ['a bad position', ['a', '--from', '-1'], 2, /--from/],
    ['a format with --json', ['a', '--json', '--format', 'text'], 2, /exclude each other/],
    ['an unknown option', ['a', '--wide'], 2, /Unknown option '--wide'/],
  ])('refuses %s', async (_, words, code, err) => {
    putLog('a', TURN)
    put(
      'bad.jsonl',
      '{"id":"b","formatVersion":1,"createdAt":0}\n{"seq":0,"time":0,"type":"turn/start","data":{}}\n',
    )
    const called = await call(['trace', ...words])
    expect([called.code, called.out]).toEqual([code, ''])
    expect(called.err).toMatch(err)
  })

  it('has help', async () => {
    expect((await call(['trace', '--help'])).out).toBe(HELP_ON.trace)
    expect((await call(['help', 'trace'])).out).toBe(HELP_ON.trace)
  })
})

async function stored(id: string): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  return readFile(join(cwd, `.turnwise/${id}.jsonl`), 'utf8')
}
