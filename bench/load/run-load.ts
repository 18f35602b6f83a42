/**
 * One load run: a host, many sessions, some of them at work, until each has had its prompts; then the verdict.
 *
 * @module
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStore } from '../../src/log/sqlite/sqlite-store.ts'
import { fileStore } from '../../src/sessions/file-store.ts'
import { createAgentHost } from '../../src/sessions/host/agent-host.ts'
import type { AgentHost } from '../../src/sessions/host/host-port.ts'
import type { HostMetrics } from '../../src/sessions/host/metrics-port.ts'
import { memoryStore } from '../../src/sessions/memory-store.ts'
import type { SessionStore } from '../../src/sessions/session-store.ts'
import { FairnessWatch, judgeLog, type Zeros } from './judge.ts'
import { LatencyClock } from './latency-clock.ts'
import { type MemoryReport, MemoryWatch } from './memory.ts'
import {
  answeringModel,
  indexOf,
  orderOf,
  promptId,
  promptsAtOnce,
  seeded,
  sessionId,
  tenantOf,
} from './workload.ts'

export interface LoadOptions {
  readonly sessions: number
  /** Turns that run at a time. */
  readonly running: number
  /** Sessions in memory. */
  readonly resident: number
  /** Rounds; in each one every session is prompted. */
  readonly turns: number
  /** Rounds go on until this time is over, instead. */
  readonly minutes?: number
  readonly store: 'sqlite' | 'file' | 'memory'
}

export interface LoadReport {
  readonly options: LoadOptions
  readonly turns: number
  readonly seconds: number
  readonly metrics: HostMetrics
  readonly memory: MemoryReport
  readonly zeros: Zeros
  readonly fairness: { readonly waits: number; readonly passedOver: number }
  /** Most turns that ran at the same time. */
  readonly ranAtOnce: number
  readonly passed: boolean
}

/** Prompts under way, for each turn that may run: so that there is always somebody who waits. */
const UNDER_WAY = 4
/** Virtual ms after which an idle session leaves. */
const IDLE_MS = 20_000

