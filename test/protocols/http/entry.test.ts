/**
 * Which agent a request finds: the living one, or that of a session that was left in its store.
 */
import { expect, it } from 'vitest'
import { createRegistry } from '../../../src/sessions/registry.ts'
import { rig } from './rig.ts'

it('a message resumes a session whose agent was disposed, as whoever saves memory does', async () => {
  const { post, agent } = rig(['text "ok"', 'text "again"'])
  await post('/sessions/s/messages', { content: 'A' })
  await agent('s').whenIdle()
  await agent('s').dispose({ keepInbox: true })
  expect((await post('/sessions/s/messages', { content: 'B' })).status).toBe(202)
  await agent('s').whenIdle()
  const ends = agent('s')
    .log.read()
    .filter(({ type }) => type === 'turn/end')
  expect(ends).toHaveLength(2)
})

it('a session that no store has kept is gone with its agent', async () => {
  const registry = createRegistry({ factory: () => ({}) })
  const { post } = rig([], { registry })
  await post('/sessions/s/messages', { content: 'A', as: 'inject' })
  await registry.get('s')?.dispose()
  expect((await post('/sessions/s/messages', { content: 'B' })).status).toBe(404)
})
