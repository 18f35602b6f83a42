/**
 * The last things an agent does: what lives inside it ends first, what the log refused is closed, and nothing is told twice.
 */
import { describe, expect, it, vi } from 'vitest'
import { createAgent } from '../../src/actors/agent.ts'
import { doorOf } from '../../src/actors/service-door.ts'
import { settle, virtualClock } from '../../src/testing/virtual-clock.ts'
import { deferred } from '../support/deferred.ts'
import { refusing } from './refusing-log.ts'
import { finish, ofType, rig, say } from './rig.ts'
import { SlowLog } from './slow-log.ts'

const told = ({ diagnostics }: Pick<ReturnType<typeof rig>, 'diagnostics'>): string[] =>
  diagnostics.map(({ kind, message }) => `${kind}: ${message}`)

const fails = (): Promise<void> => Promise.reject(new Error('hangs'))

describe('disposal', () => {
  it('with nothing to wait for is over at the call', async () => {
    const { agent } = rig({ residence: { beforeDisposed: () => undefined } })
    doorOf(agent).endFirst(() => undefined)
    const disposal = agent.dispose()
    expect(agent.status).toBe('disposed')
    await disposal
  })

  it.each(['residence', 'service'] as const)('waits for what a %s ends', async (which) => {
    const { promise, resolve } = deferred<void>()
    const ends = (end: typeof which) => (end === which ? () => promise : () => undefined)
    const { agent } = rig({ residence: { beforeDisposed: ends('residence') } })
    doorOf(agent).endFirst(ends('service'))
    const disposal = agent.dispose()
    await settle()
    expect(agent.status).toBe('idle')
    resolve()
    await disposal
    expect(agent.status).toBe('disposed')
  })

  it('waits for both, where both end something', async () => {
    const one = deferred<void>()
    const other = deferred<void>()
    const { agent } = rig({ residence: { beforeDisposed: () => one.promise } })
    doorOf(agent).endFirst(() => other.promise)
    const disposal = agent.dispose()
    one.resolve()
    await settle()
    expect(agent.status).toBe('idle')
    other.resolve()
    await disposal
  })

  it.each(['residence', 'service'] as const)(
    'waits for the others where a %s cannot end',
    async (which) => {
      const other = deferred<void>()
      const made = rig(which === 'residence' ? { residence: { beforeDisposed: fails } } : {})
      if (which === 'service') doorOf(made.agent).endFirst(fails)
      doorOf(made.agent).endFirst(() => other.promise)
      const disposal = made.agent.dispose()
      await settle(20)
      expect([made.agent.status, told(made)]).toEqual(['idle', ['command: hangs']])
      other.resolve()
      await disposal
    },
  )

  it('does not wait for a service that has left', async () => {
    const end = vi.fn<() => Promise<void>>()
    const { agent } = rig()
    doorOf(agent).endFirst(end)()
    await agent.dispose()
    expect(end).not.toHaveBeenCalled()
  })

  it('tells what could not end, and still waits for the log, which may fail it', async () => {
    const log = new SlowLog()
    const made = rig({
      log,
      residence: { beforeDisposed: () => Promise.reject(new Error('child hangs')) },
    })
    made.agent.inbox.append('next-turn', say('A'))
    const disposal = made.agent.dispose({ keepInbox: true })
    await settle()
    expect([told(made), made.agent.status]).toEqual([['command: child hangs'], 'idle'])
    log.fail('disk full')
    await expect(disposal).rejects.toThrow('disk full')
    expect(told(made)).toEqual(['command: child hangs', 'durability: disk full'])
  })

  it('rejects with the very error that a log cannot close with', async () => {
    const log = new SlowLog()
    const failure = new Error('lock is gone')
    log.closeFailure = failure
    const { agent } = rig({ log })
    await expect(agent.dispose()).rejects.toBe(failure)
  })

  it('lets whoever waits for quiescence go, though a service still holds it', async () => {
    const { agent } = rig()
    doorOf(agent).hold()
    let idle = false
    void agent.whenIdle().then(() => {
      idle = true
    })
    await settle()
    expect(idle).toBe(false)
    await agent.dispose()
    await settle()
    expect(idle).toBe(true)
  })

  it('tells the fault of a registration as that of a listener', async () => {
    const made = rig()
    made.agent.onDispose(() => {
      throw new Error('cannot unwind')
    })
    const undone = vi.fn<() => void>()
    await made.agent.dispose()
    expect(told(made)).toEqual(['listener: cannot unwind'])
    made.agent.onDispose(undone)
    expect(undone).toHaveBeenCalledOnce()
  })

  it('of an agent that nobody listens to is silent', async () => {
    const agent = createAgent({ log: refusing('inbox/inserted') })
    agent.onDispose(() => {
      throw new Error('cannot unwind')
    })
    await agent.dispose()
    expect(agent.status).toBe('disposed')
  })
})

