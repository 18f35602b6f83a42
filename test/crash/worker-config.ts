/**
 * What a worker process of the crash tests is told, and where it leaves its traces.
 *
 * @module
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where sessions are kept. */
export type Place =
  | { readonly kind: 'file' | 'SQLite'; readonly dir: string }
  | { readonly kind: 'PostgreSQL'; readonly url: string; readonly schema: string }

export interface WorkerConfig {
  readonly place: Place
  /** Folder of the traces, which outlive every worker. */
  readonly traces: string
  readonly sessions: readonly string[]
  /** Prompts of each session; a worker sends those that its log does not hold yet. */
  readonly prompts: number
  /** Lease of a session, in ms. */
  readonly ttlMs: number
  /** Sends one prompt more, so that everything that was put back is taken up. */
  readonly finish: boolean
  /** Ends the process with SIGKILL at the `at`-th append of the first session in this life of the process. */
  readonly kill?: { readonly at: number; readonly when: 'appended' | 'durable' }
}

/** Files that workers append to, one line a fact. A line of these survives SIGKILL. */
export class Traces {
  private readonly dir: string

  constructor(dir: string) {
    this.dir = dir
  }

  /** Facts are `effect SESSION CALL`, `accepted SESSION ID`, `durable SESSION SEQ EVENT`, `stopped CODE`. */
  add(name: TraceName, ...fact: readonly (string | number)[]): void {
    appendFileSync(join(this.dir, name), `${fact.join(' ')}\n`)
  }

  read(name: TraceName): string[] {
    const file = join(this.dir, name)
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  }
}

export type TraceName = 'effect' | 'accepted' | 'durable' | 'stopped' | 'fault'
