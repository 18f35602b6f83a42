/**
 * The executable as a process of its own: pipes, signals, a killed owner, and that it ends by itself.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatEvent } from '../support/chat-stream.ts'
import { startProviderServer } from '../support/provider-server.ts'
import type { ProviderServer } from '../support/provider-server.ts'
import { build, start } from './built.ts'
import type { Built, Running } from './built.ts'

let built: Built | undefined
let server: ProviderServer | undefined
let cwd: string

beforeAll(async () => {
  built = build()
  server = await startProviderServer()
}, 60_000)
afterAll(async () => {
  built?.remove()
  await server?.close()
})
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'turnwise-e2e-'))
  writeFileSync(join(cwd, 'README.md'), '# sheep\n\nCounts sheep.\n')
})
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true })
})

const turnwise = (args: readonly string[], env: Record<string, string> = {}): Running =>
  start(process.execPath, [built?.main ?? '', ...args], { cwd, env })

const BEGIN = Buffer.from(chatEvent({ delta: { content: 'half an answer ' }, finish_reason: null }))

/** A run whose model has said something and then keeps silent. */
async function hanging(args: readonly string[] = []): Promise<Running> {
  server?.play({ do: 'hang', bytes: BEGIN, at: BEGIN.length })
  const running = turnwise(['run', 'A', '--live', ...args], {
    OPENAI_BASE_URL: `${server?.url}/v1`,
  })
  await running.saw('half an')
  return running
}

const logs = (): string[] => readdirSync(join(cwd, '.turnwise')).toSorted()

describe('the executable', () => {
  it('answers from the real folder without a key, prints only the answer, and ends by itself', async () => {
    const running = turnwise(['run', 'What is here?'])
    expect(await running.ended).toBe(0)
    expect(running.out()).toContain('README.md (3 lines)')
    expect(running.out()).not.toContain('\u001B')
    expect(running.err()).toBe('')
    expect(logs()).toHaveLength(1)
  })

  it('exits 2 for a blank prompt and creates nothing', async () => {
    const running = turnwise(['run', ' '])
    expect(await running.ended).toBe(2)
    expect(running.out()).toBe('')
    expect(readdirSync(cwd)).toEqual(['README.md'])
  })

  it('takes its prompt from a pipe and its output to one that closes early, without a word', async () => {
    const command = `echo 'What is here?' | "${process.execPath}" "${built?.main}" run --json | head -1; echo "codes: \${PIPESTATUS[*]}"`
    const running = start('bash', ['-c', command], { cwd })
    expect(await running.ended).toBe(0)
    const [first, codes] = running.out().split('\n')
    expect(JSON.parse(first ?? '')).toMatchObject({ seq: 0, type: 'inbox/inserted' })
    // The run may be over before its output is missed.
    expect(codes).toMatch(/^codes: 0 (141|0) 0$/)
    expect(running.err()).toBe('')
  })
})

describe('Ctrl-C', () => {
  it('cancels the turn, keeps what was streamed, and exits 130', async () => {
    const running = await hanging()
    running.process.kill('SIGINT')
    expect(await running.ended).toBe(130)
    expect(running.out()).toContain('half an answer')
    expect(running.out()).toContain('turn 1 was aborted (user)')
    expect(logs().filter((file) => file.endsWith('.lock'))).toEqual([])
  })

  it('twice ends in good order as well', async () => {
    const running = await hanging()
    running.process.kill('SIGINT')
    running.process.kill('SIGINT')
    expect(await running.ended).toBe(130)
    expect(logs().filter((file) => file.endsWith('.lock'))).toEqual([])
  })
})

describe('a killed process', () => {
  it('leaves a log that is whole up to the last durable event; the next one closes its turn and goes on', async () => {
    const running = await hanging(['--session', 's'])
    running.process.kill('SIGKILL')
    expect(await running.ended).toBe('SIGKILL')
    const lines = readFileSync(join(cwd, '.turnwise/s.jsonl'), 'utf8').split('\n').slice(1, -1)
    expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
      lines.map((_, i) => i),
    )
    const next = turnwise(['run', 'What is here?', '--session', 's'])
    expect(await next.ended).toBe(0)
    expect(next.err()).toContain('had ended in the middle of a turn')
  })

  it('SIGTERM suspends: the turn is closed, and the session goes on', async () => {
    const running = await hanging(['--session', 's'])
    running.process.kill('SIGTERM')
    expect(await running.ended).toBe(143)
    const next = turnwise(['run', 'What is here?', '--session', 's'])
    expect(await next.ended).toBe(0)
  })
})
