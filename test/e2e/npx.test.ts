/**
 * In a clone `npx turnwise` is the command of the clone, as README.md has it. npm links the package into its cache for that,
 * and prepares it there.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
}
const folder = mkdtempSync(join(tmpdir(), 'turnwise-npx-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Prepares a package whose build only says so. */
function prepared(command: string): string {
  const build = 'node -e "fs.writeSync(1, \'built\')"'
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { build } }))
  const { stdout } = spawnSync('sh', ['-c', scripts['prepare'] ?? ''], {
    cwd: folder,
    env: { ...process.env, npm_command: command },
    encoding: 'utf8',
  })
  return stdout.includes('built') ? 'built' : 'left'
}

it('what is built is not built again for npx, which would take it away from others', () => {
  expect(prepared('exec')).toBe('built')
  mkdirSync(join(folder, 'dist/cli'), { recursive: true })
  writeFileSync(join(folder, 'dist/cli/main.js'), '')
  expect(prepared('exec')).toBe('left')
  expect(prepared('ci')).toBe('built')
}, 60_000)

it('a build leaves a file that can be run: npm makes it so only when it links it', () => {
  expect(scripts['build']).toContain("fs.chmodSync('dist/cli/main.js', 0o755)")
})