describe('a turn that the log refused', () => {
  it('to open leaves nothing to close', async () => {
    const made = rig({ log: refusing('turn/start', 2), model: ['text "one"'] })
    made.agent.followup(say('A'))
    await made.agent.whenIdle()
    await made.agent.dispose()
    expect([made.ends(), told(made)]).toEqual([[], ['append: disk full']])
  })

  it('to end is closed with the agent, once the log takes it', async () => {
    const made = rig({ log: refusing('turn/end', 2), model: ['text "one"'] })
    made.agent.followup(say('A'))
    await made.agent.whenIdle()
    expect(made.ends()).toEqual([])
    await finish(made.agent)
    expect(ofType(made.agent, 'turn/end').map(({ data }) => data)).toStrictEqual([
      { turn: 1, reason: { kind: 'interrupted' }, uncommitted: [] },
    ])
  })
})

describe('the wait for the end of a turn', () => {
  it('is given up once: what the log says later is not told', async () => {
    const log = new SlowLog()
    const made = rig({ log, model: ['text "one"'], drainGraceMs: 500, durability: 'turn' })
    made.agent.followup(say('A'))
    await settle()
    await made.clock.advance(500)
    expect(told(made)).toEqual(['durability: the log was not durable 500 ms after the turn ended'])
    made.agent.inbox.append('next-turn', say('B'))
    log.fail('disk full')
    await settle()
    expect(told(made)).toHaveLength(1)
    expect([made.agent.status, made.agent.parked]).toEqual(['idle', null])
    log.heal()
    await finish(made.agent)
  })

  it.each([
    [Infinity, 0],
    [500, 1],
  ])('with a grace of %d ms sets %d timers', async (drainGraceMs, timers) => {
    const log = new SlowLog()
    const clock = virtualClock({ now: 0 })
    const after = vi.spyOn(clock, 'after')
    const options = { log, clock, drainGraceMs, durability: 'turn' as const, streamIdleMs: 0 }
    const { agent } = rig({ ...options, model: ['text "one"'] })
    agent.followup(say('A'))
    await settle()
    expect([agent.status, after.mock.calls.length, clock.timers]).toEqual([
      'running',
      timers,
      timers,
    ])
    log.heal()
    await agent.whenIdle()
    expect(clock.timers).toBe(0)
    await finish(agent)
  })
})

it('a clock that fails in the middle of a move ends the effects that run, and is told', async () => {
  const clock = virtualClock({ now: 0 })
  const made = rig({ clock })
  made.agent.inbox.append('next-turn', say('A'))
  made.agent.subscribe({ from: 1 }, ({ type }) => {
    if (type !== 'inbox/inserted') return
    clock.now = () => {
      throw new Error('no time')
    }
  })
  made.agent.followup(say('B'))
  await settle()
  expect(told(made)).toEqual(['command: no time'])
  expect(doorOf(made.agent).abortReason).toEqual({ kind: 'disposed' })
})
