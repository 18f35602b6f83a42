/** Cases about many readers, many agents and many clocks that no single script tells. */
import { expect, test } from 'vitest'
import { createAgent } from '../../src/actors/agent.ts'
import { currentInitiator } from '../../src/actors/initiator.ts'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { printEvent } from '../../src/testing/print-event.ts'
import { Refusals, refusingLog } from '../../src/testing/scenario/refusing-log.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { field, message, type FieldStage } from '../testing/field-stage.ts'

test('NW-14 subscribers that join at different times see one order, each event once', async () => {
  const stage = field({ model: ["[text('one'), gate(g)]"], tools: {} })
  const first: number[] = []
  const second: number[] = []
  stage.agent.subscribe({ from: 0 }, ({ seq }) => first.push(seq))
  stage.agent.followup(message('A'))
  await stage.until('a chunk', () => stage.of('assistant/chunk').length > 1)
  stage.agent.subscribe({ from: 3 }, ({ seq }) => second.push(seq))
  const stored = second.length
  expect(stored).toBe(stage.agent.log.length - 3)
  stage.latches.open('g')
  await stage.agent.whenIdle()
  const all = Array.from({ length: stage.agent.log.length }, (_, seq) => seq)
  expect(first).toEqual(all)
  expect(second).toEqual(all.slice(3))
  expect(second.length).toBeGreaterThan(stored)
})

async function slow(rounds: number): Promise<void> {
  await settle(rounds)
  await new Promise(() => {})
}

/** Observers that answer promises which come late, or never. */
function listenSlowly({ agent }: FieldStage): void {
  agent.subscribe({ from: 0 }, ({ seq }) => slow(seq % 5) as unknown as void)
  agent.listen(() => slow(3) as unknown as void)
}

async function threeTurns(listen: (stage: FieldStage) => void): Promise<string[]> {
  const stage = field({ model: ['text "1"', 'text "2"', 'text "3"'] })
  listen(stage)
  for (const id of ['A', 'B', 'C']) stage.agent.followup(message(id))
  await stage.agent.whenIdle()
  return stage.log()
}

test('NW-17 an observer that is slow, or never done, neither reorders nor holds anything', async () => {
  expect(await threeTurns(listenSlowly)).toEqual(await threeTurns(() => {}))
})

test('NW-18 hundreds of agents on one runtime: no cross-talk, nothing left after dispose', async () => {
  const stages = Array.from({ length: 500 }, (_, i) =>
    field({ id: `s${i}`, model: [i % 3 === 0 ? 'hang "x"' : 'text "x"'] }),
  )
  for (const [i, stage] of stages.entries()) {
    stage.agent.followup(message(`m${i}`))
    if (i % 5 === 0) stage.agent.cancel('user')
  }
  await settle()
  for (const [i, stage] of stages.entries()) if (i % 7 === 0) stage.agent.cancel('parent')
  await Promise.all(stages.map((stage) => stage.agent.dispose()))
  for (const [i, stage] of stages.entries()) {
    stage.check()
    expect(stage.of('inbox/inserted').map(({ data }) => data.message.id)).toEqual([`m${i}`])
  }
  const left = stages.filter(({ agent, clock }) => agent.status !== 'disposed' || clock.timers > 0)
  expect(left).toEqual([])
  const hanging = stages.filter(({ model }) => model.requests[0]?.stalled === true)
  expect(hanging.length).toBeGreaterThan(0)
  expect(hanging.every(({ model }) => model.requests[0]?.context.signal.aborted)).toBe(true)
})

