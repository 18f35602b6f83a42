/**
 * Commands that look at logs: their help is that of the page, and nobody needs to guess a word.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { HELP_ON } from '../../src/cli/help.ts'
import { LOG_COMMANDS } from '../../src/cli/log-arguments.ts'
import { call, useCommand } from './command-rig.ts'

useCommand()

const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')

describe.each(LOG_COMMANDS)('turnwise %s', (command) => {
  it('has help, which docs/cli.md shows as it is', async () => {
    expect(await call([command, '--help'])).toMatchObject({ code: 0, out: HELP_ON[command] })
    expect(await call(['help', command])).toMatchObject({ code: 0, out: HELP_ON[command] })
    expect(page).toContain(`\`\`\`text\n${HELP_ON[command]}\`\`\``)
  })

  it('is named by the help of turnwise', async () => {
    expect((await call(['--help'])).out).toContain(`turnwise ${command}`)
  })
})
