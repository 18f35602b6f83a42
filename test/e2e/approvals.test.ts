/**
 * Approvals across real processes: the example, and a process that is killed while it waits.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { transformWithEsbuild } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { build, start } from './built.ts'
import type { Built, Running } from './built.ts'

const root = join(import.meta.dirname, '../..')
let built: Built
let scripts: string
let cwd: string

beforeAll(() => {
  built = build()
  // Inside the compiled package, where `turnwise` is found by its own name.
  scripts = join(dirname(built.main), '../../scripts')
  mkdirSync(scripts)
}, 60_000)
afterAll(() => {
  built.remove()
})
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'turnwise-approvals-'))
})
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true })
})

const node = (script: string, ...args: string[]): Running =>
  start(process.execPath, ['--no-warnings', join(scripts, script), ...args], { cwd })

it('examples/approvals-restart.ts: one process asks, one answers, one goes on', async () => {
  const source = readFileSync(join(root, 'examples/approvals-restart.ts'), 'utf8')
  // Node strips no types below node_modules.
  const { code } = await transformWithEsbuild(source, 'restart.ts')
  writeFileSync(join(scripts, 'restart.js'), code)
  const ask = node('restart.js', 'ask')
  expect([await ask.ended, ask.err()]).toEqual([0, ''])
  expect(ask.out()).toBe('waits: Deploy to production?\n')
  const answer = node('restart.js', 'answer')
  expect([await answer.ended, answer.err()]).toEqual([0, ''])
  const resume = node('restart.js', 'resume')
  expect([await resume.ended, resume.err()]).toEqual([0, ''])
  expect(resume.out()).toBe('approval/decided c1\ntool/result c1\n')
})

/** Resumes, or creates, a session in files; a body leaves a line in `ran.txt`. */
const WORKER = `
import { appendFileSync } from 'node:fs'
import { createRegistry, fileStore } from 'turnwise'
import { script, scriptedModel } from 'turnwise/testing'

const [how] = process.argv.slice(2)
const store = fileStore('.')
const registry = createRegistry({
  store,
  keepApprovals: true,
  factory: () => ({
    approval: 'always',
    tools: [{ name: 't', run: () => appendFileSync('ran.txt', 'ran;') }],
    model: scriptedModel(how === 'ask' ? [[script.call('c1', 't', {})]] : [[script.text('done')]]),
  }),
})
if (how === 'ask') {
  const agent = await registry.create({ id: 's' })
  agent.subscribe({}, async ({ type }) => {
    if (type !== 'approval/asked') return
    await agent.log.flush()
    console.log('asked')
  })
  agent.followup('go')
} else {
  const agent = await registry.resume('s')
  console.log('open', agent.approvals.open.length)
  if (how === 'approve') {
    agent.approve('c1', 'allow')
    await agent.whenIdle()
    console.log(agent.log.read().findLast(({ type }) => type === 'turn/end').data.reason.kind)
    await registry.close()
  }
}
`

it('a process that is killed while it waits loses nothing, however often; the body runs once', async () => {
  writeFileSync(join(scripts, 'worker.js'), WORKER)
  const ask = node('worker.js', 'ask')
  await ask.saw('asked')
  ask.process.kill('SIGKILL')
  await ask.ended
  const look = node('worker.js', 'look')
  await look.saw('open 1')
  look.process.kill('SIGKILL')
  await look.ended
  const approve = node('worker.js', 'approve')
  expect([await approve.ended, approve.err()]).toEqual([0, ''])
  expect(approve.out()).toBe('open 1\ncompleted\n')
  expect(readFileSync(join(cwd, 'ran.txt'), 'utf8')).toBe('ran;')
})
