/**
 * What every store of sessions must do. One suite, run by each.
 *
 * @module
 */
import { describe, expect, it } from 'vitest'
import type { SessionStore } from '../../src/sessions/session-store.ts'
import { LogScript } from '../support/log-script.ts'

const headerOf = (id: string) => ({ id, formatVersion: 1, createdAt: 5, cwd: '/w' }) as const
const code = (name: string) => expect.objectContaining({ code: name })
const turn = () => {
  const log = new LogScript()
  log.turn('A', 'one')
  return log.events
}

/** @param make - makes an empty store. */
export function storeContract(name: string, make: () => SessionStore): void {
  describe(`${name}: a store of sessions`, () => {
    it('T1: creates a session with its header and what it holds from the start', async () => {
      const store = make()
      const log = await store.create(headerOf('a'), turn())
      expect(log.header).toEqual(headerOf('a'))
      expect(log.read()).toEqual(turn())
      expect(log.ledger.lastTurn).toBe(1)
      await log.close()
      expect(await store.read('a')).toEqual({ header: headerOf('a'), events: turn() })
    })

    it('T1: refuses an id that exists, open or closed, and changes nothing', async () => {
      const store = make()
      const log = await store.create(headerOf('a'), turn())
      await expect(store.create(headerOf('a'))).rejects.toEqual(code('SESSION_ALREADY_EXISTS'))
      await log.close()
      await expect(store.create(headerOf('a'))).rejects.toEqual(code('SESSION_ALREADY_EXISTS'))
      expect((await store.read('a')).events).toEqual(turn())
    })

    it('T1: refuses events that are no log and leaves nothing behind', async () => {
      const store = make()
      await expect(store.create(headerOf('a'), turn().slice(1))).rejects.toEqual(
        code('LOG_CORRUPT'),
      )
      expect(await store.has('a')).toBe(false)
    })

    it('T2: goes on where the closed log ended', async () => {
      const store = make()
      const first = await store.create(headerOf('a'), turn())
      first.append({ type: 'turn/start', data: { turn: 2 } }, 7)
      await first.close()
      const second = await store.open('a')
      expect(second.at(second.length - 1)).toMatchObject({ type: 'turn/start', time: 7 })
      expect(second.ledger.openTurn).toBe(2)
      await second.close()
    })

    it('T2: has one writer at a time', async () => {
      const store = make()
      const log = await store.create(headerOf('a'))
      await expect(store.open('a')).rejects.toEqual(code('SESSION_LIVE'))
      await expect(store.remove('a')).rejects.toEqual(code('SESSION_LIVE'))
      await log.close()
      await (await store.open('a')).close()
    })

    it('T3: reads an open session without taking it', async () => {
      const store = make()
      const log = await store.create(headerOf('a'))
      log.append({ type: 'turn/start', data: { turn: 1 } }, 7)
      await log.flush()
      expect((await store.read('a')).events).toHaveLength(1)
      log.append(
        { type: 'turn/end', data: { turn: 1, reason: { kind: 'completed' }, uncommitted: [] } },
        8,
      )
      await log.close()
    })

    it('says what it does not hold', async () => {
      const store = make()
      await expect(store.open('a')).rejects.toEqual(code('SESSION_NOT_FOUND'))
      await expect(store.read('a')).rejects.toEqual(code('SESSION_NOT_FOUND'))
      expect(await store.has('a')).toBe(false)
      expect(await store.list()).toEqual([])
    })

    it('lists its sessions sorted, and forgets a removed one', async () => {
      const store = make()
      for (const id of ['b', 'a', 'c']) await (await store.create(headerOf(id))).close()
      expect(await store.list()).toEqual(['a', 'b', 'c'])
      await store.remove('b')
      await store.remove('b')
      expect(await store.list()).toEqual(['a', 'c'])
      expect(await store.has('b')).toBe(false)
      await (await store.create(headerOf('b'))).close()
    })

    it.each(['', '../x', 'a b', 'x'.repeat(129)])('refuses the id %j', async (id) => {
      const store = make()
      await expect(store.create(headerOf(id))).rejects.toEqual(code('INVALID_OPTION'))
      expect(await store.list()).toEqual([])
    })
  })
}