/** Runs it. @param progress - told once in a round. */
export async function runLoad(
  options: LoadOptions,
  progress: (line: string) => void = () => {},
): Promise<LoadReport> {
  const dir = mkdtempSync(join(tmpdir(), 'turnwise-load-'))
  try {
    return await new LoadRun(options, dir).run(progress)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function openStore(kind: LoadOptions['store'], dir: string): Kept {
  if (kind === 'memory') return { store: memoryStore(), close: () => Promise.resolve() }
  if (kind === 'file') return { store: fileStore(dir), close: () => Promise.resolve() }
  const store = sqliteStore(join(dir, 'sessions.db'), { ttlMs: 60_000 })
  return { store, close: () => store.close() }
}

interface Kept {
  readonly store: SessionStore
  close(): Promise<void>
}

class LoadRun {
  private readonly options: LoadOptions
  private readonly kept: Kept
  private readonly clock = new LatencyClock()
  private readonly random = seeded(1)
  private readonly zeros: Zeros = { lost: 0, doubled: 0, outOfOrder: 0, unhandled: 0 }
  private readonly fairness = new FairnessWatch()
  /** By session: prompts that were sent, that got a receipt, and turns that ended. Fixed in size: a run must not grow. */
  private readonly sent: Uint32Array
  private readonly accepted: Uint32Array
  private readonly ended: Uint32Array
  private readonly waiting = new Map<number, () => void>()
  private readonly host: AgentHost
  private ranAtOnce = 0
  private onEvicted = (): void => {}

  constructor(options: LoadOptions, dir: string) {
    this.options = options
    this.kept = openStore(options.store, dir)
    this.sent = new Uint32Array(options.sessions)
    this.accepted = new Uint32Array(options.sessions)
    this.ended = new Uint32Array(options.sessions)
    const { clock } = this
    const model = answeringModel(clock, seeded(2))
    const unhandled = (): void => {
      this.zeros.unhandled += 1
    }
    this.host = createAgentHost({
      store: this.kept.store,
      // Agents live by the clock of the machine: their graces are waits for the disk, which is real.
      factory: () => ({ model, onDiagnostic: unhandled }),
      clock,
      tenantOf,
      idleMs: IDLE_MS,
      maxResident: options.resident,
      maxRunning: options.running,
      maxPending: Infinity,
      onDiagnostic: unhandled,
    })
  }

  async run(progress: (line: string) => void): Promise<LoadReport> {
    const { host, options } = this
    const unhandled = (): void => {
      this.zeros.unhandled += 1
    }
    process.on('unhandledRejection', unhandled)
    process.on('uncaughtExceptionMonitor', unhandled)
    host.listen(this.fairness.hear)
    host.listen((notice) => {
      if (notice.type === 'ended') this.end(indexOf(notice.id))
      if (notice.type === 'evicted') this.onEvicted()
      if (notice.type === 'started')
        this.ranAtOnce = Math.max(this.ranAtOnce, host.health().running)
    })
    const memory = new MemoryWatch()
    const seconds = await this.rounds(memory, progress)
    const metrics = host.metrics()
    const { exitCode } = await host.close()
    if (exitCode !== 0) unhandled()
    await this.judge()
    await this.kept.close()
    process.off('unhandledRejection', unhandled)
    process.off('uncaughtExceptionMonitor', unhandled)
    return this.report(seconds, metrics, memory.end(options.store !== 'memory'))
  }

  /** @returns seconds in which sessions were at work. */
  private async rounds(memory: MemoryWatch, progress: (line: string) => void): Promise<number> {
    const { turns, minutes } = this.options
    let worked = 0
    for (
      let round = 1;
      minutes === undefined ? round <= turns : worked < minutes * 60;
      round += 1
    ) {
      const began = performance.now()
      await this.round()
      worked += (performance.now() - began) / 1000
      await this.empty()
      const { created, resumed } = this.host.metrics()
      await memory.rest(created + resumed)
      progress(`round ${round}: ${worked.toFixed(1)} s of work, ${resumed} resumed`)
    }
    return worked
  }

  /** Prompts every session, with a fixed number of prompts under way. */
  private async round(): Promise<void> {
    const order = orderOf(this.options.sessions, this.random)
    let next = 0
    const worker = async (): Promise<void> => {
      while (next < order.length) await this.prompt(order[next++] as number)
    }
    await Promise.all(Array.from({ length: this.options.running * UNDER_WAY }, worker))
  }

  private async prompt(index: number): Promise<void> {
    const over = new Promise<void>((resolve) => this.waiting.set(index, resolve))
    const receipts = Array.from({ length: promptsAtOnce(index) }, () => this.send(index))
    await Promise.all([over, ...receipts])
  }

  private async send(index: number): Promise<void> {
    const session = sessionId(index)
    this.sent[index] = (this.sent[index] as number) + 1
    const id = promptId(session, this.sent[index])
    try {
      await this.host.send(session, { id, content: id })
      this.accepted[index] = (this.accepted[index] as number) + 1
    } catch {
      this.zeros.unhandled += 1
      this.end(index)
    }
  }

  private end(index: number): void {
    const ended = (this.ended[index] as number) + 1
    this.ended[index] = ended
    if (ended < (this.sent[index] as number)) return
    this.waiting.get(index)?.()
    this.waiting.delete(index)
  }

  /** Lets every session leave the memory. */
  private async empty(): Promise<void> {
    while (this.host.health().resident > 0) {
      const left = new Promise<void>((resolve) => (this.onEvicted = resolve))
      this.clock.advance(IDLE_MS)
      // Those that are about to rest come to it meanwhile.
      await Promise.race([left, new Promise((resolve) => setImmediate(resolve))])
    }
  }

  private async judge(): Promise<void> {
    for (let index = 0; index < this.options.sessions; index += 1) {
      const session = sessionId(index)
      const { events } = await this.kept.store.read(session)
      judgeLog(this.zeros, session, events, this.accepted[index] as number)
    }
  }

  private report(seconds: number, metrics: HostMetrics, memory: MemoryReport): LoadReport {
    const { options, zeros, ranAtOnce } = this
    const { waits, passedOver } = this.fairness
    const turns = this.ended.reduce((sum, count) => sum + count, 0)
    const faults = Object.values(zeros).reduce((sum: number, count: number) => sum + count, 0)
    const passed = faults === 0 && memory.flat !== false && passedOver <= 1
    const fairness = { waits, passedOver }
    return { options, turns, seconds, metrics, memory, zeros, fairness, ranAtOnce, passed }
  }
}
