/**
 * The tests of the Python client, where there is a Python to run them: against the servers that the TypeScript client is
 * tried with.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const CLIENT = join(ROOT, 'clients/python')
const WIRE = join(ROOT, 'test/fixtures/wire')
const run = promisify(execFile)

const version = spawnSync('python3', ['-c', 'import sys; print(sys.version_info >= (3, 10))'], {
  encoding: 'utf8',
})
const hasPython = version.stdout?.trim() === 'True'

const python = (args: readonly string[], env: Record<string, string> = {}, cwd = CLIENT) => {
  const { PATH = '', HOME = '' } = process.env
  return run('python3', ['-W', 'error', ...args], {
    cwd,
    env: {
      PATH,
      HOME,
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: join(CLIENT, 'src'),
      ...env,
    },
  })
}

describe.runIf(hasPython)('the Python client', () => {
  it('passes its own tests, of which there are some', async () => {
    const { stderr } = await python(['-m', 'unittest', 'discover', '-s', 'tests'], {
      TURNWISE_SERVER: `${process.execPath}\n${join(WIRE, 'scripted-server.ts')}`,
      TURNWISE_FAKE: `${process.execPath}\n${join(WIRE, 'fake-server.mjs')}`,
    })
    expect(stderr).toMatch(/Ran \d{2,} tests[\s\S]*OK/)
  }, 120_000)

  it('needs nothing but the standard library', async () => {
    const code = 'import turnwise_client; print(len(turnwise_client.__all__))'
    const { stdout } = await python([
      '-I',
      '-S',
      '-c',
      `import sys; sys.path.insert(0, 'src'); ${code}`,
    ])
    expect(Number(stdout)).toBeGreaterThan(8)
  })

  it('drives the agent of the command line, as examples/python_agent.py shows', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnwise-python-'))
    writeFileSync(join(folder, 'sheep.md'), '# Sheep\n\nCounts sheep.\n')
    try {
      const { stdout } = await python(
        [join(ROOT, 'examples/python_agent.py'), process.execPath, join(ROOT, 'src/cli/main.ts')],
        {},
        folder,
      )
      expect(stdout).toContain('sheep.md')
      expect(stdout.trimEnd().split('\n').at(-1)).toBe("turn 1: {'kind': 'completed'}")
      expect(readdirSync(join(folder, '.turnwise'))).toEqual(['python.jsonl'])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }, 60_000)
})
