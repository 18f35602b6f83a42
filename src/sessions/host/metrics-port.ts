/**
 * What a host counts and measures.
 *
 * @module
 */
import type { TurnReason } from '../../events/message.ts'
import type { EvictionCause } from './host-port.ts'

/** Durations in ms. Quantiles are exact to 5 %; 0 while nothing was measured. */
export interface DurationSummary {
  readonly count: number
  readonly sum: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** What one tenant, or all of them, have at the moment. */
export interface TenantGauges {
  /** Sessions in memory, those that come and go included. */
  readonly resident: number
  /** Turns that run. */
  readonly running: number
  /** Turns that wait because as many run as may. */
  readonly waiting: number
  /** Messages that no turn works on yet. */
  readonly pending: number
}

/** A picture of a host, since it was made. */
export interface HostMetrics {
  /** Messages that got a receipt. */
  readonly accepted: number
  /** Messages that got none, by code; `UNKNOWN` for what has none. */
  readonly refused: Readonly<Record<string, number>>
  readonly created: number
  readonly resumed: number
  readonly evicted: Readonly<Record<EvictionCause, number>>
  /** Turns that ended, by reason. */
  readonly turns: Readonly<Partial<Record<TurnReason['kind'], number>>>
  /** Contained faults. */
  readonly faults: number
  readonly now: TenantGauges
  /** Tenants with a session in memory or on its way there. */
  readonly tenants: readonly (TenantGauges & { readonly tenant: string })[]
  /** From `send` to its receipt. */
  readonly receiptMs: DurationSummary
  /** From the wish to use a session that is not in memory until it is; waiting for a place included. */
  readonly openMs: DurationSummary
  /** Waiting of turns for a place to run. */
  readonly waitMs: DurationSummary
  /** From the beginning of a turn to its end, waiting included. */
  readonly turnMs: DurationSummary
}
