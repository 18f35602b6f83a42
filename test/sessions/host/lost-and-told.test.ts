/**
 * A session that somebody else has taken, and what a host tells of itself.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sqliteStore } from '../../../src/log/sqlite/sqlite-store.ts'
import type { LogStore } from '../../../src/log/store/log-store.ts'
import { Durations } from '../../../src/sessions/host/durations.ts'
import { metricsText } from '../../../src/sessions/host/metrics-text.ts'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { settle } from '../../../src/testing/virtual-clock.ts'
import { codeOf, evictionsOf, hostRig } from './rig.ts'

describe('a session that another process has taken', () => {
  let dir: string
  let ours: LogStore
  let theirs: LogStore
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'turnwise-host-'))
    const file = join(dir, 'sessions.db')
    ours = sqliteStore(file, { owner: 'ours', ttlMs: 60_000 })
    theirs = sqliteStore(file, { owner: 'theirs', ttlMs: 60_000 })
  })
  afterEach(async () => {
    await ours.close()
    await theirs.close()
    rmSync(dir, { recursive: true, force: true })
  })

  it.each(['at rest', 'at work'])(
    'is evicted %s, refused while it is theirs, and resumed when it is free',
    async (how) => {
      const { host, heard, prompts, asked } = hostRig({ store: ours })
      await host.send('a', how === 'at rest' ? 'one' : 'hold')
      // Its prompt stands in the history by then.
      await expect.poll(() => asked).toEqual(['a'])
      if (how === 'at rest') await host.with('a', (agent) => agent.whenIdle())
      const lease = await theirs.events.claim('a', { force: true, owner: 'theirs' })
      // The next append finds out.
      expect(await codeOf(host.send('a', 'two'))).toBe('LEASE_LOST')
      await expect.poll(() => evictionsOf(heard)).toEqual(['evicted a lost'])
      expect(host.registry.get('a')).toBeUndefined()
      expect(host.metrics().now).toEqual({ resident: 0, running: 0, waiting: 0, pending: 0 })
      expect(await codeOf(host.send('a', 'two'))).toBe('SESSION_LIVE')
      await lease.release()
      expect(await codeOf(host.send('a', 'two'))).toBe('fulfilled')
      await host.with('a', (agent) => agent.whenIdle())
      expect((await prompts('a')).at(-1)).toBe('two')
      await host.close()
    },
  )
})

it('metrics count what happened, and a picture of them does not change', async () => {
  const { host, clock, release } = hostRig({ idleMs: 1000, maxRunning: 1 })
  const before = host.metrics()
  await host.send('a', 'hold')
  await host.send('b', 'one')
  await settle()
  await clock.advance(40)
  await release('a')
  await settle()
  await clock.advance(1000)
  await host.send('a', 'two')
  await settle()
  expect(before).toMatchObject({ accepted: 0, turns: {}, receiptMs: { count: 0, p50: 0, p99: 0 } })
  expect(host.metrics()).toMatchObject({
    accepted: 3,
    refused: {},
    created: 2,
    resumed: 1,
    evicted: { idle: 2, pressure: 0 },
    turns: { completed: 3 },
    faults: 0,
    waitMs: { count: 3, sum: 40, max: 40 },
    turnMs: { count: 3, sum: 80, max: 40, p99: 40 },
  })
  await host.close()
})

it('health names the last fault; a listener that throws is one, and harms nobody', async () => {
  const { host, clock, faults, prompts } = hostRig()
  const off = host.listen(() => {
    throw new Error('listener')
  })
  expect(host.health()).toEqual({ status: 'open', resident: 0, running: 0, pending: 0 })
  await host.send('a', 'one')
  await settle()
  expect(host.health()).toEqual({
    status: 'open',
    resident: 1,
    running: 0,
    pending: 0,
    lastFault: { at: clock.now(), message: 'listener' },
  })
  expect(faults).toHaveLength(3)
  off()
  expect(await prompts('a')).toEqual(['one'])
  await host.close()
})

it('readiness asks the store, and waits a second for it', async () => {
  let answer: 'yes' | 'no' | 'never' = 'yes'
  const inner = memoryStore()
  const store = Object.assign(Object.create(inner) as typeof inner, {
    has: (id: string) => {
      if (answer === 'never') return new Promise<boolean>(() => {})
      return answer === 'yes' ? inner.has(id) : Promise.reject(new Error('no connection'))
    },
  })
  const { host, clock } = hostRig({ store })
  expect(await host.readiness()).toEqual({ ready: true, reasons: [] })
  answer = 'no'
  expect(await host.readiness()).toEqual({ ready: false, reasons: ['store'] })
  answer = 'never'
  const asked = host.readiness()
  await clock.advance(1000)
  expect(await asked).toEqual({ ready: false, reasons: ['store'] })
  expect(clock.timers).toBe(0)
  await host.close()
})

it('metrics are printed for Prometheus; values of labels are escaped', async () => {
  const { host, release } = hostRig({ tenantOf: () => 'a "b"\n\\', maxRunning: 1 })
  await host.send('a', 'hold')
  await settle()
  const text = metricsText(host.metrics(), { tenants: true, prefix: 'acme_' })
  expect(text).toContain(
    '# HELP acme_sessions_created_total Sessions that were created.\n# TYPE acme_sessions_created_total counter\nacme_sessions_created_total 1\n',
  )
  expect(text).toContain('acme_running 1\n')
  expect(text).toContain(String.raw`acme_tenant_running{tenant="a \"b\"\n\\"} 1`)
  expect(text).toContain('acme_sessions_evicted_total{why="idle"} 0\n')
  expect(text).toContain('acme_receipt_seconds{quantile="0.99"} 0\n')
  expect(text).toContain('acme_receipt_seconds_count 1\n')
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) \S+ .+|[a-z_]+(?:\{[a-z]+=".*"\})? [\d.e+-]+)$/)
  expect(metricsText(host.metrics())).not.toContain('tenant')
  await release('a')
  await host.close()
})

it('quantiles are exact to 5 %, in a fixed amount of memory', () => {
  const durations = new Durations()
  for (let ms = 1; ms <= 10_000; ms += 1) durations.add(ms)
  const { count, sum, p50, p99, max } = durations.summary
  expect([count, sum, max]).toEqual([10_000, 50_005_000, 10_000])
  expect(Math.abs(p50 / 5000 - 1)).toBeLessThan(0.05)
  expect(Math.abs(p99 / 9900 - 1)).toBeLessThan(0.05)
  const odd = new Durations()
  for (const ms of [-1, Number.NaN, 0, 1e12]) odd.add(ms)
  expect(odd.summary).toMatchObject({ count: 4, p50: 0, max: 1e12 })
})
