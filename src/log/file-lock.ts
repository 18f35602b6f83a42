/**
 * One owner per session: a lock file beside the log, with takeover from a process that is gone.
 *
 * The lock names its holder by pid and by the time that process started, since pids are used again. What still slips
 * through is caught by the log itself: it refuses to append to a file that somebody else made longer.
 *
 * K1 The lock file is linked into place with its content, so nobody ever reads half of one.
 * K2 A lock is removed only by its holder, or under a second lock by somebody who finds the holder gone.
 * K3 A holder that cannot be looked at (another machine, another container) counts as alive.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import { openSync, closeSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { TurnwiseError } from '../errors.ts'
import { createWhole } from './disk-file.ts'
import { isAlive, isRunning, readText, thisProcess } from './process-mark.ts'
import type { ProcessMark } from './process-mark.ts'

/** Who holds a lock. */
interface LockHolder extends ProcessMark {
  readonly token: string
}

const ROUNDS = 5

/**
 * Takes the lock of a log.
 *
 * @returns gives it back; never throws.
 * @throws TurnwiseError SESSION_LIVE while somebody else holds it.
 */
export function acquireLock(file: string): () => void {
  const lock = `${file}.lock`
  const mine: LockHolder = { token: randomUUID(), ...thisProcess() }
  const content = Buffer.from(`${JSON.stringify(mine)}\n`)
  for (let round = 0; round < ROUNDS; round++) {
    if (created(lock, content)) return () => release(lock, mine.token)
    const holder = read(lock)
    if (holder === 'missing') continue
    if (holder !== 'broken' && isAlive(holder)) throw live(lock, holder)
    takeOver(lock, holder)
  }
  throw new TurnwiseError(
    'SESSION_LIVE',
    `expected to lock ${lock}, but others keep taking it; nothing was changed.`,
  )
}

/**
 * Who has the log open: a process that runs, one that is gone without giving it back, or nobody. It looks and takes nothing.
 */
export function lockHolder(file: string): 'alive' | 'gone' | 'none' {
  const holder = read(`${file}.lock`)
  if (holder === 'missing') return 'none'
  return holder !== 'broken' && isAlive(holder) ? 'alive' : 'gone'
}

function created(lock: string, content: Uint8Array): boolean {
  try {
    createWhole(lock, content, false)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** A lock without readable content is what a power failure leaves behind: its holder is gone. */
function read(lock: string): LockHolder | 'missing' | 'broken' {
  try {
    const holder = JSON.parse(readFileSync(lock, 'utf8')) as LockHolder | null
    return typeof holder?.pid === 'number' && typeof holder.token === 'string' ? holder : 'broken'
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'missing' : 'broken'
  }
}

function release(lock: string, token: string): void {
  const holder = read(lock)
  if (typeof holder === 'object' && holder.token === token) remove(lock)
}

/** Two who find the same lock stale must not remove each other's new one: the second lock lets one look at a time. */
function takeOver(lock: string, stale: LockHolder | 'broken'): void {
  const guard = `${lock}.takeover`
  try {
    const fd = openSync(guard, 'wx', 0o600)
    writeSync(fd, String(process.pid))
    closeSync(fd)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    const pid = Number(readText(guard))
    if (pid > 0 && !isRunning(pid)) remove(guard)
    return
  }
  try {
    const now = read(lock)
    if (tokenOf(now) === tokenOf(stale)) remove(lock)
  } finally {
    remove(guard)
  }
}

const tokenOf = (holder: LockHolder | 'missing' | 'broken'): string =>
  typeof holder === 'object' ? holder.token : holder

function remove(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // It is gone already, which is what was wanted.
  }
}

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | null)?.code

function live(lock: string, holder: LockHolder): TurnwiseError {
  return new TurnwiseError(
    'SESSION_LIVE',
    `expected a session that nobody has open, but process ${holder.pid} on ${holder.host} holds ${lock}; nothing was changed. Close it there; if that process is surely gone, delete the lock file.`,
  )
}
