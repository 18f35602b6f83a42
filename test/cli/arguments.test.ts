/**
 * The words of the command line: what they ask for, and which make no sense.
 */
import { describe, expect, it } from 'vitest'
import { readArguments } from '../../src/cli/arguments.ts'
import { UsageFault } from '../../src/cli/fault.ts'

const run = { command: 'run', dir: '.', log: '.turnwise', show: 'auto' }

const doctor = { command: 'doctor', logs: ['a'], repair: false, json: false }
const resume = { command: 'resume', session: 's', wake: false, log: '.turnwise', json: false }
const fork = {
  command: 'fork',
  session: 's',
  inheritInbox: false,
  closeOpen: false,
  log: '.turnwise',
  json: false,
}

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
    [['doctor', 'a.jsonl', 'b'], { ...doctor, logs: ['a.jsonl', 'b'] }],
    [['doctor', 'a', '--repair', '--json'], { ...doctor, repair: true, json: true }],
    [['resume', '--session', 's'], resume],
    [
      ['resume', '--session', 's', '--wake', '--dir', 'd', '--model', 'm', '--log', 'l'],
      { ...resume, wake: true, dir: 'd', model: 'm', log: 'l' },
    ],
    [['fork', '--session', 's'], fork],
    [
      [
        'fork',
        '--session=s',
        '--at',
        '0',
        '--id',
        'c',
        '--inherit-inbox',
        '--close-open',
        '--json',
      ],
      { ...fork, at: 0, id: 'c', inheritInbox: true, closeOpen: true, json: true },
    ],
    [['sessions'], { command: 'sessions', log: '.turnwise', json: false }],
    [['doctor', '--help'], { command: 'help', of: 'doctor' }],
    [['help', 'fork'], { command: 'help', of: 'fork' }],
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
    [['doctor'], 'expected a log file'],
    [['doctor', 'a', '--wake'], "Unknown option '--wake'"],
    [['resume'], '--session is needed'],
    [['resume', '--session', ''], '--session needs a value'],
    [['resume', 'x', '--session', 's'], 'nothing was expected'],
    [['fork', '--session', 's', '--at', '-1'], "Option '--at' argument is ambiguous"],
    [['fork', '--session', 's', '--at', '1.5'], '--at must be the seq'],
    [['fork', '--session', 's', '--id', 'a b'], '--id must be'],
    [['sessions', '--log', ''], '--log needs a value'],
    [['run', 'hi', '--json=yes'], "Option '--json' does not take an argument"],
  ])('%j is a usage error', (words, says) => {
    expect(() => readArguments(words)).toThrow(UsageFault)
    expect(() => readArguments(words)).toThrow(says)
  })
})
