import { expect, it } from 'vitest'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { inserted, stored, turnStart, wholeTurn } from '../events/sample.ts'
import { logContract } from './contract.ts'

logContract('memory log', async (options) => createMemoryLog(options))

it('never has anything outstanding', () => {
  const log = createMemoryLog()
  log.append(inserted('A'), 1)
  expect([log.durable(0), log.flush()]).toEqual([undefined, undefined])
})

it('takes an id, a header and what it holds already', () => {
  expect(createMemoryLog({ id: 's1' }).header).toMatchObject({ id: 's1', formatVersion: 1 })
  expect(createMemoryLog().header.id).toMatch(/^[0-9a-f-]{36}$/)
  const header = { id: 's2', formatVersion: 1, createdAt: 7, parent: 's1' } as const
  const log = createMemoryLog({ header, events: stored(wholeTurn(1, 'A')) })
  expect(log.header).toEqual(header)
  expect(log.append(turnStart(2), 1).seq).toBe(9)
  expect(Object.isFrozen(log.at(0)?.data)).toBe(true)
})

it('refuses to hold what is no log', () => {
  expect(() => createMemoryLog({ events: stored([turnStart(2)]) })).toThrow(
    expect.objectContaining({ code: 'LOG_CORRUPT', position: 0 }),
  )
})
