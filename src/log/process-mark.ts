/**
 * Which process holds something, and whether it still runs: locks and leases of a dead one may be taken over.
 *
 * @module
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** One process, so that it is not mistaken for a later one of the same pid. Texts are empty where the system does not tell. */
export interface ProcessMark {
  readonly pid: number
  /** When the process started, in ticks since boot. */
  readonly start: string
  readonly host: string
  readonly boot: string
  /** The namespace in which `pid` means something. */
  readonly space: string
}

/** Does this process run? One that cannot be looked at (another machine, another container) counts as alive. */
export function isAlive(mark: ProcessMark): boolean {
  const me = thisProcess()
  if (mark.host !== me.host) return true
  if (mark.boot !== me.boot) return false
  if (mark.space !== me.space) return true
  if (!isRunning(mark.pid)) return false
  const { state, start } = statOf(mark.pid)
  return !DEAD.has(state) && (mark.start === '' || start === mark.start)
}

/** Is there a process of this pid? */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** The mark of this process. */
export function thisProcess(): ProcessMark {
  return {
    pid: process.pid,
    start: statOf(process.pid).start,
    host: hostname(),
    boot: readText('/proc/sys/kernel/random/boot_id').trim(),
    space: linkText('/proc/self/ns/pid'),
  }
}

/** States of a process that is over, but whose parent has not asked how it ended. */
const DEAD: ReadonlySet<string> = new Set(['Z', 'X'])

/** Fields 3 and 22 of `/proc/PID/stat` (proc_pid_stat(5)); the name in field 2 may hold anything, so it is cut away first. */
function statOf(pid: number): { readonly state: string; readonly start: string } {
  const stat = readText(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', start: fields[19] ?? '' }
}

/** The text of a file; empty when it cannot be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function linkText(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | null)?.code
