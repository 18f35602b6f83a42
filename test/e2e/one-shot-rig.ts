/**
 * The one-shot command as a process of its own, with an agent that a test writes into a file.
 *
 * @module
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { build, start } from './built.ts'
import type { Built, Running } from './built.ts'

/** The compiled package, and the folder in which the command is called. */
export let built: Built
export let cwd: string

/** Compiles the package once, and makes a folder for each test. */
export function useOneShot(): void {
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
}

/** Writes an agent file whose default export is `options`, JavaScript. */
export function agent(options: string): void {
  const dist = pathToFileURL(join(dirname(built.main), '..')).href
  const code = `
import { script, scriptedModel } from '${dist}/testing/index.js'
export default ${options}
void script, scriptedModel
`
  writeFileSync(join(cwd, 'agent.mjs'), code)
}

/** What a process came to. */
export interface Ended {
  readonly exit: number | string
  readonly stdout: string
  readonly stderr: string
}

export async function ended(running: Running): Promise<Ended> {
  const exit = await running.ended
  return { exit, stdout: running.out(), stderr: running.err() }
}

export const turnwise = (...args: string[]): Promise<Ended> =>
  ended(start(process.execPath, [built.main, ...args], { cwd }))
/** Runs a prompt with the agent of the file. */
export const run = (prompt: string, ...args: string[]): Promise<Ended> =>
  turnwise('run', prompt, '--agent', 'agent.mjs', ...args)

/** The log of the only session, as it is stored. */
export const storedLog = (): string => {
  const [file = ''] = readdirSync(join(cwd, '.turnwise'))
  return readFileSync(join(cwd, '.turnwise', file), 'utf8')
}
