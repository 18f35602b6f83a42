/**
 * Subscriptions from a position, made while a burst of events is under way.
 */
import { expect, it } from 'vitest'
import { pushed, start, stop, text } from '../../actors/pushed-model.ts'
import { wire } from './peer.ts'

it('tells every event behind a position once and in order, wherever a burst stands when it is asked', async () => {
  const { model, push } = pushed()
  const peer = wire([], { agent: { model } })
  await peer.initialize({ notifications: 'subscribed', provider: 'mock', model: 'm' })
  await peer.prompt('s1', 'A')
  const agent = peer.server.registry.get('s1')!
  const asked: number[] = []
  await push(start)
  for (let round = 0; round < 25; round += 1) {
    asked.push((round * 7) % (agent.log.length + 1))
    const answer = peer.ask('session/subscribe', { sessionId: 's1', from: asked.at(-1) })
    await Promise.all([push(text('a'), text('b'), text('c')), answer])
  }
  await push(stop)
  await peer.ask('session/whenIdle', { sessionId: 's1' })
  const told = peer.events('s1').map(({ seq }) => seq)
  // From each beginning on there is no gap, up to where the next one begins.
  const begins = told.filter((seq, i) => seq !== (told[i - 1] ?? -2) + 1)
  expect(begins.length).toBeGreaterThan(10)
  const order = [...asked]
  for (const begin of begins) {
    while (order.length > 0 && order[0] !== begin) order.shift()
    expect(order.shift()).toBe(begin)
  }
  expect(told.at(-1)).toBe(agent.log.length - 1)
  await peer.server.close()
})
