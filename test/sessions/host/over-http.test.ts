/**
 * A host behind a handler of HTTP: its sessions are evicted under it and come back with the next request.
 */
import { expect, it } from 'vitest'
import { createHttpHandler } from '../../../src/protocols/http/handler.ts'
import { settle } from '../../../src/testing/virtual-clock.ts'
import { hostRig } from './rig.ts'

it.each([
  ['through its registry', 'registry', ['found', 'found', 'found']],
  ['through the host itself', 'host', ['created', 'resumed', 'resumed']],
] as const)(
  'messages over HTTP, %s, resume what was evicted, in order; nothing is lost and all of it is counted',
  async (_, door, opened) => {
    const { host, clock, heard, prompts } = hostRig({ idleMs: 10 })
    const handle = createHttpHandler({
      ...(door === 'host' ? { host } : { registry: host.registry }),
      authenticate: () => ({ actor: 'ada' }),
    })
    const post = async (text: string): Promise<number> => {
      const request = new Request('http://service.test/sessions/a/messages', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ content: text }),
      })
      const { status } = await handle(request)
      return status
    }
    for (const text of ['one', 'two', 'three']) {
      expect(await post(text)).toBe(202)
      await settle()
      await clock.advance(20)
      expect(host.registry.get('a')).toBeUndefined()
    }
    expect(await prompts('a')).toEqual(['one', 'two', 'three'])
    expect(heard.filter((line) => line.startsWith('opened'))).toEqual(
      opened.map((how) => `opened a ${how}`),
    )
    expect(host.metrics()).toMatchObject({ turns: { completed: 3 }, evicted: { idle: 3 } })
    await host.close()
  },
)
