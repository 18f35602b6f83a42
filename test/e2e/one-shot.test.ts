/**
 * The one-shot command as a process of its own, with agents of the user's own: what it prints, where, and its exit code.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { build, start } from './built.ts'
import type { Built, Running } from './built.ts'

let built: Built
let cwd: string

beforeAll(() => {
  built = build()
}, 60_000)
afterAll(() => {
  built.remove()
})
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'turnwise-one-shot-'))
})
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true })
})

/** Writes an agent file whose default export is `options`, JavaScript. */
function agent(options: string): void {
  const dist = pathToFileURL(join(dirname(built.main), '..')).href
  const code = `
import { script, scriptedModel } from '${dist}/testing/index.js'
export default ${options}
void script, scriptedModel
`
  writeFileSync(join(cwd, 'agent.mjs'), code)
}

interface Ended {
  readonly exit: number | string
  readonly stdout: string
  readonly stderr: string
}

async function ended(running: Running): Promise<Ended> {
  const exit = await running.ended
  return { exit, stdout: running.out(), stderr: running.err() }
}

const turnwise = (...args: string[]): Promise<Ended> =>
  ended(start(process.execPath, [built.main, ...args], { cwd }))
const run = (prompt: string, ...args: string[]): Promise<Ended> =>
  turnwise('run', prompt, '--agent', 'agent.mjs', ...args)

/** Types of the events in the log of the only session. */
const logged = (): string[] => {
  const [file = ''] = readdirSync(join(cwd, '.turnwise'))
  const lines = readFileSync(join(cwd, '.turnwise', file), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
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
    const [file = ''] = readdirSync(join(cwd, '.turnwise'))
    expect(readFileSync(join(cwd, '.turnwise', file), 'utf8')).not.toContain(key)
  })
})

describe('--output-schema', () => {
  const schema = (json: object): void => {
    writeFileSync(join(cwd, 'schema.json'), JSON.stringify(json))
  }
  const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const answer = (prompt = 'A', ...args: string[]) =>
    run(prompt, '--output-schema', 'schema.json', ...args)

  it('prints the data as one line of JSON, and tells the model what is wanted', async () => {
    schema(CITY)
    agent(
      `{ model: scriptedModel([[script.text('\`\`\`json\\n{ "city":\\n"Ghent" }\\n\`\`\`')]]) }`,
    )
    expect(await answer()).toEqual({ exit: 0, stdout: '{"city":"Ghent"}\n', stderr: '' })
    const [file = ''] = readdirSync(join(cwd, '.turnwise'))
    const log = readFileSync(join(cwd, '.turnwise', file), 'utf8')
    expect(log).toContain(JSON.stringify(JSON.stringify(CITY)).slice(1, -1))
  })

  it('has the answer repaired once; with --json the faults are on standard error and the exit code is 1', async () => {
    schema(CITY)
    agent(`{ model: scriptedModel(['text "Ghent"', [script.text('{"city":"Ghent"}')]]) }`)
    expect(await answer()).toMatchObject({ exit: 0, stdout: '{"city":"Ghent"}\n' })
    agent(`{ model: scriptedModel(['text "{}"', 'text "{}"']) }`)
    const plain = await answer()
    expect(plain).toMatchObject({ exit: 1, stdout: '{}\n' })
    expect(plain.stderr).toBe('INVALID_OUTPUT: the final response does not fit: city: is missing\n')
    const json = await answer('A', '--json')
    expect([json.exit, json.stderr]).toEqual([1, plain.stderr])
    for (const line of json.stdout.trimEnd().split('\n'))
      expect(JSON.parse(line)).toHaveProperty('seq')
  })

  it('says once why a turn did not complete, and nothing that was cut passes for data', async () => {
    schema({ type: 'number' })
    agent(`{ model: scriptedModel(['text "12" finishing max-tokens']) }`)
    const { exit, stderr } = await answer()
    expect(exit).toBe(1)
    expect(stderr).toMatch(/^MAX_TOKENS: [^\n]+\n$/)
  })

  it('that is missing, no JSON or not understood is a usage error before anything exists', async () => {
    agent(`{ model: scriptedModel([]) }`)
    expect(await answer()).toMatchObject({ exit: 2, stdout: '' })
    writeFileSync(join(cwd, 'schema.json'), '{')
    expect(await answer()).toMatchObject({ exit: 2 })
    schema({ if: {} })
    const { exit, stderr } = await answer()
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('#/if: this keyword is not understood'),
    ])
    expect(readdirSync(cwd).toSorted()).toEqual(['agent.mjs', 'schema.json'])
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
