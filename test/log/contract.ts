/**
 * What every log must do, whatever it is kept in. One suite, run by each.
 *
 * @module
 */
import { describe, expect, it } from 'vitest'
import { EnclosureError } from '../../src/errors.ts'
import type { NewEvent, StoredEvent } from '../../src/events/event.ts'
import type { EventLog } from '../../src/log/event-log.ts'
import type { SessionLogOptions } from '../../src/log/session-log.ts'
import {
  discarded,
  inserted,
  opening,
  stepEnd,
  stepStart,
  turnEnd,
  turnStart,
  user,
  wholeTurn,
} from '../events/sample.ts'
import { observerContract } from './observer-contract.ts'

const note = (data: unknown): NewEvent => ({ type: 'acme/note', data }) as unknown as NewEvent
const typesOf = (events: readonly StoredEvent[]) => events.map((event) => event.type)
function appendAll(log: EventLog, events: readonly NewEvent[]): void {
  for (const event of events) log.append(event, 1)
}

export function logContract(
  name: string,
  open: (options?: SessionLogOptions) => Promise<EventLog>,
): void {
  describe(`${name}: appending`, () => {
    it('numbers from 0, keeps the time, and answers with the last event', async () => {
      const log = await open()
      expect(log.append(inserted('A'), 5)).toEqual({ seq: 0, time: 5, ...inserted('A') })
      expect(log.append([turnStart(1), turnEnd(1)], 6)).toMatchObject({
        seq: 2,
        time: 6,
        type: 'turn/end',
      })
      expect(log.length).toBe(3)
      await log.close()
    })

    it('keeps what the envelope says', async () => {
      const log = await open()
      log.append(turnStart(1), 1)
      expect(log.append({ ...note({}), optional: true, cites: [0], v: 2 }, 1)).toMatchObject({
        optional: true,
        cites: [0],
        v: 2,
      })
      await log.close()
    })

    it('S1: freezes what it keeps, all through', async () => {
      const log = await open()
      const event = log.append(inserted('A'), 1)
      const parts = [
        event,
        event.data,
        ...(event.type === 'inbox/inserted' ? [event.data.message.content[0]] : []),
      ]
      expect(parts.every((part) => Object.isFrozen(part))).toBe(true)
      await log.close()
    })

    it('S3: copies and checks payloads of others', async () => {
      const log = await open()
      const data = { list: [1] }
      expect(log.append(note(data), 1).data).not.toBe(data)
      expect(Object.isFrozen(data)).toBe(false)
      expect(() => log.append(note({ at: new Date(0) }), 1)).toThrow(
        expect.objectContaining({ code: 'INVALID_MESSAGE' }),
      )
      const goal = { goal: 'g', revision: 1, change: { n: Number.NaN } }
      expect(() => log.append({ type: 'goal/change', data: goal }, 1)).toThrow(
        'data.change.n is NaN',
      )
      expect(log.length).toBe(1)
      await log.close()
    })

    it.each(['note', 'turn/extra', 'Acme/note'])('refuses the type %j', async (type) => {
      const log = await open()
      expect(() => log.append({ type, data: {} } as unknown as NewEvent, 1)).toThrow(
        expect.objectContaining({ code: 'INVALID_OPTION' }),
      )
      await log.close()
    })

    it.each([1.5, Number.NaN, Infinity])('refuses the time %d', async (time) => {
      const log = await open()
      expect(() => log.append(inserted('A'), time)).toThrow(
        expect.objectContaining({ code: 'INVALID_OPTION' }),
      )
      expect(log.length).toBe(0)
      await log.close()
    })

    it('S2: refuses what may not stand there, and stays as it was', async () => {
      const log = await open()
      appendAll(log, opening())
      const before = structuredClone(Object.entries(log.ledger))
      expect(() => log.append(turnStart(2), 1)).toThrow(EnclosureError)
      expect(log.length).toBe(5)
      expect(Object.entries(log.ledger)).toEqual(before)
      await log.close()
    })

    it('G1, S2: refuses a group as a whole, whichever of its events is refused', async () => {
      const log = await open()
      appendAll(log, [inserted('A'), turnStart(1)])
      const before = structuredClone(Object.entries(log.ledger))
      expect(() => log.append([stepStart('1.1'), user('1.1', 'X'), user('1.1', 'X')], 1)).toThrow(
        expect.objectContaining({ code: 'DUPLICATE_ID' }),
      )
      expect(() => log.append([discarded('A'), turnStart(2)], 1)).toThrow(EnclosureError)
      expect(() => log.append([], 1)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
      expect(log.length).toBe(2)
      expect(Object.entries(log.ledger)).toEqual(before)
      appendAll(log, [stepStart('1.1'), user('1.1', 'X'), stepEnd('1.1')])
      await log.close()
    })

    it('asks its interceptor before each event, which may refuse a whole group', async () => {
      const seen: string[] = []
      const log = await open({
        intercept: (event) => {
          seen.push(event.type)
          if (event.type === 'turn/end') throw new Error('disk full')
        },
      })
      log.append(turnStart(1), 1)
      expect(() => log.append([stepStart('1.1'), stepEnd('1.1'), turnEnd(1)], 1)).toThrow(
        'disk full',
      )
      expect(seen).toEqual(['turn/start', 'step/start', 'step/end', 'turn/end'])
      expect([log.length, log.ledger.lastStep]).toEqual([1, 0])
      await log.close()
    })

    it('refuses everything once it is closed, and can be read', async () => {
      const log = await open()
      log.append(inserted('A'), 1)
      await log.close()
      await log.close()
      expect(() => log.append(inserted('B'), 1)).toThrow(
        expect.objectContaining({ code: 'LOG_WRITE_FAILED' }),
      )
      expect(typesOf(log.read())).toEqual(['inbox/inserted'])
    })
  })

  describe(`${name}: reading`, () => {
    it('answers by seq and by range', async () => {
      const log = await open()
      appendAll(log, wholeTurn(1, 'A'))
      expect([log.at(-1), log.at(9)]).toEqual([undefined, undefined])
      expect(log.at(1)).toMatchObject({ seq: 1, type: 'turn/start' })
      expect(log.read(2, 4).map((event) => event.seq)).toEqual([2, 3])
      expect(log.read(7).map((event) => event.seq)).toEqual([7, 8])
      expect(log.read(-5, -1)).toEqual([])
      expect(log.read()).toHaveLength(9)
      await log.close()
    })

    it('a list that was read does not grow', async () => {
      const log = await open()
      log.append(inserted('A'), 1)
      const read = log.read()
      log.append(inserted('B'), 1)
      expect(read).toHaveLength(1)
      await log.close()
    })
  })

  observerContract(name, open)

  describe(`${name}: durability`, () => {
    it('G3: answers undefined when nothing is outstanding', async () => {
      const log = await open()
      expect([log.durable(0), log.flush()]).toEqual([undefined, undefined])
      log.append(inserted('A'), 1)
      await log.durable(99)
      log.append(inserted('B'), 1)
      await log.durable(1)
      expect([log.durable(0), log.durable(99), log.flush()]).toEqual([
        undefined,
        undefined,
        undefined,
      ])
      await log.close()
    })
  })
}
