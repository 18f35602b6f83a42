/**
 * `turnwise replay`: a stored log in its tempo, at once, and what ends it early.
 */
import { describe, expect, it } from 'vitest'
import type { Clock } from '../../src/actors/clock.ts'
import { LONGEST_PAUSE_MS } from '../../src/cli/pacer.ts'
import type { EndSignal } from '../../src/cli/surroundings.ts'
import { parseLog } from '../../src/testing/parse-log.ts'
import { type Around, call, type Called, put, useCommand } from './command-rig.ts'
import { FakeOut } from './fake-out.ts'
import { putLog, TURN } from './stored-logs.ts'

useCommand()

/** Stores TURN with these times, in ms. */
function putTimed(times: readonly number[]): void {
  putLog('a', TURN)
  const lines = [{ id: 'a', formatVersion: 1, createdAt: 0 }, ...timed(times)]
  put('.turnwise/a.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}
const timed = (times: readonly number[]): object[] =>
  parseLog(TURN).map((event, i) => ({ ...event, time: times[Math.min(i, times.length - 1)] }))

/** A clock that waits for nobody and knows the pauses that it was asked for; `at` is called in the first one. */
class HastyClock implements Clock {
  readonly pauses: number[] = []
  readonly #at: ((out: string) => void) | undefined
  readonly out = new FakeOut({ isTTY: true })
  #time = 0

  constructor(at?: (shown: string) => void) {
    this.#at = at
  }

  now(): number {
    return this.#time
  }

  after(ms: number, fire: () => void): () => void {
    this.pauses.push(ms)
    const timer = setImmediate(() => {
      if (this.#at !== undefined) return this.#at(this.out.shown().join('\n'))
      this.#time += ms
      fire()
    })
    return () => {
      clearImmediate(timer)
    }
  }
}

const replay = (clock: HastyClock, words: readonly string[], more: Around = {}): Promise<Called> =>
  call(['replay', '.turnwise', ...words], {
    out: clock.out,
    clock,
    env: { NO_COLOR: '1' },
    ...more,
  })

describe('turnwise replay', () => {
  it('shows the run as it was seen, at once off a terminal', async () => {
    putTimed([0, 30_000, 60_000])
    const { code, out } = await call(['replay', '.turnwise', '--speed', '0.001'])
    expect(code).toBe(0)
    expect(out.split('\n')).toEqual([
      'replay a, 8 events',
      '.turnwise/a.jsonl',
      '● running',
      'turn 1',
      '  step 1',
      '  > A',
      'turn 1 completed: 1 step, 0 tool calls, 30.0 s',
      '○ idle',
      '',
    ])
  })

  it('keeps the recorded tempo on a terminal', async () => {
    putTimed([0, 1000, 1000, 1500])
    const clock = new HastyClock()
    expect((await replay(clock, [])).code).toBe(0)
    expect(clock.pauses).toEqual([1000, 500])
  })

  it('plays faster with --speed, and cuts long pauses', async () => {
    putTimed([0, 1000, 86_400_000])
    const clock = new HastyClock()
    await replay(clock, ['--speed', '4'])
    expect(clock.pauses).toEqual([250, LONGEST_PAUSE_MS])
  })

  it('is at once with --speed 0', async () => {
    putTimed([0, 1000, 2000])
    const clock = new HastyClock()
    expect((await replay(clock, ['--speed', '0'])).code).toBe(0)
    expect(clock.pauses).toEqual([])
  })

  it('stops behind --to, in the middle of a turn', async () => {
    putTimed([0])
    const { out } = await call(['replay', '.turnwise', '--to', '3'])
    expect(out).toBe('replay a, 4 events of 8\n.turnwise/a.jsonl\n● running\nturn 1\n  step 1\n')
  })

  it('prints the events with --json', async () => {
    putTimed([5])
    const { out } = await call(['replay', '.turnwise', '--json', '--to', '1'])
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(timed([5]).slice(0, 2))
  })

  it.each<[EndSignal, number]>([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('%s ends it with %i', async (signal, code) => {
    putTimed([0, 0, 0, 2000])
    let send: ((signal: EndSignal) => void) | undefined
    const clock = new HastyClock((shown) => {
      expect(shown).toContain('turn 1')
      send?.(signal)
    })
    const ended = await replay(clock, [], {
      signals: (to) => {
        send = to
      },
    })
    expect(ended.code).toBe(code)
    expect(ended.out).not.toContain('step 1')
  })

  it('ends with 141 when its reader goes away', async () => {
    putTimed([0])
    const out = new FakeOut({ fails: 'EPIPE' })
    expect((await call(['replay', '.turnwise'], { out })).code).toBe(141)
  })

  it.each(['x', '-1', '1e3', ''])('refuses --speed %j', async (speed) => {
    expect((await call(['replay', 'a', `--speed=${speed}`])).code).toBe(2)
  })
})
