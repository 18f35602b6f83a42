/**
 * Intervals that are met in the middle, overtaken, cut or repeated: what others read stays well formed.
 */
import { EventSchemas } from '@ag-ui/core/schemas'
import { describe, expect, it } from 'vitest'
import type { AgentOptions } from '../../../src/actors/agent-options.ts'
import { pushed } from '../../actors/pushed-model.ts'
import { FrameReader, type ReadFrame, rig, type Rig } from './rig.ts'

interface AgUi {
  readonly type: string
  readonly messageId?: string
  readonly toolCallId?: string
  readonly stepName?: string
  readonly delta?: string
}

const read = (frames: readonly ReadFrame[]): AgUi[] =>
  frames.map(({ data }) => EventSchemas.parse(JSON.parse(data)) as AgUi)

/** Asks for a run of AG-UI. */
const follow = async ({ post }: Pick<Rig, 'post'>, id: string): Promise<FrameReader> => {
  const messages = [{ id, role: 'user', content: id }]
  const more = { tools: [], context: [], state: {}, forwardedProps: {} }
  const input = { threadId: 's', runId: `r-${id}`, messages, ...more }
  return new FrameReader(await post('/sessions/s/ag-ui', input))
}

/** What opens and what closes it, by the kind of id that both bear. */
const PAIRS = [
  ['TEXT_MESSAGE', 'messageId'],
  ['REASONING_MESSAGE', 'messageId'],
  ['TOOL_CALL', 'toolCallId'],
  ['STEP', 'stepName'],
] as const

/** Rules of the protocol that its schemas do not know. */
function faultsOf(events: readonly AgUi[]): string[] {
  const open = new Set<string>()
  const used = new Set<string>()
  const faults: string[] = []
  const take = (type: string, id: string): void => {
    if (/START(ED)?$/.test(type)) {
      if (used.has(id)) faults.push(`${id} begins twice`)
      open.add(id)
      used.add(id)
    } else if (!open.has(id)) faults.push(`${type} of ${id}, which is not open`)
    if (/(END|FINISHED)$/.test(type)) open.delete(id)
  }
  for (const event of events)
    for (const [kind, key] of PAIRS)
      if (event.type.startsWith(kind) && !event.type.endsWith('RESULT'))
        take(event.type, `${kind} ${event[key]}`)
  return [...faults, ...[...open].map((id) => `${id} is left open`)]
}

/** Arguments by call, of the calls that have an outcome. */
function callsOf(events: readonly AgUi[]): Record<string, string> {
  const done = events.filter(({ type }) => type === 'TOOL_CALL_RESULT')
  return Object.fromEntries(
    done.map(({ toolCallId }) => [
      toolCallId,
      events
        .filter((event) => event.type === 'TOOL_CALL_ARGS' && event.toolCallId === toolCallId)
        .map(({ delta }) => delta)
        .join(''),
    ]),
  )
}

const textOf = (events: readonly AgUi[]): string =>
  events.flatMap(({ type, delta }) => (type === 'TEXT_MESSAGE_CONTENT' ? [delta] : [])).join('')

const tools = [{ name: 'echo', run: (value: unknown) => JSON.stringify(value) }]
const called = (block: number) =>
  ({ kind: 'block-start', block, type: 'tool-call', id: 'c1', name: 'echo' }) as const
const args = (block: number, text: string) => ({ kind: 'tool-call-delta', block, text }) as const
const end = (block: number) => ({ kind: 'block-end', block }) as const
const call = (block: number, text: string) => [called(block), args(block, text), end(block)]
const said = (...texts: readonly string[]) => [
  { kind: 'block-start', block: 0, type: 'text' },
  ...texts.map((text) => ({ kind: 'text-delta', block: 0, text })),
  end(0),
]
const finish = (reason: string) => ({ kind: 'finish', reason })
const failed = { ...finish('error'), failure: { code: 'SERVER', message: 'down' } }

function fed(agentOptions: AgentOptions = {}): Rig & Pick<ReturnType<typeof pushed>, 'push'> {
  const { model, push } = pushed()
  const retry = { baseMs: 0, maxMs: 0 }
  return {
    ...rig([], { agentOptions: { model, tools, retry, drainGraceMs: 1, ...agentOptions } }),
    push,
  }
}

