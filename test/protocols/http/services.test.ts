/**
 * The examples of services, as processes of their own: the same handler behind Hono, Fastify and node:http.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FrameReader, isIdle } from './rig.ts'

const ROOT = join(import.meta.dirname, '../../..')
const AUTHORIZED = { authorization: 'Bearer secret' }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnwise-services-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

interface Service {
  readonly url: string
  readonly process: ChildProcess
}

/** Starts an example from the sources; the first line that it prints is where it listens. */
async function start(file: string): Promise<Service> {
  const preload = join(ROOT, 'test/support/sources.ts')
  const child = spawn(
    process.execPath,
    ['--no-warnings', '--import', preload, join(ROOT, 'examples', file)],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  for await (const line of createInterface({ input: child.stdout }))
    return { url: line, process: child }
  throw new Error(`${file} ended before it listened`)
}

async function stop({ process: child }: Service): Promise<unknown> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  return (await ended)[0]
}

describe.each(['service-hono.ts', 'service-fastify.ts', 'service-node.ts'])(
  'examples/%s',
  (file) => {
    let service: Service
    const send = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${service.url}/sessions/s/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ content: 'Hello?' }),
      })

    beforeAll(async () => {
      service = await start(file)
    })

    it('lets nobody in who is not known, takes a message, streams what follows, and ends in good order', async () => {
      expect((await send({})).status).toBe(401)
      expect((await send(AUTHORIZED)).status).toBe(202)
      const events = await fetch(`${service.url}/sessions/s/events`, { headers: AUTHORIZED })
      expect(events.headers.get('content-type')).toContain('text/event-stream')
      const frames = new FrameReader(events)
      const seen = await frames.until(isIdle)
      expect(seen.some(({ data }) => data.includes('"assistant/message"'))).toBe(true)
      const resumed = await fetch(`${service.url}/sessions/s/events`, {
        headers: { ...AUTHORIZED, 'last-event-id': '2' },
      })
      const again = new FrameReader(resumed)
      expect((await again.next())?.id).toBe('3')
      await Promise.all([frames.leave(), again.leave()])
      expect(await stop(service)).toBe(0)
    })
  },
)
