/**
 * What comes close to an end: requests that meet a creation, a close, a shutdown or the end of the input.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { createRegistry } from '../../../src/sessions/registry.ts'
import type { Registry } from '../../../src/sessions/registry-port.ts'
import type { SessionStore } from '../../../src/sessions/session-store.ts'
import { deferred } from '../../support/deferred.ts'
import { dial, promptOf, refused, turnEnds, wire } from './peer.ts'

test('JR-07 (one tick) a prompt that came before the shutdown is taken, cut, and told before the answer', async () => {
  const peer = wire(['hang "x"'])
  await peer.initialize()
  const [prompted, one, two] = peer.batch(
    ['session/prompt', promptOf('s1', 'A')],
    ['shutdown', {}],
    ['shutdown', {}],
  )
  expect(await prompted).toHaveProperty('result.messageId')
  expect([(await one)!.result, (await two)!.result]).toEqual([{}, {}])
  expect(turnEnds(peer)).toEqual([expect.stringContaining('turn/end 1 aborted:disposed')])
  const closed = peer.said.findIndex(({ params }) => params?.event?.type === 'turn/end')
  expect(closed).toBeLessThan(peer.said.findIndex(({ id }) => id === 3))
  await peer.server.ended
})

/** A registry whose factory waits for one session. */
function slow(id: string): { registry: Registry; store: SessionStore; go: () => void } {
  const going = deferred<void>()
  const store = memoryStore()
  const registry = createRegistry({
    store,
    factory: async (asked) => {
      if (asked.id === id) await going.promise
      return {}
    },
  })
  return { registry, store, go: going.resolve }
}

it('takes no message of any kind once a shutdown has begun', async () => {
  const { registry, store, go } = slow('s2')
  const peer = wire(['text "a"', 'text "never"'], { registry, store })
  await peer.initialize()
  await peer.prompt('s1', 'A')
  await peer.status('s1', 'idle')
  const [, over, ...late] = peer.batch(
    ['session/prompt', promptOf('s2', 'B')],
    ['shutdown', {}],
    ['session/steer', promptOf('s1', 'C')],
    ['session/inject', promptOf('s1', 'D')],
    ['inbox/append', { ...promptOf('s1', 'E'), list: 'next-turn' }],
  )
  for (const answer of await Promise.all(late))
    expect(answer).toEqual(refused(-32000, 'AGENT_DISPOSED', { sessionId: 's1' }))
  go()
  expect(await over).toMatchObject({ result: {} })
})

it('sends a prompt behind a close to the session that comes back, also where all of it met one creation', async () => {
  const peer = wire(['text "a"', 'text "b"'])
  await peer.initialize()
  const [, closed, prompted] = peer.batch(
    ['session/prompt', promptOf('s1', 'A', { messageId: 'A' })],
    ['session/close', { sessionId: 's1', graceMs: 0 }],
    ['session/prompt', promptOf('s1', 'B', { messageId: 'B' })],
  )
  expect(await closed).toMatchObject({ result: {} })
  expect(await prompted).toMatchObject({ result: { messageId: 'B' } })
  await peer.saw('s1', 'turn/end', 2)
  expect(turnEnds(peer).at(-1)).toBe('turn/end 2 completed')
  await peer.server.close()
})

it('reads and forks a session behind its creation', async () => {
  const peer = wire(['text "a"'])
  await peer.initialize()
  const [, events, projection, forked] = peer.batch(
    ['session/prompt', promptOf('s1', 'A', { messageId: 'A' })],
    ['session/events', { sessionId: 's1' }],
    ['session/projection', { sessionId: 's1', name: 'status' }],
    ['session/fork', { sessionId: 's1', at: 0, newSessionId: 's2' }],
  )
  expect((await events)!.result!['length']).toBeGreaterThan(0)
  expect(await projection).toHaveProperty('result.state')
  expect(await forked).toMatchObject({ result: { sessionId: 's2' } })
  await peer.server.close()
})

it('tells the end to a peer at a socket that asks for it and hangs up', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnwise-end-'))
  try {
    const { registry, store, go } = slow('s2')
    const { server } = wire(['hang "x"'], { registry, store })
    await server.listen({ path: join(folder, 's') })
    const { peer, gone } = await dial(join(folder, 's'))
    await peer.initialize()
    await peer.prompt('s1', 'A')
    const [prompted, over] = peer.batch(['session/prompt', promptOf('s2', 'B')], ['shutdown', {}])
    peer.input.end()
    // The end of the input rejects what is pending, and nobody waits for the session that is being made.
    expect(await prompted).toEqual(refused(-32000, 'TRANSPORT_CLOSED'))
    go()
    expect(await over).toMatchObject({ result: {} })
    await gone
    expect(peer.statuses('s1').at(-1)).toBe('disposed')
    await server.ended
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