describe('AG-UI is well formed', () => {
  it('where an interval is joined in the middle of a stream', async () => {
    const service = fed()
    await service.post('/sessions/s/messages', { content: 'A' })
    await service.push(...call(0, '{"v":1}'), called(1), args(1, '{"v"'))
    const reader = await follow(service, 'u1')
    await service.push(args(1, ':2}'), end(1), ...call(2, '{"v":3}'), finish('tool-calls'))
    await service.push(...said('one'), finish('stop'))
    await service.push(...said('two'), finish('stop'))
    const events = read(await reader.rest())
    expect(faultsOf(events)).toEqual([])
    expect(callsOf(events)).toEqual({ '1.1.0': '{"v":1}', '1.1.1': '{"v":2}', '1.1.2': '{"v":3}' })
    expect(textOf(events)).toBe('onetwo')
  })

  it('where an attempt that failed had begun a call, and the next one begins it again', async () => {
    const service = fed()
    const reader = await follow(service, 'u1')
    await service.push(called(0), args(0, '{"ci'), failed)
    await service.push(...call(0, '{"v":1}'), finish('tool-calls'))
    await service.push(...said('done'), finish('stop'))
    const events = read(await reader.rest())
    expect(faultsOf(events)).toEqual([])
    expect(Object.values(callsOf(events))).toEqual(['{"v":1}'])
  })

  it('where the last attempt failed in a call, and where a turn was cut in one', async () => {
    const service = fed({ retry: false })
    const one = await follow(service, 'u1')
    await service.push(called(0), args(0, '{"ci'), failed)
    const first = read(await one.rest())
    expect([faultsOf(first), first.at(-1)?.type]).toEqual([[], 'RUN_ERROR'])
    const two = await follow(service, 'u2')
    await service.push(called(0), args(0, '{"ci'))
    await service.post('/sessions/s/cancel')
    const second = read(await two.rest())
    expect([faultsOf(second), second.at(-1)?.type]).toEqual([[], 'RUN_FINISHED'])
  })

  it('where the agent is disposed of in the middle', async () => {
    const service = fed()
    const reader = await follow(service, 'u1')
    await service.push(...said('par').slice(0, 2))
    await service.agent('s').dispose()
    const events = read(await reader.rest())
    expect([faultsOf(events), events.at(-1)?.type]).toEqual([[], 'RUN_FINISHED'])
  })
})

it('a UI message tells a failure at its end only: nothing is read behind an error, and the next turn may do well', async () => {
  const service = fed({ retry: false })
  const messages = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'A' }] }]
  const reader = new FrameReader(await service.post('/sessions/s/chat', { id: 's', messages }))
  await service.post('/sessions/s/messages', { content: 'B' })
  await service.push(failed)
  await service.push(...said('Hello.'), finish('stop'))
  const told = (await reader.rest()).map(({ data }) => data).join('\n')
  expect(told).toContain('"delta":"Hello."')
  expect(told).not.toContain('"type":"error"')
  expect(told).toContain('"finishReason":"stop"')
})

describe('a reader that is behind', () => {
  it('is told a text and arguments to their end, although chunks that were not recorded were left out', async () => {
    const service = fed({ chunks: 'live' })
    const reader = await follow(service, 'u1')
    const words = Array.from({ length: 300 }, (_, i) => `${i} `)
    await service.push(...said(...words).slice(0, -1))
    const some = await reader.until(({ data }) => data.includes('"delta":"199 "'))
    await service.push({ kind: 'text-delta', block: 0, text: 'more' }, end(0))
    const pieces = Array.from({ length: 300 }, (_, i) => `${i},`)
    await service.push(called(1), args(1, '['), ...pieces.map((piece) => args(1, piece)))
    await service.push(args(1, '300]'), end(1), finish('tool-calls'))
    await service.push(...said('.'), finish('stop'))
    const events = read([...some, ...(await reader.rest())])
    expect(faultsOf(events)).toEqual([])
    expect(textOf(events)).toBe(`${words.join('')}more.`)
    expect(Object.values(callsOf(events))).toEqual([`[${pieces.join('')}300]`])
  })

  it('is told its interval, and nothing of what came after it', async () => {
    const service = fed()
    const reader = await follow(service, 'u1')
    await service.push(...said('one'), finish('stop'))
    await service.agent('s').whenIdle()
    await service.post('/sessions/s/messages', { content: 'B' })
    await service.push(...said('two'), failed)
    const events = read(await reader.rest())
    expect([textOf(events), events.at(-1)?.type]).toEqual(['one', 'RUN_FINISHED'])
  })
})
