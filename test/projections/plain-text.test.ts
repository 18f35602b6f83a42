/**
 * Foreign text made harmless, and cut.
 */
import { describe, expect, it } from 'vitest'
import { escapedJson, oneLine, printable, shortLine } from '../../src/projections/plain-text.ts'

const MARK = '\uFFFD'

describe('printable text', () => {
  it.each([
    ['a\tb\nc', 'a\tb\nc'],
    ['a\r\nb', 'a\nb'],
    ['a\rb', `a${MARK}b`],
    ['\u0000\u001B\u007F\u0085', MARK.repeat(4)],
    ['\u2028\u202Ex\u2066', `${MARK}${MARK}x${MARK}`],
    ['\uD800a\uDC00', `${MARK}a${MARK}`],
    ['😀 é 漢', '😀 é 漢'],
  ])('%j becomes %j', (text, shown) => {
    expect(printable(text)).toBe(shown)
  })
})

describe('escaped JSON', () => {
  it.each([
    ['"a\u007Fb"', String.raw`"a\u007fb"`],
    ['"\u0085\u2028\u202E"', String.raw`"\u0085\u2028\u202e"`],
    ['{"a":"plain é"}', '{"a":"plain é"}'],
  ])('%j becomes %s and says the same', (json, escaped) => {
    expect(escapedJson(json)).toBe(escaped)
    expect(JSON.parse(escaped)).toEqual(JSON.parse(json))
  })

  it('writes four digits', () => {
    expect(escapedJson('\u0007')).toBe(String.raw`\u0007`)
  })
})

describe('a line', () => {
  it('has single spaces, and none at its ends', () => {
    expect(oneLine('  a \t\n b\r\n\r\nc ')).toBe('a b c')
  })

  const SPACES = ' '.repeat(50)
  it.each([
    ['', ''],
    ['1234567890', '1234567890'],
    ['12345678901', '123456789…'],
    ['😀'.repeat(10), '😀'.repeat(10)],
    ['😀'.repeat(11), `${'😀'.repeat(9)}…`],
    [`${SPACES.slice(0, 43)}x`, 'x'],
    [`${SPACES.slice(0, 44)}x`, '…'],
    [`ab${SPACES}cd`, 'ab…'],
    [`1234567890${SPACES}x`, '123456789…'],
  ])('of at most 10 characters of %j is %j', (text, line) => {
    expect(shortLine(text, 10)).toBe(line)
  })
})
