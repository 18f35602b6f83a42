/**
 * The one-shot command: what it prints, where, and its exit code.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { start } from './built.ts'
import { agent, built, cwd, ended, run, storedLog, turnwise, useOneShot } from './one-shot-rig.ts'

useOneShot()

/** Types of the events in the log. */
const logged = (): string[] => {
  const lines = storedLog().trimEnd().split('\n').slice(1)
  return lines.map((line) => (JSON.parse(line) as { type: string }).type)
}

describe('one prompt, one process', () => {
  it('HL-01 prints the last assistant text and exits 0, with its log flushed', async () => {
    agent(`{ model: scriptedModel(['text "one"']) }`)
    expect(await run('A')).toEqual({ exit: 0, stdout: 'one\n', stderr: '' })
    expect(logged().at(-1)).toBe('turn/end')
  })

  it('HL-02 prints code and message of a model error on standard error and exits 1', async () => {
    agent(`{ model: scriptedModel(['error RATE_LIMIT "slow"']) }`)
    expect(await run('A')).toEqual({ exit: 1, stdout: '\n', stderr: 'RATE_LIMIT: slow\n' })
  })

  it('HL-03 prints what was cut and exits 1, and so does a limit', async () => {
    agent(`{ model: scriptedModel(['text "cut" finishing max-tokens']) }`)
    expect(await run('A')).toMatchObject({ exit: 1, stdout: 'cut\n' })
    agent(`{
      model: scriptedModel(['text "cut" + call c1 t', 'text "never"']),
      tools: [{ name: 't', run: () => 'ok' }],
      maxSteps: 1,
    }`)
    expect(await run('A', '--log', 'other')).toMatchObject({ exit: 1, stdout: 'cut\n' })
  })

  it('HL-04 exits 1 for a blocked prompt, with empty output', async () => {
    agent(`{
      model: scriptedModel([]),
      gates: { preStep: () => ({ kind: 'reject', reason: 'not today' }) },
    }`)
    const { exit, stdout, stderr } = await run('A')
    expect([exit, stdout]).toEqual([1, '\n'])
    expect(stderr).toContain('not today')
  })

  it('HL-05 settles when the whole agent is idle, not at the first end of a turn', async () => {
    agent(`({ agent }) => ({
      model: scriptedModel(['call c1 t', 'text "first"', 'text "second"']),
      tools: [{ name: 't', run: () => agent().followup('N') }],
    })`)
    expect(await run('A')).toEqual({ exit: 0, stdout: 'second\n', stderr: '' })
    expect(logged().filter((type) => type === 'turn/end')).toHaveLength(2)
  })

  it('HL-07 prints the last text that is not empty', async () => {
    agent(`({ agent }) => {
      let steers = 1
      return {
        model: scriptedModel([
          'text "cut" finishing max-tokens',
          'finish max-tokens with usage only',
        ]),
        gates: { turnStopping: () => { if (steers-- > 0) agent().steer('S') } },
      }
    }`)
    expect(await run('A')).toMatchObject({ exit: 1, stdout: 'cut\n' })
  })

  it('HL-10 takes a blank task for a usage error before anything exists, the agent file included', async () => {
    agent(`() => { console.log('made') ; return {} }`)
    for (const blank of ['   ', '', '\n\t']) {
      const { exit, stdout, stderr } = await run(blank)
      expect([exit, stdout]).toEqual([2, ''])
      expect(stderr).toContain('turnwise help run')
    }
    expect(readdirSync(cwd)).toEqual(['agent.mjs'])
  })

  it('HL-11 prints why the agent could not be made and exits 1, with nothing created', async () => {
    agent(`async () => { throw new Error('no key') }`)
    expect(await run('A')).toEqual({ exit: 1, stdout: '', stderr: 'no key\n' })
    expect(readdirSync(cwd)).toEqual(['agent.mjs'])
  })

  it('HL-12 prints the answer behind a tool step, not what was said before it', async () => {
    agent(`{
      model: scriptedModel(['text "looking" + call c1 t', 'text "answer"']),
      tools: [{ name: 't', run: () => 'ok' }],
    }`)
    expect(await run('A')).toEqual({ exit: 0, stdout: 'answer\n', stderr: '' })
  })
})

describe('an agent file', () => {
  it('whose tool must be approved is told that nobody is there, and the run ends', async () => {
    agent(`{
      model: scriptedModel(['call c1 t', 'text "then not"']),
      tools: [{ name: 't', approval: 'always', run: () => console.log('ran') }],
    }`)
    expect(await run('A')).toEqual({ exit: 0, stdout: 'then not\n', stderr: '' })
  })

  it('that is missing is a usage error; one that does not load or exports no agent ends with 1', async () => {
    expect(await turnwise('run', 'A', '--agent', 'nowhere.mjs')).toMatchObject({
      exit: 2,
      stdout: '',
    })
    expect(await run('A', '--model', 'offline')).toMatchObject({ exit: 2 })
    for (const code of ['this is no module', 'export const model = 1', 'export default () => 7']) {
      writeFileSync(join(cwd, 'agent.mjs'), code)
      const { exit, stderr } = await run('A')
      expect([exit, stderr.startsWith('INVALID_OPTION: ')]).toEqual([1, true])
    }
    expect(readdirSync(cwd)).toEqual(['agent.mjs'])
  })

  it('is given the folder, and its secrets reach neither output nor log', async () => {
    agent(`({ dir, env }) => ({
      model: scriptedModel([[script.text('in ' + dir.length + ' with ' + env.OPENAI_API_KEY)]]),
    })`)
    const key = 'sk-very-secret-key-0123456789'
    const args = [built.main, 'run', 'A', '--agent', 'agent.mjs']
    const running = start(process.execPath, args, { cwd, env: { OPENAI_API_KEY: key } })
    const { exit, stdout } = await ended(running)
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/^in \d+ with \[hidden\]\n$/)])
    expect(storedLog()).not.toContain(key)
  })
})

it('reads its prompt from standard input for `-`', async () => {
  agent(`{ model: { provider: 'p', modelId: 'm', async *stream({ messages }) {
    const heard = JSON.stringify(messages).includes('"héllo 🎉"')
    yield { kind: 'text-delta', block: 0, text: 'heard: ' + heard }
    yield { kind: 'finish', reason: 'stop' }
  } } }`)
  const command = `printf 'héllo 🎉' | "${process.execPath}" "${built.main}" run - --agent agent.mjs`
  expect(await ended(start('bash', ['-c', command], { cwd }))).toEqual({
    exit: 0,
    stdout: 'heard: true\n',
    stderr: '',
  })
})
