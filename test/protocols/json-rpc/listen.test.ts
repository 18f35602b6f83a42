/**
 * Sockets: who may connect, what a stranger gets, and what stays when a peer goes.
 */
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createJsonRpcServer, type JsonRpcServer } from '../../../src/protocols/json-rpc/server.ts'
import type { JsonRpcServerOptions } from '../../../src/protocols/json-rpc/server-port.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import { virtualClock } from '../../../src/testing/virtual-clock.ts'
import { dial, mockOnly } from './peer.ts'

const TOKEN = 'a-token-that-is-long'
let folder: string
let server: JsonRpcServer

const start = (options: Partial<JsonRpcServerOptions> = {}): void => {
  const model = scriptedModel(Array.from({ length: 9 }, () => 'text "one"'))
  server = createJsonRpcServer({ prepare: mockOnly(() => ({ model })), ...options })
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnwise-listen-'))
  start()
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const listen = async (): Promise<number> => (await server.listen({ port: 0, token: TOKEN })).port!

describe('a Unix socket', () => {
  it('has mode 0600, serves several peers, and is gone with its server', async () => {
    const path = join(folder, 's')
    await server.listen({ path })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const one = await dial(path)
    const two = await dial(path)
    await one.peer.initialize()
    await two.peer.initialize()
    await one.peer.prompt('s1', 'A')
    // Both are told about every session.
    await Promise.all([one.peer.status('s1', 'idle'), two.peer.status('s1', 'idle')])
    expect(two.peer.events('s1')).toEqual(one.peer.events('s1'))
    one.socket.destroy()
    await one.gone
    // A peer that goes takes nothing along.
    expect(await two.peer.prompt('s1', 'B')).toHaveProperty('result')
    await two.peer.status('s1', 'idle', 2)
    expect(await two.peer.ask('shutdown')).toMatchObject({ result: {} })
    await two.gone
    await server.ended
    expect(existsSync(path)).toBe(false)
  })

  it('takes the place of a socket that nobody listens at, and of nothing else', async () => {
    const path = join(folder, 's')
    await server.listen({ path })
    const other = createJsonRpcServer({ prepare: () => ({}) })
    await expect(other.listen({ path })).rejects.toThrow('somebody listens')
    await other.close()
    const file = join(folder, 'file')
    writeFileSync(file, 'precious')
    await expect(server.listen({ path: file })).rejects.toThrow('no socket')
    expect(existsSync(file)).toBe(true)
    // The path may not be longer than the kernel takes; what was begun is cleared away.
    await expect(server.listen({ path: join(folder, 'x'.repeat(200)) })).rejects.toThrow(
      'at most 103',
    )
    expect(statSync(path).isSocket()).toBe(true)
  })

  it('refuses more connections than it takes with a typed answer', async () => {
    await server.close()
    start({ limits: { maxConnections: 1 } })
    const path = join(folder, 's')
    await server.listen({ path })
    const one = await dial(path)
    await one.peer.initialize()
    const two = await dial(path)
    expect(await two.peer.until(({ id }) => id === null)).toMatchObject({
      error: { code: -32000, data: { code: 'OVERLOADED' } },
    })
    await two.gone
  })
})

describe('a port of loopback', () => {
  it('answers nothing before the token was shown, and closes on a wrong one', async () => {
    const port = await listen()
    const silent = await dial(port)
    expect(await silent.peer.ask('session/list', {})).toMatchObject({
      error: { code: -32000, data: { code: 'UNAUTHORIZED' } },
    })
    await silent.gone
    const wrong = await dial(port)
    expect(await wrong.peer.initialize({ token: `${TOKEN}x` })).toMatchObject({
      error: { data: { code: 'UNAUTHORIZED' } },
    })
    await wrong.gone
    const right = await dial(port)
    expect(await right.peer.initialize({ token: TOKEN })).toHaveProperty('result')
    expect(await right.peer.prompt('s1', 'A')).toHaveProperty('result')
    await right.peer.status('s1', 'idle')
    right.socket.destroy()
    await right.gone
  })

  it.each(['GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'hello\n'])(
    'closes on the first line that is not JSON: %j',
    async (text) => {
      const { peer, gone } = await dial(await listen())
      peer.write(text)
      await gone
      expect(peer.said).toEqual([])
    },
  )

  it('closes on such a line of somebody who is known, too', async () => {
    const { peer, gone } = await dial(await listen())
    await peer.initialize({ token: TOKEN })
    peer.write('POST / HTTP/1.1\r\n')
    await gone
    expect(peer.said).toHaveLength(1)
  })

  it('does not read much of a stranger, nor wait long for one', async () => {
    await server.close()
    const clock = virtualClock()
    start({ clock })
    const port = await listen()
    const long = await dial(port)
    long.peer.write(`{"junk":"${'x'.repeat(70_000)}"}\n`)
    await long.gone
    const slow = await dial(port)
    const known = await dial(port)
    await known.peer.initialize({ token: TOKEN })
    await clock.advance(10_000)
    await slow.gone
    expect(await known.peer.ask('session/list')).toHaveProperty('result')
    known.socket.destroy()
    await known.gone
  })

  it('wants a token that cannot be guessed', async () => {
    await expect(server.listen({ port: 0, token: 'short' })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    })
  })
})
