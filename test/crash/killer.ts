/**
 * Starts workers and ends them in the middle of their work.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { judge } from './judge.ts'
import type { Verdict } from './judge.ts'
import { Traces } from './worker-config.ts'
import type { Place, WorkerConfig } from './worker-config.ts'

const WORKER = join(import.meta.dirname, 'worker.ts')

/** How much is to be killed. */
export interface Budget {
  /** Append indices at which a worker is killed. */
  readonly indices: readonly number[]
  /** Kills at random instants, with many sessions under way. */
  readonly random: number
  /** Times an owner is stopped past its lease and let go on. */
  readonly stops: number
  readonly sessions: number
}

export interface CrashReport extends Verdict {
  readonly store: string
  readonly kills: number
  readonly stops: number
  /** What went wrong with the workers themselves. */
  readonly faults: readonly string[]
}

/** Ms that a stopped owner of a session may be overtaken after. */
const TTL_MS = 300
/** Ms after which a stopped worker goes on, if nobody could overtake it. */
const PATIENCE_MS = 4000

interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A series of crashes on one store. */
export class Killer {
  private readonly dir = mkdtempSync(join(tmpdir(), 'turnwise-crash-'))
  private readonly place: Place
  private kills = 0
  private stops = 0
  private readonly random: () => number

  /** @param seed - of the random instants. */
  constructor(place: (dir: string) => Place, seed: number) {
    this.place = place(this.dir)
    this.random = generator(seed)
  }

  async run(budget: Budget): Promise<CrashReport> {
    const all = ids('load', budget.sessions)
    for (const at of budget.indices) await this.killAt(at)
    for (let n = 0; n < budget.random; n++) await this.killSomewhen(all, n)
    for (let n = 0; n < budget.stops; n++) await this.overtake(ids(`stop${n}`, 3))
    const sessions = [...all, ...this.others]
    const config = this.config(sessions, { finish: true, prompts: 1 })
    const { code } = await this.end(this.start(config))
    const verdict = await judge(config)
    const faults = new Traces(this.dir).read('fault')
    if (code !== 0) faults.push(`the last worker ended with ${code}`)
    const report: CrashReport = {
      store: this.place.kind,
      kills: this.kills,
      stops: this.stops,
      faults,
      ...verdict,
    }
    rmSync(this.dir, { recursive: true, force: true })
    return report
  }

  /** Sessions beside those that are under load. */
  private readonly others: string[] = []

  /** Kills at one append, as it is recorded and once it is durable, and again in the repair and what follows. */
  private async killAt(at: number): Promise<void> {
    const lives = (['appended', 'durable'] as const).map(async (when) => {
      const session = `at-${at}-${when}`
      this.others.push(session)
      const config = this.config([session], { prompts: 1 })
      for (const kill of [
        { at, when },
        { at: 1 + (at % 4), when },
      ]) {
        const { signal } = await this.end(this.start({ ...config, kill }))
        if (signal === 'SIGKILL') this.kills++
      }
    })
    await Promise.all(lives)
  }

  private async killSomewhen(sessions: readonly string[], n: number): Promise<void> {
    const worker = this.start(this.config(sessions, { prompts: 3 * n + 3 }))
    await ready(worker)
    const timer = setTimeout(() => worker.kill('SIGKILL'), this.random() * 50)
    const { signal } = await this.end(worker)
    clearTimeout(timer)
    if (signal === 'SIGKILL') this.kills++
  }

  /** The stopped worker goes on once its successor is done, in the belief that it is still the owner. */
  private async overtake(sessions: readonly string[]): Promise<void> {
    const config = this.config(sessions, { prompts: 20 })
    const zombie = this.start(config)
    await ready(zombie)
    await new Promise((resolve) => setTimeout(resolve, 5 + this.random() * 20))
    zombie.kill('SIGSTOP')
    this.stops++
    const successor = this.start({ ...config, finish: true })
    const ended = this.end(successor)
    const patience = setTimeout(() => zombie.kill('SIGCONT'), PATIENCE_MS)
    await (this.place.kind === 'file' ? Promise.resolve() : ended)
    zombie.kill('SIGCONT')
    await this.end(zombie)
    await ended
    clearTimeout(patience)
    this.others.push(...sessions)
  }

  private config(
    sessions: readonly string[],
    more: Partial<WorkerConfig> & Pick<WorkerConfig, 'prompts'>,
  ): WorkerConfig {
    return {
      place: this.place,
      traces: this.dir,
      sessions,
      ttlMs: TTL_MS,
      finish: false,
      ...more,
    }
  }

  private start(config: WorkerConfig): ChildProcess {
    return spawn(process.execPath, ['--no-warnings', WORKER, JSON.stringify(config)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'turnwise-crash-cache') },
    })
  }

  private end(worker: ChildProcess): Promise<Exit> {
    const { exitCode, signalCode } = worker
    if (exitCode !== null || signalCode !== null)
      return Promise.resolve({ code: exitCode, signal: signalCode })
    return new Promise((resolve) => {
      worker.once('exit', (code, signal) => {
        resolve({ code, signal })
      })
    })
  }
}

const ids = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${name}-${n}`)

/** Resolves when its sessions are open, or when it has ended. */
const ready = (worker: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    worker.stdout?.once('data', () => {
      resolve()
    })
    worker.once('exit', () => {
      resolve()
    })
  })

/** Mulberry32, so that a series can be run again. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
