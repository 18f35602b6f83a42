/**
 * The metrics of a host in the text format of Prometheus.
 *
 * @module
 */
import type { DurationSummary, HostMetrics, TenantGauges } from './metrics-port.ts'

export interface MetricsTextOptions {
  /** Begins every name. Default `turnwise_`. */
  readonly prefix?: string
  /** Gauges of each tenant as well: as many time series as there are tenants. Default false. */
  readonly tenants?: boolean
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number, suffix?: string]

const GAUGES: Readonly<Record<keyof TenantGauges, string>> = {
  resident: 'Sessions in memory.',
  running: 'Turns that run.',
  waiting: 'Turns that wait because as many run as may.',
  pending: 'Messages that no turn works on yet.',
}

/**
 * Prints metrics, to be served as `text/plain; version=0.0.4`.
 *
 * @returns lines that end with a line feed.
 */
export function metricsText(metrics: HostMetrics, options: MetricsTextOptions = {}): string {
  const { prefix = 'turnwise_' } = options
  const lines: string[] = []
  const family = (name: string, type: string, help: string, samples: readonly Sample[]): void => {
    const full = `${prefix}${name}`
    lines.push(`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`)
    for (const [labels, value, suffix = ''] of samples)
      lines.push(`${full}${suffix}${labelsOf(labels)} ${value}`)
  }
  const counter = (name: string, help: string, samples: readonly Sample[]): void => {
    family(name, 'counter', help, samples)
  }
  counter('messages_accepted_total', 'Messages that got a receipt.', [[{}, metrics.accepted]])
  counter('messages_refused_total', 'Messages that got none.', by('code', metrics.refused))
  counter('sessions_created_total', 'Sessions that were created.', [[{}, metrics.created]])
  counter('sessions_resumed_total', 'Sessions that were resumed.', [[{}, metrics.resumed]])
  counter('sessions_evicted_total', 'Sessions that left the memory.', by('why', metrics.evicted))
  counter('turns_total', 'Turns that ended.', by('reason', metrics.turns))
  counter('faults_total', 'Contained faults.', [[{}, metrics.faults]])
  for (const [name, help] of Object.entries(GAUGES) as [keyof TenantGauges, string][]) {
    family(name, 'gauge', help, [[{}, metrics.now[name]]])
    if (options.tenants !== true) continue
    const samples = metrics.tenants.map((one): Sample => [{ tenant: one.tenant }, one[name]])
    family(`tenant_${name}`, 'gauge', help, samples)
  }
  const summary = (name: string, help: string, measured: DurationSummary): void => {
    family(name, 'summary', help, quantiles(measured))
  }
  summary('receipt_seconds', 'From a message to its receipt.', metrics.receiptMs)
  summary('open_seconds', 'Until a session is in memory.', metrics.openMs)
  summary('wait_seconds', 'Waiting of turns for a place to run.', metrics.waitMs)
  summary('turn_seconds', 'From the beginning of a turn to its end.', metrics.turnMs)
  return `${lines.join('\n')}\n`
}

const by = (label: string, counts: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(counts).map(([name, count]) => [{ [label]: name }, count])

const seconds = (ms: number): number => Number((ms / 1000).toPrecision(6))

const quantiles = ({ count, sum, p50, p99 }: DurationSummary): Sample[] => [
  [{ quantile: '0.5' }, seconds(p50)],
  [{ quantile: '0.99' }, seconds(p99)],
  [{}, seconds(sum), '_sum'],
  [{}, count, '_count'],
]

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (value: string): string =>
  value
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)
