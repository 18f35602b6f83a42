/**
 * The field cases about storage: two processes on one session, and a record torn in half.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createAgent } from '../src/actors/agent.ts'
import { checkLog } from '../src/events/enclosure.ts'
import { createFileLog, openFileLog } from '../src/log/file-log.ts'
import { BackedStore } from '../src/log/store/backed-store.ts'
import { MemoryBackend } from '../src/log/store/memory-backend.ts'
import { createStoreLog, openStoreLog } from '../src/log/store/store-log.ts'
import { scriptedModel } from '../src/testing/scripted-model.ts'

const answering = (text: string) => scriptedModel([`text "${text}"`])

describe('FC25 two processes open the same session', () => {
  it('the former owner loses its lease, records nothing more, and the log stays contiguous', async () => {
    const store = new BackedStore(new MemoryBackend())
    const header = { id: 's1', formatVersion: 1 as const, createdAt: 0 }
    const first = createAgent({
      model: answering('a'),
      log: await createStoreLog(store, header, [], { owner: 'A', ttlMs: 60_000 }),
    })
    await first.run('m1')

    const second = createAgent({
      model: answering('b'),
      log: await openStoreLog(store, 's1', { owner: 'B', ttlMs: 60_000, force: true }),
    })
    expect(() => first.followup('late')).toThrow(/has claimed it since/)
    await first.whenIdle()
    await first.dispose()

    const { finalResponse } = await second.run('m2')
    expect(finalResponse).toBe('b')
    await second.dispose()
    const events = []
    for await (const page of store.read('s1')) events.push(...page)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i))
    expect(JSON.stringify(events)).not.toContain('"late"')
    checkLog(events)
    await store.close()
  })
})

describe('FC26 a torn last record, then more appends', () => {
  it('is cut at every byte before the first append, and everything after it is readable', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'turnwise-fc26-'))
    const path = join(dir, 's1.jsonl')
    const log = await createFileLog({ dir, id: 's1' })
    const agent = createAgent({ model: answering('één'), log })
    agent.inject({ id: 'x', content: 'tail: ünïcödé ✓' })
    await agent.dispose({ keepInbox: true })
    const whole = await readFile(path)
    const last = whole.lastIndexOf(0x0a, whole.length - 2) + 1

    for (let cut = last + 1; cut < whole.length; cut += 1) {
      await writeFile(path, whole.subarray(0, cut))
      const torn: unknown[] = []
      const reopened = await openFileLog(
        { dir, id: 's1' },
        { onRepair: (found) => torn.push(found) },
      )
      expect(torn).toHaveLength(1)
      const next = createAgent({ model: answering('one'), log: reopened })
      await next.run('m1')
      await next.dispose()
      const again = await openFileLog({ dir, id: 's1' })
      checkLog(again.read())
      expect(again.read().at(-1)?.type).toBe('turn/end')
      await again.close()
    }
    await rm(dir, { recursive: true })
  })

  it('damage anywhere else is refused with its position', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'turnwise-fc26-'))
    const path = join(dir, 's1.jsonl')
    const agent = createAgent({
      model: answering('one'),
      log: await createFileLog({ dir, id: 's1' }),
    })
    await agent.run('m1')
    await agent.dispose()
    const lines = (await readFile(path, 'utf8')).split('\n')
    lines[3] = lines[3]?.slice(0, 20) ?? ''
    await writeFile(path, lines.join('\n'))
    await expect(openFileLog({ dir, id: 's1' })).rejects.toMatchObject({
      code: 'LOG_CORRUPT',
      position: 3,
    })
    await rm(dir, { recursive: true })
  })
})
