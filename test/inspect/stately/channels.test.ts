/**
 * The two ways to a viewer: a server of our own, and a receiver that somebody else runs. Real sockets.
 */
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { inspectWithStately } from '../../../src/inspect/stately/inspect-with-stately.ts'
import { finish, rig } from '../../actors/rig.ts'
import {
  disposed,
  drive,
  inspecting,
  isState,
  undos,
  useInspection,
  Viewer,
} from './stately-rig.ts'

useInspection()

/** A relay as the package has it: keeps 200 messages, sends them to whoever comes, and hands on what comes. */
async function startRelay(
  port = 0,
): Promise<{ url: string; stop: () => Promise<void>; server: Server }> {
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  const kept: string[] = []
  sockets.on('connection', (socket) => {
    for (const message of kept) socket.send(message)
    socket.on('message', (data: Buffer) => {
      kept.push(data.toString())
      if (kept.length > 200) kept.shift()
      for (const client of sockets.clients) if (client !== socket) client.send(data.toString())
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const stop = async (): Promise<void> => {
    for (const client of sockets.clients) client.terminate()
    sockets.close()
    server.close()
    await once(server, 'close')
  }
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, stop, server }
}

describe('a receiver that somebody else runs', () => {
  it('gets the run, and still has the definitions after 200 messages', async () => {
    const relay = await startRelay()
    undos.push(relay.stop)
    const stately = await inspecting({ url: relay.url })
    const live = new Viewer(relay.url)
    const { agent } = rig({
      id: 'a1',
      model: Array.from({ length: 20 }, () => 'text "x"'),
      inspect: stately.inspect,
    })
    for (let turn = 0; turn < 20; turn += 1) agent.followup(`m${turn}`)
    await agent.whenIdle()
    await finish(agent)
    await live.until(disposed)
    const late = new Viewer(relay.url)
    await late.until(disposed)
    const defined = late.actors().filter(({ definition }) => (definition?.length ?? 0) > 1000)
    expect(new Set(defined.map(({ name }) => name))).toEqual(new Set(['a1', 'turn', 'step']))
  })

  it('may come after the run, and come back', async () => {
    const first = await startRelay()
    const { port } = first.server.address() as AddressInfo
    await first.stop()
    const stately = await inspecting({ url: first.url })
    const { agent } = await drive(stately.inspect)
    const second = await startRelay(port)
    const viewer = new Viewer(second.url)
    await viewer.until(isState('idle'))
    expect(viewer.actors().map(({ name }) => name)).toEqual(
      expect.arrayContaining(['a1', 'turn', 'step']),
    )
    await second.stop()
    const third = await startRelay(port)
    undos.push(third.stop)
    await finish(agent)
    const again = new Viewer(third.url)
    await again.until(disposed)
    expect(again.actors().map(({ name }) => name)).toEqual(
      expect.arrayContaining(['a1', 'turn', 'step']),
    )
  })

  it('that never comes holds nothing up', async () => {
    const gone = await startRelay()
    await gone.stop()
    const stately = await inspecting({ url: gone.url })
    const { agent, ends } = await drive(stately.inspect)
    expect(ends()).toEqual(['turn/end 1 aborted:user', 'turn/end 2 completed'])
    await finish(agent)
    await stately.stop()
  })

  it.each([
    'ws://10.0.0.1:80',
    'ws://example.com',
    'http://localhost:80',
    'nonsense',
    'ws://127.0.0.1.example.com',
  ])('must be on this machine: %s is refused', async (url) => {
    await expect(inspectWithStately({ url })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})

describe('the server', () => {
  it('listens on loopback alone, and lets no page of another origin in', async () => {
    const { url, page = '' } = await inspecting({ server: true })
    expect(page).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
    const answer = async (
      headers: Record<string, string>,
      path = '',
    ): Promise<number | undefined> => {
      const request = get(`${page}${path}`, { headers })
      const [response] = (await once(request, 'response')) as [
        { statusCode?: number; resume: () => void },
      ]
      response.resume()
      return response.statusCode
    }
    expect(await answer({})).toBe(200)
    expect(await answer({}, 'bridge.js')).toBe(200)
    expect(await answer({}, '../etc')).toBe(404)
    expect(await answer({ host: 'rebound.example' })).toBe(403)
    expect(await answer({ origin: 'https://evil.example' })).toBe(403)
    for (const headers of [{ origin: 'https://evil.example' }, { host: 'rebound.example' }]) {
      const socket = new WebSocket(url, { headers })
      const [error] = (await once(socket, 'error')) as [Error]
      expect(error.message).toContain('403')
    }
    const own = new WebSocket(url, { headers: { origin: page.slice(0, -1) } })
    await once(own, 'open')
    own.terminate()
  })

  it('serves a page that can show one frame and run one script', async () => {
    const { page = '' } = await inspecting({ server: true })
    const response = await fetch(page)
    // The script listens before it shows the frame, so that the frame's first word is heard.
    expect(await response.text()).toMatch(
      /<body>\s*<script src="\/bridge.js"><\/script>\s*<\/body>/,
    )
    const bridge = await (await fetch(new URL('/bridge.js', page))).text()
    expect(bridge.indexOf("addEventListener('message'")).toBeLessThan(
      bridge.indexOf("frame.src = 'https://stately.ai/inspect'"),
    )
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain('frame-src https://stately.ai https://*.stately.ai;')
  })

  it('is gone after stop, also with viewers that do not leave', async () => {
    const stately = await inspecting({ server: true })
    const socket = new WebSocket(stately.url)
    await once(socket, 'open')
    socket.pause()
    await Promise.all([stately.stop(), stately.stop()])
    socket.terminate()
    await expect(fetch(stately.page ?? '')).rejects.toThrow('fetch failed')
  })

  it('tells who has its port', async () => {
    const { page = '' } = await inspecting({ server: true })
    const port = Number(new URL(page).port)
    await expect(inspectWithStately({ server: { port } })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
  })
})

describe('a browser', () => {
  it('is opened only where it is asked for', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnwise-browser-'))
    undos.push(() => rmSync(folder, { recursive: true, force: true }))
    const opened = join(folder, 'opened')
    writeFileSync(
      join(folder, 'xdg-open'),
      `#!/bin/sh\necho "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`,
    )
    chmodSync(join(folder, 'xdg-open'), 0o755)
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
    vi.spyOn(process, 'platform', 'get').mockReturnValue('linux')
    undos.push(() => vi.unstubAllEnvs())
    await inspecting({ server: true })
    const { page } = await inspecting({ server: { open: true } })
    await vi.waitFor(() => expect(existsSync(opened)).toBe(true))
    expect(readFileSync(opened, 'utf8').trim()).toBe(page)
    vi.restoreAllMocks()
  })
})
