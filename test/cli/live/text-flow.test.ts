/**
 * Text in pieces: indented, broken between words, and the same however it is cut.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { duration, fitted, printable, widthOf } from '../../../src/cli/live/printable.ts'
import { argumentsOf, outcomeOf } from '../../../src/cli/live/summaries.ts'
import { TextFlow } from '../../../src/cli/live/text-flow.ts'

const flowed = (pieces: readonly string[], width: number): string => {
  const flow = new TextFlow('  ', width)
  return pieces.map((piece) => flow.push(piece)).join('') + flow.end()
}

describe('TextFlow', () => {
  it('indents every line and breaks between words', () => {
    expect(flowed(['one two three\n\nfour'], 10)).toBe('  one two\n  three\n\n  four')
  })

  it('goes on further in where the line itself was indented', () => {
    expect(flowed(['  - one two three'], 12)).toBe('    - one\n      two\n      three')
  })

  it('lets a word that is too long stand alone, and breaks nothing without a width', () => {
    expect(flowed(['a muchtoolongword b'], 8)).toBe('  a\n  muchtoolongword\n  b')
    expect(flowed(['a '.repeat(200)], Number.POSITIVE_INFINITY)).toBe(
      `  ${'a '.repeat(200).trim()}`,
    )
  })

  it('gives the same text however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('word', ' ', '  ', '\n', 'é', '語', '-', '\t')),
        (parts) => {
          const whole = parts.join('')
          expect(flowed(parts, 12)).toBe(flowed([whole], 12))
          expect(flowed(whole.split(''), 12)).toBe(flowed([whole], 12))
        },
      ),
    )
  })
})

describe('printable text', () => {
  it('keeps line breaks, and replaces what would move a cursor or turn a text around', () => {
    expect(printable('a\r\nb\tc\u001B[1m\u009B\u202Ed')).toBe('a\nb\tc\uFFFD[1m\uFFFD\uFFFDd')
  })

  it('measures wide and combining characters', () => {
    expect(widthOf('abc')).toBe(3)
    expect(widthOf('日本')).toBe(4)
    expect(widthOf('e\u0301')).toBe(1)
    expect(widthOf('🎉')).toBe(2)
  })

  it('never gives more columns than asked', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 20 }),
        (text, width) => {
          expect(widthOf(fitted(text, width))).toBeLessThanOrEqual(width)
        },
      ),
    )
  })

  it('says durations for people', () => {
    expect([0, 999, 1000, 59_900, 61_000].map((ms) => duration(ms))).toEqual([
      '0 ms',
      '999 ms',
      '1.0 s',
      '59.9 s',
      '1 min 1 s',
    ])
  })
})

const ok = (value: Record<string, number>) =>
  ({ kind: 'ok', content: [{ type: 'text', text: 'some\ntext' }], value }) as const

describe('words for calls', () => {
  it.each([
    ['{"path":"a.ts","lines":30}', 'a.ts'],
    ['{"path":"a.ts","from":5}', 'a.ts from 5'],
    ['{"text":"x y"}', '"x y"'],
    ['', ''],
    ['{broken', '{broken'],
    ['[1]', '[1]'],
  ])('%s is said as %s', (raw, said) => {
    expect(argumentsOf(raw)).toBe(said)
  })

  it('says what a tool answered, also one it does not know', () => {
    expect(outcomeOf('read_file', ok({ from: 1, to: 30 }))).toBe('lines 1 to 30')
    expect(outcomeOf('read_file', ok({ from: 1, to: 3, totalLines: 3 }))).toBe('3 lines')
    expect(outcomeOf('read_file', ok({ from: 9, to: 8, totalLines: 3 }))).toBe('no lines')
    expect(outcomeOf('search_text', ok({ totalMatches: 1, filesWithMatches: 1 }))).toBe(
      '1 line in 1 file',
    )
    expect(outcomeOf('other', ok({}))).toBe('some text')
    expect(outcomeOf('other', { kind: 'denied', by: 'policy', reason: 'no', content: [] })).toBe(
      'denied by policy: no',
    )
  })
})
