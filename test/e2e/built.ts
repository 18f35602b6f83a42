/**
 * The executable, compiled from the source as it stands, so that no test runs what was built before.
 */
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A compiled copy of the package. It lies inside the project, where its dependencies are found. */
export interface Built {
  readonly main: string
  remove(): void
}

/** Compiles the package into a folder of its own. */
export function build(): Built {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'turnwise-e2e-'))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  // Types are checked elsewhere; here they would only take time.
  const options = [
    '--outDir',
    join(folder, 'dist'),
    '--noCheck',
    '--declaration',
    'false',
    '--declarationMap',
    'false',
  ]
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', ...options], { cwd: root })
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
  return {
    main: join(folder, 'dist/cli/main.js'),
    remove: () => {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A process that was started, and what it has written so far. */
export interface Running {
  readonly process: ChildProcess
  readonly out: () => string
  readonly err: () => string
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
  /** Resolves once standard output holds `text`. */
  saw(text: string): Promise<void>
}

/** Starts a program without the keys of whoever runs the tests. */
export function start(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Running {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(program, args, {
    cwd,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (out += piece))
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (err += piece))
  return {
    process: child,
    out: () => out,
    err: () => err,
    ended: once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string),
    async saw(text) {
      while (!out.includes(text)) await once(child.stdout, 'data')
    },
  }
}
