/**
 * `npm run explore -- --states N --minutes M --json`: explores every room with a large budget, on as many threads as asked.
 *
 * States and time are shared out among the rooms that are left: what a small room does not use, the next one may.
 *
 * @module
 */
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { Progress } from '../src/testing/explore/options.ts'
import { type RoomName, ROOMS } from './explore-rooms.ts'
import type { Errand, Report } from './explore-worker.ts'

const { values } = parseArgs({
  options: {
    states: { type: 'string', default: '220000' },
    minutes: { type: 'string', default: '30' },
    room: { type: 'string', default: Object.keys(ROOMS).join(',') },
    workers: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
  },
})

const MINUTE = 60_000
const started = Date.now()
const workers = Number(values.workers)
const waiting = values.room.split(',') as RoomName[]
const reports: Report[] = []
/** States of rooms that are being explored. */
const promised = new Map<RoomName, number>()

const out = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** What the rooms that are left may share. */
function errandFor(room: RoomName): Errand {
  const rooms = waiting.length + 1
  const spent = reports.reduce((sum, { states }) => sum + states, 0)
  const under = [...promised.values()].reduce((sum, states) => sum + states, 0)
  const states = Math.max(Number(values.states) - spent - under, 0)
  const time = Number(values.minutes) * MINUTE - (Date.now() - started)
  const maxStates = Math.ceil(states / rooms)
  promised.set(room, maxStates)
  return { room, maxStates, seconds: Math.max((time * Math.min(workers, rooms)) / rooms / 1000, 1) }
}

const COLUMNS = ['room', 'states', 'moves', 'depth', 'seconds', 'ended', 'violations'] as const

const rowOf = (report: Report): string[] => [
  report.room,
  String(report.states),
  String(report.moves),
  String(report.depth),
  report.seconds.toFixed(0),
  report.ended,
  String(report.counterexamples.length),
]

const line = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(12) : cell.padStart(11))).join('')

interface Told {
  readonly report?: Report
  readonly progress?: Progress
  readonly failed?: string
}

/** Explores rooms on one thread until none is left. */
async function thread(): Promise<void> {
  const worker = new Worker(new URL('explore-worker.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 64, maxOldGenerationSizeMb: 3000 },
  })
  try {
    for (let room = waiting.shift(); room !== undefined; room = waiting.shift())
      reports.push(await explored(worker, errandFor(room)))
  } finally {
    await worker.terminate()
  }
}

function explored(worker: Worker, errand: Errand): Promise<Report> {
  return new Promise((resolve, reject) => {
    let shown = Date.now()
    const hear = ({ report, progress, failed }: Told): void => {
      if (progress !== undefined && !values.json && Date.now() - shown > MINUTE / 2) {
        shown = Date.now()
        out(
          `  ${errand.room}: ${progress.states} states, ${progress.moves} moves, depth ${progress.depth}`,
        )
      }
      if (report === undefined && failed === undefined) return
      worker.off('message', hear)
      worker.off('error', reject)
      promised.delete(errand.room)
      if (report === undefined) reject(new Error(failed))
      else {
        if (!values.json) out(line(rowOf(report)))
        resolve(report)
      }
    }
    worker.on('message', hear)
    worker.once('error', reject)
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(errand)
  })
}

const unknown = waiting.filter((room) => !Object.hasOwn(ROOMS, room))
if (unknown.length > 0) throw new Error(`there is no room ${unknown.join(', ')}`)
if (!values.json) out(line(COLUMNS))
await Promise.all(Array.from({ length: workers }, thread))

const sum = (of: (report: Report) => number): number =>
  reports.reduce((total, report) => total + of(report), 0)
const total = {
  states: sum(({ states }) => states),
  moves: sum(({ moves }) => moves),
  depth: Math.max(...reports.map(({ depth }) => depth)),
  seconds: (Date.now() - started) / 1000,
  exhausted: reports.every(({ ended }) => ended === 'exhausted'),
  violations: sum(({ counterexamples }) => counterexamples.length),
}
if (values.json) out(JSON.stringify({ ...total, rooms: reports }, null, 2))
else {
  out(
    line([
      'all',
      ...[total.states, total.moves, total.depth, total.seconds.toFixed(0)].map(String),
    ]),
  )
  out(
    `${total.violations} violations; ${total.exhausted ? 'the bound is exhausted' : 'stopped at the limits'}`,
  )
  for (const { counterexamples } of reports)
    for (const { test, diagram } of counterexamples) out(`\n${test}\n${diagram}`)
}
process.exitCode = total.violations > 0 ? 1 : 0
