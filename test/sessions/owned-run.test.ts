/**
 * Owned runs in process: what gives up waiting, and the events of the interval as they come.
 */
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../src/events/event.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, rig, say } from '../actors/rig.ts'
import { deferred } from '../support/deferred.ts'

const types = (events: readonly StoredEvent[]): string[] => events.map(({ type }) => type)

/** All events of `iterable`, and what it threw. */
async function read(iterable: AsyncIterable<StoredEvent>) {
  const events: StoredEvent[] = []
  try {
    for await (const event of iterable) events.push(event)
  } catch (error) {
    return { events, code: (error as { code?: string }).code }
  }
  return { events, code: undefined }
}

describe('a timeout', () => {
  it('O3: gives up waiting, not the work; the next run waits for the work', async () => {
    const door = deferred<void>()
    const { agent, clock, ends } = rig({
      model: ['text "one"', 'text "two"'],
      gates: {
        request: async (_, next) => {
          await door.promise
          return next()
        },
      },
    })
    const first = agent.run(say('A'), { timeoutMs: 1000 })
    const failed = first.catch((error: { code: string }) => error.code)
    const second = agent.run(say('B'))
    await clock.advance(1000)
    expect(await failed).toBe('RUN_TIMEOUT')
    expect(agent.inbox.nextTurn).toEqual([])
    door.resolve()
    expect((await second).turns.map(({ turn }) => turn)).toEqual([2])
    expect(ends()).toEqual(['turn/end 1 completed', 'turn/end 2 completed'])
    await finish(agent)
  })

  it('leaves no timer behind a run that is over, also when it was refused', async () => {
    const { agent, clock } = rig({ model: ['text "one"'] })
    await agent.run(say('A'), { timeoutMs: 1000 })
    await expect(agent.run(say('A'), { timeoutMs: 1000 })).rejects.toMatchObject({
      code: 'DUPLICATE_ID',
    })
    expect(clock.timers).toBe(0)
    await finish(agent)
  })
})

describe('an observer', () => {
  it('sees each event of the interval as it is recorded, from the own insertion on', async () => {
    const { agent } = rig({ model: ['text "one"'] })
    agent.inject('before')
    const seen: StoredEvent[] = []
    const result = await agent.run(say('A'), { observer: (event) => seen.push(event) })
    agent.inject('behind')
    expect(seen).toEqual(result.events)
    expect(seen[0]).toMatchObject({ type: 'inbox/inserted', data: { message: { id: 'A' } } })
    await finish(agent)
  })

  it('SD-20 that throws rejects the run; it is not told again, and the work goes on', async () => {
    const { agent, ends, diagnostics } = rig({ model: ['text "one"'] })
    let told = 0
    const run = agent.run(say('A'), {
      observer: ({ type }) => {
        told += 1
        if (type === 'step/start') throw new Error('no more')
      },
    })
    await expect(run).rejects.toThrow('no more')
    const before = told
    await agent.whenIdle()
    expect(told).toBe(before)
    expect(ends()).toEqual(['turn/end 1 completed'])
    expect(diagnostics).toEqual([])
    await finish(agent)
  })

  it('that throws does not let the next run overlap: that one waits until the work is over', async () => {
    const { agent } = rig({ model: ['text "one"', 'text "two"'] })
    const first = agent.run(say('A'), {
      observer: () => {
        throw new Error('at once')
      },
    })
    const second = agent.run(say('B'))
    await expect(first).rejects.toThrow('at once')
    const { turns, finalResponse } = await second
    expect([turns.map(({ turn }) => turn), finalResponse]).toEqual([[2], 'two'])
    await finish(agent)
  })
})

describe('the events of a run', () => {
  it('come while it runs, and end with it', async () => {
    const { agent } = rig({ model: ['text "one"'] })
    const run = agent.run(say('A'))
    const reading = read(run.events())
    const { events } = await run
    expect((await reading).events).toEqual(events)
    expect((await read(run.events())).events).toEqual(events)
    await finish(agent)
  })

  it('are those of the interval: nothing before it, nothing behind it', async () => {
    const { agent } = rig({ model: ['text "one"', 'text "two"'] })
    agent.inject('before')
    const run = agent.run(say('A'))
    const { events } = await run
    await agent.run(say('B'))
    const late = await read(run.events())
    expect(types(late.events)).toEqual(types(events))
    await finish(agent)
  })

  it('of a queued run begin when its turn has come', async () => {
    const { agent } = rig({ model: ['text "one"', 'text "two"'] })
    const first = agent.run(say('A'))
    const second = agent.run(say('B'))
    const reading = read(second.events())
    await Promise.all([first, second])
    const [begin] = (await reading).events
    expect(begin).toMatchObject({ type: 'inbox/inserted', data: { message: { id: 'B' } } })
    await finish(agent)
  })

  it('wait for a slow reader, who keeps no memory and holds nobody up', async () => {
    const { agent } = rig({ model: ['text "one"'] })
    const run = agent.run(say('A'))
    const iterator = run.events()
    const first = await iterator.next()
    const { events } = await run
    const rest = await read(iterator)
    expect([first.value, ...rest.events]).toEqual(events)
    await finish(agent)
  })

  it('end with the error of the run, behind what had come', async () => {
    const { agent, clock } = rig({
      model: ['text "one"'],
      gates: { preStep: () => new Promise(() => {}) },
    })
    const refused = rig({ model: [] })
    refused.agent.inbox.append('next-turn', say('A'))
    expect(await read(refused.agent.run(say('A')).events())).toEqual({
      events: [],
      code: 'DUPLICATE_ID',
    })
    const run = agent.run(say('A'), { timeoutMs: 50 })
    const reading = read(run.events())
    await settle()
    await clock.advance(50)
    const { events, code } = await reading
    expect(code).toBe('RUN_TIMEOUT')
    expect(types(events)).toEqual(['inbox/inserted', 'turn/start', 'inbox/claimed'])
    await agent.dispose()
    await finish(refused.agent)
  })

  it('of a run that awaits itself say so', async () => {
    const codes: (string | undefined)[] = []
    const { agent } = rig({
      model: ['call c1 t', 'text "done"'],
      tools: [
        {
          name: 't',
          run: async () => {
            codes.push((await read(agent.run(say('B')).events())).code)
          },
        },
      ],
    })
    await agent.run(say('A'))
    expect(codes).toEqual(['SELF_WAIT'])
    await finish(agent)
  })
})

it('refuses options that make no sense, and writes nothing', async () => {
  const { agent } = rig({ model: [] })
  const bad: object[] = [
    { timeoutMs: 0 },
    { timeoutMs: 'soon' },
    { concurrentRuns: 'maybe' },
    { observer: 7 },
    { output: {} },
  ]
  for (const options of bad)
    await expect(agent.run(say('A'), options)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  expect(agent.log.length).toBe(0)
  await finish(agent)
})
