/**
 * `npm run load [-- --sessions 10000 --running 200 --turns 2 --minutes M --resident N --store sqlite|file|memory --json]`
 *
 * Exits 1 if anything was lost, doubled, out of order or unhandled, if the memory grows, or if a tenant was passed over.
 *
 * @module
 */
import { parseArgs } from 'node:util'
import { type LoadOptions, type LoadReport, runLoad } from './run-load.ts'

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '10000' },
    running: { type: 'string', default: '200' },
    resident: { type: 'string' },
    turns: { type: 'string', default: '2' },
    minutes: { type: 'string' },
    store: { type: 'string', default: 'sqlite' },
    json: { type: 'boolean', default: false },
  },
})

/** Ends with a usage error. */
function refuse(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

function positive(name: 'sessions' | 'running' | 'resident' | 'turns' | 'minutes'): number {
  const value = Number(values[name])
  const whole = name === 'minutes' || Number.isSafeInteger(value)
  return value > 0 && whole ? value : refuse(`--${name} should be a positive number`)
}

if (!('gc' in globalThis))
  refuse('needs node --expose-gc, to see what is still held; use npm run load')
const running = positive('running')
const { store } = values
if (store !== 'sqlite' && store !== 'file' && store !== 'memory')
  refuse('--store should be sqlite, file or memory')
const options: LoadOptions = {
  sessions: positive('sessions'),
  running,
  resident: values.resident === undefined ? running * 5 : positive('resident'),
  turns: positive('turns'),
  ...(values.minutes !== undefined && { minutes: positive('minutes') }),
  store,
}

const ms = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0))
const mb = (value: number): string => `${value.toFixed(0)} MB`

function print({ turns, seconds, metrics, memory, zeros, fairness, ...more }: LoadReport): string {
  const { receiptMs, turnMs, openMs, evicted } = metrics
  const flat = memory.flat === undefined ? 'not judged' : memory.flat ? 'flat' : 'GROWS'
  const fair = fairness.passedOver <= 1 ? 'fair' : 'UNFAIR'
  const rows: readonly (readonly [string, string])[] = [
    ['sessions', `${options.sessions}, ${options.resident} in memory at most, on ${store}`],
    ['running', `${more.ranAtOnce} at once of ${running}`],
    ['turns', `${turns} in ${seconds.toFixed(1)} s: ${(turns / seconds).toFixed(0)} per second`],
    ['receipt', `p50 ${ms(receiptMs.p50)} ms, p99 ${ms(receiptMs.p99)} ms`],
    ['turn', `p50 ${ms(turnMs.p50)} ms, p99 ${ms(turnMs.p99)} ms`],
    ['open', `p50 ${ms(openMs.p50)} ms, p99 ${ms(openMs.p99)} ms`],
    ['resumed', `${metrics.resumed}; evicted ${evicted.idle} idle, ${evicted.pressure} for room`],
    ['peak memory', `${mb(memory.peakRssMb)} resident, ${mb(memory.peakHeapMb)} heap`],
    [
      'at rest',
      `${flat}: ${memory.atRestMb.map((heap) => heap.toFixed(1)).join(', ')} MB after the rounds, ${memory.leftBytes.toFixed(0)} bytes left by a session`,
    ],
    [
      'progress',
      `${fair}: ${fairness.waits} turns waited, no tenant was passed over more than ${fairness.passedOver} times by another`,
    ],
    ['lost', String(zeros.lost)],
    ['doubled', String(zeros.doubled)],
    ['out of order', String(zeros.outOfOrder)],
    ['unhandled', String(zeros.unhandled)],
  ]
  return rows.map(([what, text]) => `${what.padEnd(13)}${text}\n`).join('')
}

const report = await runLoad(options, (line) => {
  if (!values.json) process.stderr.write(`${line}\n`)
})
process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : print(report))
process.exitCode = report.passed ? 0 : 1
