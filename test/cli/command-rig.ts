/**
 * The whole command in this process: real folder, real log, real agent; only the model and the streams are stand-ins.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { Clock } from '../../src/actors/clock.ts'
import type { Model } from '../../src/actors/model.port.ts'
import type { EndSignal, Surroundings } from '../../src/cli/surroundings.ts'
import { turnwise } from '../../src/cli/turnwise.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import { FakeOut } from './fake-out.ts'

/** The folder in which the command is called. */
export let cwd: string

/** Makes the folder before each test and removes it after. */
export function useCommand(): void {
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'turnwise-cli-'))
    put('README.md', '# sheep\n\nCounts sheep.\n')
    put('src/index.ts', '/** The gate. */\nexport const gate = 1\n')
  })
  afterEach(() => {
    rmSync(cwd, { recursive: true, force: true })
  })
}

/** Writes a file below the folder. */
export function put(path: string, content: string): void {
  mkdirSync(join(cwd, path, '..'), { recursive: true })
  writeFileSync(join(cwd, path), content)
}

/** What stands around a call of the command. */
export interface Around {
  readonly env?: Record<string, string>
  /** Undefined: a terminal. */
  readonly stdin?: string | undefined
  readonly model?: Model
  readonly makeModel?: Surroundings['makeModel']
  readonly out?: FakeOut
  readonly err?: FakeOut
  readonly clock?: Clock
  /** Called with the function that sends a signal, before the command starts. */
  readonly signals?: (send: (signal: EndSignal) => void) => void
}

/** What a call of the command came to. */
export interface Called {
  readonly code: number
  readonly out: string
  readonly err: string
  /** Exit codes of `exit`, which ends the process at once. */
  readonly exits: readonly number[]
}

/** Calls `turnwise` with some words. */
export async function call(words: readonly string[], around: Around = {}): Promise<Called> {
  const out = around.out ?? new FakeOut()
  const err = around.err ?? new FakeOut()
  const listeners = new Map<EndSignal, Set<() => void>>()
  const exits: number[] = []
  around.signals?.((signal) => {
    for (const listener of listeners.get(signal) ?? []) listener()
  })
  const code = await turnwise(words, {
    env: around.env ?? {},
    cwd,
    stdin: stdinOf(around.stdin),
    stdout: out,
    stderr: err,
    onSignal: (signal, listener) => {
      const known = listeners.get(signal) ?? new Set()
      listeners.set(signal, known.add(listener))
      return () => known.delete(listener)
    },
    exit: (exitCode) => exits.push(exitCode),
    ...(around.clock !== undefined && { clock: around.clock }),
    ...makerOf(around),
  })
  return { code, out: out.text, err: err.text, exits }
}

function makerOf({ model, makeModel }: Around): Pick<Surroundings, 'makeModel'> {
  if (makeModel !== undefined) return { makeModel }
  if (model === undefined) return {}
  return { makeModel: () => Promise.resolve({ model, title: 'scripted', retry: false }) }
}

function stdinOf(text: string | undefined): Surroundings['stdin'] {
  return Object.assign(pieces(text ?? ''), { isTTY: text === undefined })
}

async function* pieces(text: string): AsyncGenerator<Uint8Array, void> {
  await Promise.resolve()
  // One byte at a time: characters must survive being cut.
  for (const byte of new TextEncoder().encode(text)) yield Uint8Array.of(byte)
}

/** Files in the folder of logs; none where there is no such folder. */
export function logFiles(dir = '.turnwise'): string[] {
  try {
    return readdirSync(join(cwd, dir)).toSorted()
  } catch {
    return []
  }
}

/** The stored events of the only session, or of one by its id. */
export function storedEvents(id?: string): StoredEvent[] {
  const file = id === undefined ? logFiles()[0] : `${id}.jsonl`
  const lines = readFileSync(join(cwd, '.turnwise', file ?? ''), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.slice(1).map((line) => JSON.parse(line) as StoredEvent)
}
