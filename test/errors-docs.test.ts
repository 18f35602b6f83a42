/**
 * docs/errors.md: every code has its heading, every heading is a code, and each says when, what was done, what to do.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TurnwiseError } from '../src/errors.ts'
import type { ErrorCode } from '../src/errors.ts'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
const sections = page.split(/^### /m).slice(1)
const headings = sections.map((section) => section.split('\n')[0] ?? '')

/** The union of codes, read from its source: a type leaves nothing to list at run time. */
const thrown = [
  .../export type ErrorCode =([\s\S]*?)\n\n/
    .exec(readFileSync(join(root, 'src/errors.ts'), 'utf8'))![1]!
    .matchAll(/'([A-Z_]+)'/g),
].map(([, code]) => code as ErrorCode)

/** Codes of failures and outcomes, which are events and never thrown. */
const RECORDED = [
  'SERVER',
  'RATE_LIMIT',
  'TIMEOUT',
  'TRANSPORT',
  'EMPTY_RESPONSE',
  'AUTH',
  'CONTEXT_OVERFLOW',
  'ABORTED',
  'UNKNOWN_TOOL',
  'INVALID_ARGS',
  'ABORTED_BEFORE_DISPATCH',
  'NOT_STARTED',
  'OUTCOME_UNKNOWN',
  'ARGUMENTS_CUT',
  'TURN_FINISHED',
  'INVALID_OUTPUT',
  'NOT_COMPLETED',
  'NO_JSON',
]
const OF_COMMAND = ['NO_TURN']

describe('docs/errors.md', () => {
  it('has a heading for each code that can be thrown', () => {
    expect(thrown.length).toBeGreaterThan(20)
    expect(thrown.filter((code) => !headings.includes(code))).toEqual([])
  })

  it('has a heading for each code of a failure, an outcome and the command, and no others', () => {
    expect(headings.toSorted()).toEqual([...thrown, ...RECORDED, ...OF_COMMAND].toSorted())
  })

  it.each(sections.map((section) => ({ code: section.split('\n')[0], section })))(
    'says of $code when, what the runtime did, and what to do',
    ({ section }) => {
      expect(section).toMatch(/\*\*When\*\*/)
      expect(section).toMatch(/\*\*What the runtime did\*\*/)
      expect(section).toMatch(/\*\*What to do\*\*/)
    },
  )

  it('is where the link of an error leads', () => {
    for (const code of thrown) {
      const link = /\(docs\/errors\.md#(\w+)\)$/.exec(new TurnwiseError(code, 'x').message)?.[1]
      expect(headings.map((heading) => heading.toLowerCase())).toContain(link)
    }
  })

  it('knows every code that the source gives to an event or a failure', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.startsWith('testing'),
    )
    const used = files.flatMap((file) =>
      [...readFileSync(join(root, 'src', file), 'utf8').matchAll(/code: '([A-Z_]{4,})'/g)].map(
        ([, code]) => code,
      ),
    )
    expect(used.length).toBeGreaterThan(10)
    expect([...new Set(used)].filter((code) => !headings.includes(code ?? ''))).toEqual([])
  })
})