test('ST-02 the initiator is the driving agent in every gate, model and tool, and nobody outside', async () => {
  const seen: Record<string, Set<string>> = { a: new Set(), b: new Set() }
  const note = (agent: string): void => {
    seen[agent]?.add(currentInitiator()?.agent ?? 'nobody')
  }
  const noting =
    (agent: string) =>
    async <A>(_question: object, next: () => Promise<A>): Promise<A> => {
      note(agent)
      await settle(1)
      note(agent)
      return next()
    }
  const make = (agent: string) =>
    field({
      id: agent,
      model: ['call c1 t', 'text "done"'],
      tools: {
        async t() {
          note(agent)
          await settle(2)
          note(agent)
        },
      },
      gates: {
        preStep: noting(agent),
        request: noting(agent),
        toolPre: noting(agent),
        toolPost: noting(agent),
        turnStopping: noting(agent),
      },
      system: async () => {
        note(agent)
        return ''
      },
    })
  const a = make('a')
  const b = make('b')
  a.agent.followup(message('A'))
  b.agent.followup(message('B'))
  await Promise.all([a.agent.whenIdle(), b.agent.whenIdle()])
  expect(seen).toEqual({ a: new Set(['a']), b: new Set(['b']) })
  expect(currentInitiator()).toBeUndefined()
})

test('DI-01 an idle agent is disposed without a record, and its id can be used again', async () => {
  const order: string[] = []
  const agent = createAgent({ id: 's1', model: scriptedModel([]) })
  agent.listen((notice) => order.push(notice.type === 'status' ? notice.status : notice.type))
  await agent.dispose()
  expect(order).toEqual(['disposed', 'agent/disposed'])
  expect(agent.log.length).toBe(0)
  expect(createAgent({ id: 's1', model: scriptedModel([]) }).status).toBe('idle')
})

test('SD-03 the insertion of a run is told before the call that starts it returns', async () => {
  const stage = field({ model: ['text "one"'] })
  const order: string[] = []
  const print = printEvent()
  stage.agent.subscribe({ from: 0 }, (event) => order.push(...print(event)))
  stage.agent.listen((notice) => {
    if (notice.type === 'status') order.push(`status ${notice.status}`)
  })
  const run = stage.agent.run(message('A'))
  order.push('returned')
  expect(order).toEqual([
    'inbox next-turn @0 +["A"]',
    'status running',
    'turn/start 1',
    'inbox next-turn @0 -1 claimed',
    'returned',
  ])
  expect(await run).toMatchObject({ messageId: 'A', finalResponse: 'one' })
})

test('XR-15 a failed write keeps its events in order and is tried again; dispose reports what stays unwritten', async () => {
  const refusals = new Refusals()
  refusals.add({ refuses: (n) => n === 1, message: () => 'store broke' })
  const log = refusingLog(createMemoryLog({ id: 's1' }), refusals)
  const stage = field({ log, model: ['text "one"', 'text "two"'] })
  stage.agent.followup(message('A'))
  await stage.agent.whenIdle()
  expect(stage.log().at(-1)).toMatch(/^turn\/end 1 error/)
  await stage.agent.log.flush()
  stage.agent.followup(message('B'))
  await stage.agent.whenIdle()
  expect(stage.log().at(-1)).toBe('turn/end 2 completed')
  await stage.agent.dispose()
  expect(stage.agent.log.read().every((event, seq) => event.seq === seq)).toBe(true)
  stage.check()
})

test('RQ-07 the signals of one turn abort together with one reason; the next turn has a fresh one', async () => {
  let tool: AbortSignal | undefined
  const stage = field({
    model: ['call c1 t', 'hang "two"', 'text "three"'],
    tools: {
      t({ signal }) {
        tool = signal
      },
    },
  })
  stage.agent.followup(message('A'))
  await stage.until('the second request streams', () => stage.model.requests[1]?.stalled === true)
  const signals = [
    stage.model.requests[0]?.context.signal,
    stage.model.requests[1]?.context.signal,
    tool,
  ]
  expect(signals.map((signal) => signal?.aborted)).toEqual([false, false, false])
  const cause = { kind: 'user' } as const
  stage.agent.cancel(cause)
  stage.agent.followup(message('B'))
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true, true])
  expect(signals.every((signal) => signal?.reason === cause)).toBe(true)
  await stage.until('the third request', () => stage.model.requests.length === 3)
  expect(stage.model.requests[2]?.context.signal.aborted).toBe(false)
  await stage.agent.whenIdle()
})
