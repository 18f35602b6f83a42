/**
 * Streams whose readers go away, or whose agents do: nothing stays behind.
 */
import { expect, it } from 'vitest'
import type { Clock } from '../../../src/actors/clock.ts'
import type { Agent } from '../../../src/actors/agent-handle.ts'
import { codeOf, FrameReader, isIdle, rig } from './rig.ts'

/** Counts timers that wait. */
function counting(): Clock & { waiting: number } {
  const clock = {
    waiting: 0,
    now: () => 0,
    after: () => {
      clock.waiting += 1
      let waits = true
      return () => {
        if (waits) clock.waiting -= 1
        waits = false
      }
    },
  }
  return clock
}

/** Counts what listens to an agent. */
function watched(agent: Agent): () => number {
  let count = 0
  for (const name of ['subscribe', 'listen'] as const) {
    const real = agent[name].bind(agent) as (...given: unknown[]) => () => void
    Object.defineProperty(agent, name, {
      value: (...given: unknown[]) => {
        count += 1
        const undo = real(...given)
        return () => {
          count -= 1
          undo()
        }
      },
    })
  }
  return () => count
}

it('a stream leaves no listener, no timer and no place behind, whoever ends it', async () => {
  const clock = counting()
  const { post, get, agent } = rig(['text "one"', 'hang "x"', 'text "two"'], {
    clock,
    maxStreams: 1,
  })
  await post('/sessions/s/messages', { content: 'A' })
  await agent('s').whenIdle()
  const count = watched(agent('s'))
  const following = new FrameReader(await get('/sessions/s/events'))
  await following.until(isIdle)
  const parked = following.next()
  expect([count(), await codeOf(await get('/sessions/s/events'))]).toEqual([2, '503 OVERLOADED'])
  await following.leave()
  expect(await parked).toBeUndefined()
  expect([count(), clock.waiting]).toEqual([0, 0])
  const body = {
    id: 's',
    messages: [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'B' }] }],
  }
  const chat = new FrameReader(await post('/sessions/s/chat', body))
  await chat.until(({ data }) => data.includes('text-delta'))
  await chat.leave()
  expect([count(), clock.waiting]).toEqual([0, 0])
  // A refused message holds no place.
  expect((await post('/sessions/s/chat', body)).status).toBe(409)
  expect(count()).toBe(0)
  const last = new FrameReader(await get('/sessions/s/events?from=0'))
  await last.next()
  await agent('s').dispose()
  await last.rest()
  expect([count(), clock.waiting]).toEqual([0, 0])
})

it('a stream goes on behind every Last-Event-ID, with what was left', async () => {
  const { post, get, agent } = rig(['text "one"'])
  await post('/sessions/s/messages', { content: 'A' })
  await agent('s').whenIdle()
  const { length } = agent('s').log
  for (let last = 0; last < length; last += 1) {
    const reader = new FrameReader(await get('/sessions/s/events', { 'last-event-id': `${last}` }))
    const ids = (await reader.until(isIdle)).flatMap(({ id }) =>
      id === undefined ? [] : [Number(id)],
    )
    expect(ids).toEqual(Array.from({ length: length - last - 1 }, (_, i) => last + 1 + i))
    await reader.leave()
  }
  expect(await codeOf(await get('/sessions/s/events', { 'last-event-id': `${length}` }))).toBe(
    '410 CURSOR_TOO_OLD',
  )
})

it.each([
  '//sessions/s/events',
  '/x/../sessions/s/events',
  '/sessions/%73/events?x=/sessions/t/events',
  '/sessions/%2e%2e/events',
  '/sessions/s%2fevents',
  '/sessions/s;a/events',
  '/sessions/s%00/events',
  '/%73essions/s/events',
  '/sessions/s/events/',
  '/SESSIONS/s/events',
])(
  'a path is asked about as it is served, so that no spelling of it goes round the hook: %s',
  async (path) => {
    const { get, post } = rig(['text "one"'], {
      authenticate: ({ sessionId, action }) =>
        sessionId === 's' && action === 'read' ? null : { actor: 'ada' },
    })
    await post('/sessions/s/messages', { content: 'A' })
    expect([400, 401, 404]).toContain((await get(path)).status)
  },
)
