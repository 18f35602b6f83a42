/**
 * Runs a tier against a planted fault, in a process of its own.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TierName } from './tier-names.ts'

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

/**
 * Explores the library with the fault `id` in it; with '' as it is. Answers what was found first, in one line; null when
 * nothing was. A tier that does not end has found something.
 */
export function explorePlanted(id: string, tier: TierName): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', here('plant.ts'), here('tier.ts'), tier], {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, TURNWISE_FAULT: id, NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (data: Buffer) => (out += data.toString()))
    child.stderr.on('data', (data: Buffer) => (err += data.toString()))
    child.on('error', reject)
    child.on('close', () => {
      const line = out.trim().split('\n').at(-1) ?? ''
      if (line.startsWith('{')) resolve((JSON.parse(line) as { found: string | null }).found)
      else reject(new Error(`${tier} on ${id || 'the sound library'} said nothing: ${err || out}`))
    })
  })
}
