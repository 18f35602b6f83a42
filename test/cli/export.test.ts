/**
 * `turnwise export`: a stored log in other forms.
 */
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { OtlpTraces } from '../../src/inspect/otel/otlp.ts'
import { call, cwd, put, useCommand } from './command-rig.ts'
import { putLog, TURN } from './stored-logs.ts'

useCommand()

const stored = (name: string): string => {
  const from = new URL(`../logs/${name}.jsonl`, import.meta.url).pathname
  copyFileSync(from, join(cwd, 'a.jsonl'))
  return readFileSync(from, 'utf8')
}

describe('turnwise export', () => {
  it('jsonl gives the log itself, without a torn last line', async () => {
    const text = stored('every-event')
    put('a.jsonl', `${text}{"seq":8`)
    expect((await call(['export', 'a.jsonl', '--format', 'jsonl'])).out).toBe(text)
  })

  it('jsonl says the same without control characters, where a text has some', async () => {
    putLog('a', ['inbox next-turn @0 +["A"]'])
    const file = join(cwd, '.turnwise/a.jsonl')
    put(
      '.turnwise/a.jsonl',
      readFileSync(file, 'utf8').replace('"text":"A"', '"text":"\u009B2J\u202E"'),
    )
    const { out } = await call(['export', '.turnwise', '--format', 'jsonl'])
    expect(out).toContain(String.raw`"text":"\u009b2J\u202e"`)
    expect(
      out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as unknown),
    ).toHaveLength(2)
  })

  it('markdown tells what was said, turn by turn', async () => {
    putLog('a', TURN)
    expect((await call(['export', '.turnwise', '--format', 'markdown'])).out).toBe(
      `# Session \`a\`

Created 1970-01-01T00:00:00.000Z, 8 events, 1 turn.

## Turn 1

1970-01-01T00:00:00.000Z

**User** \`A\`

> A

**Assistant**

> one

*Ended: completed.*
`,
    )
  })

  it('mermaid and otel-json hold what was said only with --reveal', async () => {
    stored('conversation')
    for (const format of ['mermaid', 'otel-json']) {
      const words = ['export', 'a.jsonl', '--format', format]
      expect((await call(words)).out).not.toContain('Let me look.')
      expect((await call([...words, '--reveal'])).out).toContain('Let me look.')
    }
  })

  it('otel-json is one request of the trace service', async () => {
    stored('conversation')
    const { out } = await call(['export', 'a.jsonl', '--format', 'otel-json'])
    const { resourceSpans } = JSON.parse(out) as OtlpTraces
    expect(resourceSpans[0]?.scopeSpans[0]?.spans).toHaveLength(18)
  })

  it.each<[what: string, words: readonly string[], err: RegExp]>([
    ['no format', [], /--format is needed/],
    ['an unknown format', ['--format', 'pdf'], /--format must be one of jsonl, markdown/],
    ['--reveal where it changes nothing', ['--format', 'jsonl', '--reveal'], /changes nothing/],
  ])('refuses %s', async (_, words, err) => {
    const called = await call(['export', 'a.jsonl', ...words])
    expect([called.code, called.out]).toEqual([2, ''])
    expect(called.err).toMatch(err)
  })
})
