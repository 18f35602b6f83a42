/**
 * The judge of the crash tests must find what it is there to find.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { NewEvent } from '../../src/events/event.ts'
import {
  answer,
  called,
  claimed,
  inserted,
  result,
  stepEnd,
  stepStart,
  turnEnd,
  turnStart,
  user,
} from '../events/sample.ts'
import { judge } from './judge.ts'
import { openPlace } from './places.ts'
import { Traces } from './worker-config.ts'
import type { WorkerConfig } from './worker-config.ts'

const dir = mkdtempSync(join(tmpdir(), 'turnwise-judge-'))
afterAll(() => {
  rmSync(dir, { recursive: true })
})

const WHOLE: readonly NewEvent[] = [
  inserted('A'),
  turnStart(1),
  claimed(1, ['A']),
  stepStart('1.1'),
  user('1.1', 'A'),
  answer('1.1', 1),
  called('1.1'),
  result('1.1'),
  stepEnd('1.1'),
  turnEnd(1),
]
let cases = 0

/** Judges a log with its traces. */
async function verdictOf(events: readonly NewEvent[], leave: (traces: Traces) => void) {
  const session = `s${++cases}`
  const place = { kind: 'file', dir: join(dir, session) } as const
  const { store } = await openPlace(place, 1)
  const log = await store.create({ id: session, formatVersion: 1, createdAt: 1 })
  log.append(events, 1)
  await log.close()
  const traces = new Traces(place.dir)
  traces.add('accepted', session, 'A')
  leave(traces)
  const config: WorkerConfig = {
    place,
    traces: place.dir,
    sessions: [session],
    prompts: 1,
    ttlMs: 1,
    finish: false,
  }
  return judge(config)
}
const ran = (traces: Traces) => {
  traces.add('effect', `s${cases}`, '1.1.0')
}

describe('the judge', () => {
  it('finds nothing where there is nothing', async () => {
    const nothing = { lost: [], doubled: [], gapped: [], doublyExecuted: [] }
    expect(await verdictOf(WHOLE, ran)).toEqual(nothing)
  })

  it('finds an accepted prompt that was never committed', async () => {
    const { lost } = await verdictOf([inserted('B')], () => {})
    expect(lost).toEqual([expect.stringContaining('A was accepted and never committed')])
  })

  it('finds a body that ran twice, one that nobody recorded, and one that did not run', async () => {
    const twice = await verdictOf(WHOLE, (traces) => {
      ran(traces)
      ran(traces)
    })
    expect(twice.doublyExecuted).toHaveLength(1)
    const unknown = await verdictOf(WHOLE, (traces) => {
      ran(traces)
      traces.add('effect', `s${cases}`, '2.1.0')
    })
    expect(unknown.lost).toEqual([expect.stringContaining('no tool/call says so')])
    const never = await verdictOf(WHOLE, () => {})
    expect(never.lost).toEqual([expect.stringContaining('is said to have run, and did not')])
  })

  it('finds a durable event that is another one now', async () => {
    const { lost } = await verdictOf(WHOLE, (traces) => {
      ran(traces)
      traces.add('durable', `s${cases}`, 1, JSON.stringify({ seq: 1, time: 1, type: 'other' }))
    })
    expect(lost).toEqual([expect.stringContaining('event 1 was durable')])
  })

  it('finds a log that was left open', async () => {
    const { gapped } = await verdictOf(WHOLE.slice(0, 6), () => {})
    expect(gapped).toEqual([expect.stringContaining('turn 1 was left open')])
  })
})
