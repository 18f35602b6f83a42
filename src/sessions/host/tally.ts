/**
 * What a host counts, and whom it tells.
 *
 * @module
 */
import type { Diagnostic } from '../../actors/agent-options.ts'
import { causeChain } from '../../errors.ts'
import type { TurnReason } from '../../events/message.ts'
import { Durations } from './durations.ts'
import type { EvictionCause, HostHealth, HostNotice } from './host-port.ts'
import type { HostMetrics } from './metrics-port.ts'
import type { Tenants } from './tenants.ts'

/** Counters, durations and listeners of one host. */
export class Tally {
  readonly receiptMs = new Durations()
  readonly openMs = new Durations()
  readonly waitMs = new Durations()
  readonly turnMs = new Durations()
  lastFault: HostHealth['lastFault'] | undefined
  private accepted = 0
  private created = 0
  private resumed = 0
  private faults = 0
  private readonly refused: Record<string, number> = {}
  private readonly evicted: Record<EvictionCause, number> = {
    idle: 0,
    pressure: 0,
    lost: 0,
    closing: 0,
    elsewhere: 0,
  }
  private readonly turns: Partial<Record<TurnReason['kind'], number>> = {}
  private readonly listeners = new Set<(notice: HostNotice) => void>()
  private readonly report: ((diagnostic: Diagnostic) => void) | undefined
  private readonly now: () => number

  /** @param report - told of contained faults. */
  constructor(report: ((diagnostic: Diagnostic) => void) | undefined, now: () => number) {
    this.report = report
    this.now = now
  }

  listen(listener: (notice: HostNotice) => void): () => void {
    const own = (notice: HostNotice): void => {
      listener(notice)
    }
    this.listeners.add(own)
    return () => {
      this.listeners.delete(own)
    }
  }

  readonly tell = (notice: HostNotice): void => {
    this.note(notice)
    for (const listener of this.listeners) {
      try {
        listener(notice)
      } catch (error) {
        this.fault('listener', error)
      }
    }
  }

  receipt(ms: number): void {
    this.accepted += 1
    this.receiptMs.add(ms)
  }

  refusal(error: unknown): void {
    const code: unknown = (error as { readonly code?: unknown } | null | undefined)?.code
    const name = typeof code === 'string' ? code : 'UNKNOWN'
    this.refused[name] = (this.refused[name] ?? 0) + 1
  }

  fault(kind: Diagnostic['kind'], error: unknown): void {
    const message = causeChain(error)
    this.faults += 1
    this.lastFault = { at: this.now(), message }
    try {
      this.report?.({ kind, message, error })
    } catch {
      // Nobody is left to tell.
    }
  }

  metrics(tenants: Tenants): HostMetrics {
    const { accepted, created, resumed, faults } = this
    return {
      accepted,
      refused: { ...this.refused },
      created,
      resumed,
      evicted: { ...this.evicted },
      turns: { ...this.turns },
      faults,
      now: tenants.house.gauges,
      tenants: tenants.list().map((tenant) => ({ tenant: tenant.name, ...tenant.gauges })),
      receiptMs: this.receiptMs.summary,
      openMs: this.openMs.summary,
      waitMs: this.waitMs.summary,
      turnMs: this.turnMs.summary,
    }
  }

  private note(notice: HostNotice): void {
    if (notice.type === 'ended') {
      const { kind } = notice.reason
      this.turns[kind] = (this.turns[kind] ?? 0) + 1
    }
    if (notice.type === 'evicted') this.evicted[notice.why] += 1
    if (notice.type !== 'opened') return
    if (notice.how === 'created') this.created += 1
    if (notice.how === 'resumed') this.resumed += 1
  }
}
