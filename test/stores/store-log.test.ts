import { describe, expect, it } from 'vitest'
import { BackedStore } from '../../src/log/store/backed-store.ts'
import { MemoryBackend } from '../../src/log/store/memory-backend.ts'
import type { AppendOptions } from '../../src/log/store/event-store.ts'
import { createStoreLog } from '../../src/log/store/store-log.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import { gather, headerOf, newId, note } from '../../src/testing/log-contract/samples.ts'

/** A store whose commits fail on demand. */
class FaultyStore extends BackedStore {
  /** Answers that get lost: before or after the append was recorded. */
  readonly faults: ('before' | 'after')[] = []
  headFails = 0
  readonly appends: { readonly count: number; readonly id: string | undefined }[] = []
  hold: Promise<void> | undefined

  override async append(session: string, events: readonly StoredEvent[], options: AppendOptions) {
    this.appends.push({ count: events.length, id: options.id })
    await this.hold
    const fault = this.faults.shift()
    if (fault === 'before') throw new Error('connection lost')
    const outcome = await super.append(session, events, options)
    if (fault === 'after') throw new Error('connection lost')
    return outcome
  }

  override head(session: string) {
    if (this.headFails-- > 0) return Promise.reject(new Error('no server'))
    return super.head(session)
  }
}

async function open() {
  const store = new FaultyStore(new MemoryBackend())
  const failures: string[] = []
  const id = newId()
  const log = await createStoreLog(store, headerOf(id), [], {
    onFailure: ({ code }) => failures.push(code),
  })
  const stored = async () => (await gather(store.read(id))).map(({ seq }) => seq)
  return { store, id, log, failures, stored }
}
const writeFailed = expect.objectContaining({ code: 'LOG_WRITE_FAILED' })

describe('a log in a store', () => {
  it('W1: commits what queued while the last commit ran as one group, without a timer', async () => {
    const { store, log } = await open()
    let release: (() => void) | undefined
    store.hold = new Promise((resolve) => {
      release = resolve
    })
    log.append(note({}), 1)
    const first = log.durable(0)
    await Promise.resolve()
    for (let n = 0; n < 9; n++) log.append(note({ n }), 1)
    release?.()
    await first
    await log.flush()
    expect(store.appends.map(({ count }) => count)).toEqual([1, 9])
    await log.close()
  })

  it.each(['before', 'after'] as const)(
    'W3: records an append once whose connection died %s it was recorded',
    async (fault) => {
      const { store, log, stored, failures } = await open()
      store.faults.push(fault)
      log.append([note({}), note({})], 1)
      await log.flush()
      // What was recorded is found, not sent again.
      expect(store.appends).toHaveLength(fault === 'after' ? 1 : 2)
      log.append(note({}), 1)
      await log.flush()
      expect(await stored()).toEqual([0, 1, 2])
      expect(failures).toEqual([])
      await log.close()
    },
  )

  it.each(['before', 'after'] as const)(
    'W4: repeats it under its id when even the head could not be read (%s)',
    async (fault) => {
      const { store, log, stored, failures } = await open()
      store.faults.push(fault)
      store.headFails = 1
      log.append(note({}), 1)
      await expect(log.flush()).rejects.toEqual(writeFailed)
      expect(failures).toEqual(['LOG_WRITE_FAILED'])
      log.append(note({}), 1)
      await log.flush()
      expect(store.appends[1]?.id).toBe(store.appends[0]?.id)
      expect(await stored()).toEqual([0, 1])
      await log.close()
    },
  )

  it('gives up after three tries at a time, and keeps everything in order', async () => {
    const { store, log, stored } = await open()
    store.faults.push('before', 'before', 'before')
    log.append(note({}), 1)
    await expect(log.flush()).rejects.toEqual(writeFailed)
    expect(log.lost.aborted).toBe(false)
    expect(store.appends).toHaveLength(3)
    await log.flush()
    expect(await stored()).toEqual([0])
    await log.close()
  })

  it('W2: stops for good when it was overtaken, without reading again', async () => {
    const { store, id, log, failures } = await open()
    await store.claim(id, { force: true })
    const lost = expect.objectContaining({ code: 'LEASE_LOST' })
    expect(failures).toEqual(['LEASE_LOST'])
    expect(log.lost.reason).toEqual(lost)
    expect(() => log.append(note({}), 1)).toThrow(lost)
    expect(store.appends).toEqual([])
    await log.close()
  })

  it('W2: stops for good when somebody else has written', async () => {
    const { store, id, log, failures } = await open()
    const { epoch } = log.lease
    await store.append(id, [{ seq: 0, time: 1, ...note({}) }], { version: 0, epoch })
    log.append(note({}), 1)
    const conflict = expect.objectContaining({ code: 'LOG_CONFLICT' })
    await expect(log.flush()).rejects.toEqual(conflict)
    expect(() => log.append(note({}), 1)).toThrow(conflict)
    await expect(log.flush()).rejects.toEqual(conflict)
    expect(failures).toEqual(['LOG_CONFLICT'])
    expect(log.lost.reason).toEqual(conflict)
    await expect(log.close()).rejects.toEqual(conflict)
    expect((await store.claim(id)).epoch).toBe(epoch + 1)
  })

  it('gives its session back also when the last write failed', async () => {
    const { store, id, log } = await open()
    store.faults.push('before', 'before', 'before')
    log.append(note({}), 1)
    await expect(log.close()).rejects.toEqual(writeFailed)
    await (await store.claim(id)).release()
  })
})
