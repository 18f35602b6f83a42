/**
 * The command line of `turnwise chat`, and what is said of it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readArguments } from '../../src/cli/arguments.ts'
import { CHAT_HELP } from '../../src/cli/chat-arguments.ts'
import { UsageFault } from '../../src/cli/fault.ts'

const LOG = '.turnwise'

describe('turnwise chat', () => {
  it('begins a new session with the agent that reads a folder, unless something else is said', () => {
    expect(readArguments(['chat'])).toEqual({
      command: 'chat',
      latest: false,
      wake: false,
      log: LOG,
    })
    expect(
      readArguments(['chat', '--session', 's', '--wake', '--agent', 'a.mjs', '--dir', 'd']),
    ).toEqual({
      command: 'chat',
      latest: false,
      wake: true,
      log: LOG,
      session: 's',
      agent: 'a.mjs',
      dir: 'd',
    })
    expect(readArguments(['chat', '--continue', '--model', 'offline'])).toMatchObject({
      latest: true,
      model: 'offline',
    })
  })

  it('refuses what excludes each other and what it does not know', () => {
    for (const words of [
      ['--session', 's', '--continue'],
      ['--agent', 'a.mjs', '--model', 'offline'],
      ['--session', '../s'],
      ['--dir', ''],
      ['--json'],
      ['prompt'],
    ])
      expect(() => readArguments(['chat', ...words])).toThrow(UsageFault)
  })

  it('has a help, which the page about the command quotes', () => {
    expect(readArguments(['chat', '-h'])).toEqual({ command: 'help', of: 'chat' })
    expect(readArguments(['help', 'chat'])).toEqual({ command: 'help', of: 'chat' })
    const page = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8')
    expect(page).toContain(`\`\`\`text\n${CHAT_HELP}\`\`\``)
  })
})
