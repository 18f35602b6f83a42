/**
 * Watching an agent: subscriptions by position, observables, projections. Watchers hold nothing up and harm nobody.
 */
import { describe, expect, it } from 'vitest'
import type { Projection } from '../../src/projections/projection.ts'
import { turns } from '../../src/projections/turns.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, rig, say } from './rig.ts'

const bad = (): never => {
  throw new Error('bad subscriber')
}

const counter = (): Projection<number> => ({
  name: 'counter',
  initial: 0,
  evolve: (count, { type }) => (type === 'turn/start' ? count + 1 : count),
})

describe('subscribe', () => {
  it('delivers what is stored from a position on, then what comes, once and in order', async () => {
    const { agent } = rig({ model: ['text "one"', 'text "two"'] })
    agent.followup(say('A'))
    await agent.whenIdle()
    const { length } = agent.log
    const late: number[] = []
    agent.subscribe({ from: 2 }, ({ seq }) => late.push(seq))
    expect(late).toEqual(Array.from({ length: length - 2 }, (_, i) => i + 2))
    agent.followup(say('B'))
    await agent.whenIdle()
    expect(late).toEqual(Array.from({ length: agent.log.length - 2 }, (_, i) => i + 2))
    await finish(agent)
  })

  it('misses nothing and repeats nothing when it joins in the middle of a delivery', async () => {
    const { agent } = rig({ model: ['text "one"'] })
    const seen: number[] = []
    agent.subscribe({}, (event) => {
      if (event.type === 'turn/start') agent.subscribe({ from: 0 }, ({ seq }) => seen.push(seq))
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(seen).toEqual(Array.from({ length: agent.log.length }, (_, i) => i))
    await finish(agent)
  })

  it('from a position that is still to come waits for it', async () => {
    const { agent } = rig({ model: ['text "one"'] })
    const seen: number[] = []
    agent.subscribe({ from: 3 }, ({ seq }) => seen.push(seq))
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(seen[0]).toBe(3)
    await finish(agent)
  })

  it('ends at once for who leaves', async () => {
    const { agent } = rig({ model: ['text "one"'] })
    agent.followup(say('A'))
    await agent.whenIdle()
    const seen: number[] = []
    const leave = agent.subscribe({ from: agent.log.length }, ({ seq }) => {
      seen.push(seq)
      leave()
    })
    agent.inject('x')
    agent.inject('y')
    expect(seen).toHaveLength(1)
    await finish(agent)
  })

  it.each([-1, 1.5, Number.NaN])('refuses the position %s', async (from) => {
    const { agent } = rig()
    expect(() => agent.subscribe({ from }, () => {})).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
    await finish(agent)
  })

  it('tells diagnostics what an observer throws, and delivers to the others', async () => {
    const { agent, diagnostics } = rig({ model: ['text "one"'] })
    const seen: string[] = []
    agent.subscribe({}, () => {
      throw new Error('bad observer')
    })
    agent.subscribe({}, ({ type }) => seen.push(type))
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(seen).toHaveLength(agent.log.length)
    expect(diagnostics.map(({ kind }) => kind)).toEqual(seen.map(() => 'observer'))
    await finish(agent)
  })
})

describe('the observables', () => {
  it('tell the events from now on, the status now and every change of it', async () => {
    const { agent } = rig({ model: ['text "one"'] })
    agent.inject(say('before'))
    const types: string[] = []
    const statuses: string[] = []
    agent.events$.subscribe(({ type }) => types.push(type))
    agent.status$.subscribe((status) => statuses.push(status))
    agent.followup(say('A'))
    await agent.whenIdle()
    await agent.dispose()
    expect(types.slice(0, 2)).toEqual(['inbox/inserted', 'turn/start'])
    expect(statuses).toEqual(['idle', 'running', 'idle', 'disposed'])
  })

  it('survive subscribers that throw: others are told, and the fault is reported', async () => {
    const { agent, diagnostics, ends } = rig({ model: ['text "one"'] })
    const told: string[] = []
    agent.events$.subscribe(bad)
    agent.status$.subscribe(bad)
    agent.select(counter()).subscribe(bad)
    agent.events$.subscribe(({ type }) => told.push(type))
    agent.followup(say('A'))
    await agent.whenIdle()
    await settle()
    expect(ends()).toEqual(['turn/end 1 completed'])
    expect(told).toHaveLength(agent.log.length)
    expect(diagnostics.length).toBeGreaterThan(0)
    expect(new Set(diagnostics.map(({ message }) => message))).toEqual(new Set(['bad subscriber']))
    await finish(agent)
  })

  it('stop for who unsubscribes', async () => {
    const { agent } = rig({ model: ['text "one"'] })
    const told: string[] = []
    const subscription = agent.events$.subscribe(({ type }) => {
      told.push(type)
      subscription.unsubscribe()
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(told).toEqual(['inbox/inserted'])
    await finish(agent)
  })
})

describe('projections', () => {
  it('are read as they are now, and watched from now on', async () => {
    const { agent } = rig({ model: ['text "one"', 'text "two"'] })
    const count = counter()
    agent.followup(say('A'))
    await agent.whenIdle()
    const states: number[] = []
    agent.select(count).subscribe((state) => states.push(state))
    agent.followup(say('B'))
    await agent.whenIdle()
    expect([agent.read(count), ...states]).toEqual([2, 1, 2])
    expect(agent.read(turns)).toBe(agent.read(turns))
    await finish(agent)
  })

  it('that throw are thrown to the reader alone', async () => {
    const { agent, ends } = rig({ model: ['text "one"'] })
    const broken: Projection<number> = {
      name: 'bad',
      initial: 0,
      evolve: () => {
        throw new Error('bad projection')
      },
    }
    agent.followup(say('A'))
    expect(() => agent.read(broken)).toThrow('bad projection')
    agent.select(broken).subscribe(() => {})
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 completed'])
    await finish(agent)
  })
})
