/**
 * What is read: projections by name, and the stream of events, each once and in order, at the pace of its reader.
 */
import { describe, expect, it } from 'vitest'
import { codeOf, FrameReader, isIdle, rig } from './rig.ts'

describe('projections', () => {
  it('are read by name', async () => {
    const { post, get, agent } = rig(['text "ok"'])
    await post('/sessions/s/messages', { content: 'A' })
    await agent('s').whenIdle()
    const turns = (await (await get('/sessions/s/projections/turns')).json()) as { length: number }
    expect(turns.length).toBe(agent('s').log.length)
    expect(await codeOf(await get('/sessions/s/projections/secrets'))).toBe('404 NOT_FOUND')
    expect(await codeOf(await get('/sessions/none/projections/turns'))).toBe(
      '404 SESSION_NOT_FOUND',
    )
  })
})

describe('events', () => {
  it('come once and in order with their seq, and the status when all was said', async () => {
    const { post, get, agent } = rig(['text "ok"'])
    await post('/sessions/s/messages', { content: 'A' })
    const reader = new FrameReader(await get('/sessions/s/events'))
    const frames = await reader.until(isIdle)
    const events = frames.filter(({ id }) => id !== undefined)
    expect(events.map(({ id }) => Number(id))).toEqual(
      agent('s')
        .log.read()
        .map(({ seq }) => seq),
    )
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['event', 'delta']))
    await reader.leave()
  })

  it('go on behind Last-Event-ID, without deltas where they are not wanted', async () => {
    const { post, get, agent } = rig(['text "ok"'])
    await post('/sessions/s/messages', { content: 'A' })
    await agent('s').whenIdle()
    const reader = new FrameReader(
      await get('/sessions/s/events?deltas=0&from=0', { 'last-event-id': '3' }),
    )
    const frames = await reader.until(isIdle)
    const expected = agent('s')
      .log.read(4)
      .filter(({ type }) => type !== 'assistant/chunk')
      .map(({ seq }) => `${seq}`)
    expect(frames.flatMap(({ id }) => id ?? [])).toEqual(expected)
    await reader.leave()
    const beyond = await get('/sessions/s/events', { 'last-event-id': '5000' })
    expect(await codeOf(beyond)).toBe('410 CURSOR_TOO_OLD')
  })

  it('of a slow reader wait in the log, not in memory, and hold nobody up', async () => {
    const { post, get, agent } = rig(Array.from({ length: 40 }, () => 'text "ok"'))
    await post('/sessions/s/messages', { content: '0' })
    const reader = new FrameReader(await get('/sessions/s/events'))
    const first = await reader.next()
    expect(first?.id).toBe('0')
    for (let i = 1; i < 40; i += 1) await post('/sessions/s/messages', { content: `${i}` })
    await agent('s').whenIdle()
    const frames = await reader.until(({ id }) => id === `${agent('s').log.length - 1}`)
    expect(frames.filter(({ id }) => id !== undefined)).toHaveLength(agent('s').log.length - 1)
    await reader.leave()
  })

  it('end with the agent, and a stream that was left gives its place back', async () => {
    const { post, get, agent } = rig(['text "ok"'], { maxStreams: 1 })
    await post('/sessions/s/messages', { content: 'A' })
    const reader = new FrameReader(await get('/sessions/s/events'))
    await reader.next()
    expect(await codeOf(await get('/sessions/s/events'))).toBe('503 OVERLOADED')
    await reader.leave()
    const again = new FrameReader(await get('/sessions/s/events'))
    await again.until(isIdle)
    const rest = again.rest()
    await agent('s').dispose()
    expect((await rest).at(-1)?.event).toBe('status')
  })

  it('of chunks that are recorded nowhere come as deltas without an id', async () => {
    const { post, get, model } = rig(['gate g + text "hello"'], {
      agentOptions: { chunks: 'live' },
    })
    const sent = await post('/sessions/s/messages', { content: 'A' })
    expect(sent.status).toBe(202)
    const reader = new FrameReader(await get('/sessions/s/events'))
    await reader.until(({ data }) => data.includes('"request/context"'))
    const rest = reader.until(isIdle)
    model.release('g')
    const deltas = (await rest).filter(({ event }) => event === 'delta')
    expect(deltas.length).toBeGreaterThan(0)
    expect(deltas.every(({ id }) => id === undefined)).toBe(true)
    await reader.leave()
  })
})
