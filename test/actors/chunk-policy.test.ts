/**
 * What becomes of chunks before they are numbered: joined to one event, or told and recorded nowhere.
 */
import { describe, expect, it } from 'vitest'
import type { Chunk } from '../../src/events/chunk.ts'
import { repairEvents } from '../../src/sessions/repair.ts'
import { pushed, start, stop, text } from './pushed-model.ts'
import { finish, ofType, rig, say } from './rig.ts'
import type { Rig } from './rig.ts'

const chunksOf = ({ agent }: Rig): Chunk[] =>
  ofType(agent, 'assistant/chunk').map(({ data }) => data.chunk)
const end = { kind: 'block-end', block: 0 } as const
const thought = (said: string) => ({ kind: 'reasoning-delta', block: 1, text: said }) as const
const saidBy = ({ agent }: Rig) =>
  ofType(agent, 'assistant/message').map(({ data, cites }) => [
    ...data.message.content.map((block) => 'text' in block && block.text),
    cites?.length,
  ])

async function started(chunks: 'coalesce' | 'live' | 'each', more: object = {}) {
  const { model, push, end: close } = pushed()
  const all = rig({ model, chunks: { policy: chunks, ...more } as never })
  all.agent.followup(say('A'))
  await push(start)
  return { ...all, push, close }
}

describe('coalesced chunks', () => {
  it('are one event a span, without a change of text or order', async () => {
    const all = await started('coalesce')
    const { agent, push, clock } = all
    await push(text('a'), text('b'))
    expect(chunksOf(all)).toEqual([start])
    await clock.advance(49)
    await push(text('c'))
    expect(chunksOf(all)).toHaveLength(1)
    await clock.advance(1)
    expect(chunksOf(all).slice(1)).toEqual([text('abc')])
    await push(text('d'), thought('e'), thought('f'), text('g'), end, stop)
    await agent.whenIdle()
    const rest = [text('d'), thought('ef'), text('g'), end, stop]
    expect(chunksOf(all)).toEqual([start, text('abc'), ...rest])
    expect(saidBy(all)).toEqual([['abcdg', 'ef', 7]])
    await finish(agent)
  })

  it('are recorded at once when there are enough characters', async () => {
    const all = await started('coalesce', { maxChars: 5 })
    await all.push(text('abc'), text('de'), text('f'))
    expect(chunksOf(all)).toEqual([start, text('abcde')])
    await all.push(stop)
    expect(chunksOf(all)).toEqual([start, text('abcde'), text('f'), stop])
    await finish(all.agent)
  })

  it('keep what came before an abort, and nothing that came after it', async () => {
    const all = await started('coalesce')
    const { agent, push, close } = all
    await push(text('seen'))
    agent.cancel()
    await push(text(' not seen'))
    await close()
    await agent.whenIdle()
    expect(chunksOf(all)).toEqual([start, text('seen')])
    expect(saidBy(all)).toEqual([['seen', 2]])
    await finish(agent)
  })

  it.each([
    ['a timer let go', 9000],
    ['still is held back', 20_000],
  ])('keep it also when the stream is left behind: what %s', async (_, everyMs) => {
    const all = await started('coalesce', { everyMs })
    await all.push(text('seen'))
    all.agent.cancel()
    await all.clock.advance(10_000)
    expect(saidBy(all)).toEqual([['seen', 2]])
    await finish(all.agent)
  })

  it('stand before the failure of their attempt', async () => {
    const all = await started('coalesce', { everyMs: 10 ** 6 })
    await all.push(text('half'))
    await all.close()
    const types = all.agent.log.read().map(({ type }) => type)
    expect(types.slice(-4)).toEqual(['assistant/chunk', 'request/failed', 'step/end', 'turn/end'])
    await finish(all.agent)
  })
})

describe('live chunks', () => {
  it('are told, have no seq, are not cited, and make the same message', async () => {
    const all = await started('live')
    const { agent, push, trace } = all
    await push(text('a'), text('b'), stop)
    await agent.whenIdle()
    expect(chunksOf(all)).toEqual([])
    expect(trace.filter((line) => line.startsWith('chunk'))).toEqual([
      'chunk 1.1 block-start',
      'chunk 1.1 text-delta',
      'chunk 1.1 text-delta',
      'chunk 1.1 finish',
    ])
    expect(saidBy(all)).toEqual([['ab', 0]])
    await finish(agent)
  })

  it('leave the visible prefix after an abort, and none after a crash', async () => {
    const all = await started('live')
    await all.push(text('seen'))
    const crashed = repairEvents(all.agent.log.read())
    expect(crashed.map(({ type }) => type)).toEqual(['step/end', 'turn/end'])
    all.agent.cancel()
    await all.close()
    expect(saidBy(all)).toEqual([['seen', 0]])
    await finish(all.agent)
  })
})

it.each([
  ['chunks', 'sometimes'],
  ['chunks.everyMs', { policy: 'coalesce', everyMs: 0 }],
  ['chunks.maxChars', { policy: 'coalesce', maxChars: 1.5 }],
])('refuses the option %s out of range', (name, chunks) => {
  expect(() => rig({ chunks: chunks as never })).toThrow(`option ${name} should be`)
})
