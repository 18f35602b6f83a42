/**
 * Runs a tier against a planted fault, in a process of its own.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TierName } from './tiers.ts'

export interface Verdict {
  /** What was found first, in one line; null when nothing was. */
  readonly found: string | null
  readonly ms: number
}

/** A sound library needs a small part of it. */
const LIMIT_MS = 120_000

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

/** Explores the library with the fault `id` in it; with '' as it is. A tier that does not end has found something. */
export function explorePlanted(id: string, tier: TierName): Promise<Verdict> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', here('plant.ts'), here('tier.ts'), tier], {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, TURNWISE_FAULT: id, NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (data: Buffer) => (out += data.toString()))
    child.stderr.on('data', (data: Buffer) => (err += data.toString()))
    child.on('error', reject)
    child.on('close', (_code, signal) => {
      const line = out.trim().split('\n').at(-1) ?? ''
      if (line.startsWith('{')) resolve(JSON.parse(line) as Verdict)
      else if (signal === 'SIGKILL')
        resolve({ found: 'it does not end', ms: Math.round(performance.now() - started) })
      else reject(new Error(`${tier} on ${id || 'the sound library'} said nothing: ${err || out}`))
    })
  })
}
