/**
 * A service that is told to end: a real process, a real signal, and the next process that goes on.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { checkLog } from '../../src/events/enclosure.ts'
import { fileStore } from '../../src/sessions/file-store.ts'
import { promptsOf } from '../sessions/host/rig.ts'
import { build, start } from './built.ts'
import type { Built, Running } from './built.ts'

/**
 * In its first life `long` prompts never get an answer, and `short` ones get theirs once the end has begun. In a later one
 * every answer comes at once, and every session goes on.
 */
const SERVICE = `
import { createAgentHost, fileStore } from 'turnwise'

const [life] = process.argv.slice(2)
const store = fileStore('.')
let letGo
const ending = new Promise((resolve) => (letGo = resolve))
const asked = new Set()
const waits = (prompt, signal) => {
  if (life === 'later') return undefined
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
  return prompt.startsWith('long') ? aborted : ending
}
const model = {
  provider: 'p',
  modelId: 'm',
  async *stream({ messages }, { agent, signal }) {
    asked.add(agent)
    if (asked.size === 2 && life !== 'later') console.log('ready')
    await waits(messages.findLast(({ role }) => role === 'user').content[0].text, signal)
    yield { kind: 'block-start', block: 0, type: 'text' }
    yield { kind: 'text-delta', block: 0, text: 'answered' }
    yield { kind: 'block-end', block: 0 }
    yield { kind: 'finish', reason: 'stop' }
  },
}
const host = createAgentHost({
  store,
  factory: () => ({ model }),
  ...(life !== 'later' && { maxRunning: 2 }),
})
if (life === 'later') {
  for (const id of await store.list())
    await host.with(id, (agent) => agent.whenIdle(), { wake: true })
  console.log(JSON.stringify(host.metrics().turns))
  process.exitCode = (await host.close()).exitCode
} else {
  const drainMs = life === 'stubborn' ? 600_000 : 500
  host.onSignals(process, { drainMs, onSignal: () => { letGo(); console.log('ending') } })
  setInterval(() => {}, 600_000) // what a server would do
  for (const [id, ...prompts] of [
    ['short', 'short 1', 'short 2'],
    ['long', 'long 1', 'long 2'],
    ['waits', 'one', 'two', 'three'],
  ])
    for (const prompt of prompts) await host.send(id, prompt)
  console.log('sent')
}
`

let built: Built
let scripts: string
let cwd: string
beforeAll(() => {
  built = build()
  // Inside the compiled package, where `turnwise` is found by its own name.
  scripts = join(dirname(built.main), '../../scripts')
  mkdirSync(scripts)
  writeFileSync(join(scripts, 'service.js'), SERVICE)
}, 60_000)
afterAll(() => {
  built.remove()
})
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'turnwise-service-'))
})
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true })
})

const service = (life: 'first' | 'later' | 'stubborn'): Running =>
  start(process.execPath, ['--no-warnings', join(scripts, 'service.js'), life], { cwd })

async function atWork(life: 'first' | 'stubborn'): Promise<Running> {
  const running = service(life)
  await running.saw('ready')
  await running.saw('sent')
  return running
}

it.each(['SIGTERM', 'SIGINT'] as const)(
  '%s: it drains, suspends, writes and exits 0; the next process goes on, and nothing is lost or doubled',
  async (signal) => {
    const first = await atWork('first')
    first.process.kill(signal)
    expect([await first.ended, first.err()]).toEqual([0, ''])
    // Each session was let go.
    expect(readdirSync(cwd).toSorted()).toEqual(['long.jsonl', 'short.jsonl', 'waits.jsonl'])
    const store = fileStore(cwd)
    const prompts = async (id: string) => {
      const { events } = await store.read(id)
      checkLog(events)
      return promptsOf(events)
    }
    expect(await prompts('short')).toEqual(['short 1'])
    expect(await prompts('long')).toEqual(['long 1'])
    expect(await prompts('waits')).toEqual([])

    const later = service('later')
    expect([await later.ended, later.err()]).toEqual([0, ''])
    expect(later.out()).toBe('{"completed":5}\n')
    expect(await prompts('short')).toEqual(['short 1', 'short 2'])
    expect(await prompts('long')).toEqual(['long 1', 'long 2'])
    expect(await prompts('waits')).toEqual(['one', 'two', 'three'])
  },
)

it('a second signal ends it at once with the code of that signal, and the next process still goes on', async () => {
  const stubborn = await atWork('stubborn')
  stubborn.process.kill('SIGTERM')
  await stubborn.saw('ending')
  stubborn.process.kill('SIGTERM')
  expect(await stubborn.ended).toBe(143)
  const later = service('later')
  expect([await later.ended, later.err()]).toEqual([0, ''])
  for (const id of ['short', 'long', 'waits']) {
    const { events } = await fileStore(cwd).read(id)
    checkLog(events)
    expect(new Set(promptsOf(events)).size).toBe(promptsOf(events).length)
  }
  expect(promptsOf((await fileStore(cwd).read('waits')).events)).toEqual(['one', 'two', 'three'])
})
