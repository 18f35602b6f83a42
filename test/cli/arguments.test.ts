/**
 * The words of the command line: what they ask for, and which make no sense.
 */
import { describe, expect, it } from 'vitest'
import { readArguments } from '../../src/cli/arguments.ts'
import { UsageFault } from '../../src/cli/fault.ts'

const run = { command: 'run', dir: '.', log: '.turnwise', show: 'auto' }

describe('readArguments', () => {
  it.each([
    [['run', 'hi'], { ...run, prompt: 'hi' }],
    [['run'], { ...run, prompt: undefined }],
    [['run', '-'], { ...run, prompt: '-' }],
    [['run', '--', '-5 what?'], { ...run, prompt: '-5 what?' }],
    [['run', '  '], { ...run, prompt: '  ' }],
    [['--live', 'run', 'hi'], { ...run, prompt: 'hi', show: 'live' }],
    [['run', 'hi', '--json'], { ...run, prompt: 'hi', show: 'json' }],
    [['run', 'hi', '--quiet'], { ...run, prompt: 'hi', show: 'quiet' }],
    [
      ['run', 'hi', '--dir=/x', '--log', 'l', '--model', 'a:b', '--session', 'S_1-x'],
      { ...run, prompt: 'hi', dir: '/x', log: 'l', model: 'a:b', session: 'S_1-x' },
    ],
    [[], { command: 'help', of: 'turnwise' }],
    [['help'], { command: 'help', of: 'turnwise' }],
    [['-h'], { command: 'help', of: 'turnwise' }],
    [['help', 'run'], { command: 'help', of: 'run' }],
    [['run', '--help'], { command: 'help', of: 'run' }],
    [['--version'], { command: 'version' }],
    [['-v'], { command: 'version' }],
  ])('%j is understood', (words, asked) => {
    expect(readArguments(words)).toEqual(asked)
  })

  it.each([
    [['walk'], 'there is no command "walk"'],
    [['help', 'walk'], 'there is no command "walk"'],
    [['run', 'two', 'words'], 'put it in quotes'],
    [['run', 'hi', '--nope'], "Unknown option '--nope'"],
    [['run', 'hi', '--dir'], "Option '--dir <value>' argument missing"],
    [['run', 'hi', '--dir', ''], '--dir needs a value'],
    [['run', 'hi', '--live', '--json'], '--live and --json exclude each other'],
    [['run', 'hi', '--session', '../x'], '--session must be'],
    [['run', 'hi', '--session', 'a'.repeat(129)], '--session must be'],
    [['run', 'hi', '--json=yes'], "Option '--json' does not take an argument"],
  ])('%j is a usage error', (words, says) => {
    expect(() => readArguments(words)).toThrow(UsageFault)
    expect(() => readArguments(words)).toThrow(says)
  })
})
