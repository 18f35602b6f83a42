/**
 * A stream that says nothing for too long fails its attempt.
 */
import { describe, expect, it } from 'vitest'
import { type VirtualClock, virtualClock } from '../../src/testing/virtual-clock.ts'
import { pushed, start, stop, text } from './pushed-model.ts'
import { finish, rig, say } from './rig.ts'

describe('silence', () => {
  it('longer than streamIdleMs fails the attempt with TIMEOUT and aborts its signal alone', async () => {
    const { model, contexts, push, closed } = pushed()
    const { agent, clock, log } = rig({ model, streamIdleMs: 100 })
    agent.followup(say('A'))
    await push(start, text('so'))
    await clock.advance(99)
    expect(agent.status).toBe('running')
    await clock.advance(1)
    expect(log().slice(-3)).toEqual([
      'request/failed 1.1 #1 TIMEOUT fail',
      'step/end 1.1',
      'turn/end 1 error:TIMEOUT "the stream was silent for 100 ms"',
    ])
    expect(contexts[0]?.signal.reason).toMatchObject({ code: 'TIMEOUT' })
    expect(closed()).toBe(1)
    await finish(agent)
  })

  it('is measured from one chunk to the next', async () => {
    const { model, push } = pushed()
    const { agent, clock, ends } = rig({ model, streamIdleMs: 100 })
    agent.followup(say('A'))
    for (const said of ['a', 'b', 'c']) {
      await clock.advance(90)
      await push(text(said))
    }
    await clock.advance(90)
    await push(stop)
    expect(ends()).toEqual(['turn/end 1 completed'])
    await finish(agent)
  })

  it('also counts before the first chunk, and 0 switches it off', async () => {
    const { agent, clock, ends } = rig({ model: pushed().model, streamIdleMs: 50 })
    agent.followup(say('A'))
    await clock.advance(50)
    expect(ends()).toEqual([expect.stringContaining('error:TIMEOUT')])
    await finish(agent)

    const patient = rig({ model: pushed().model, streamIdleMs: 0 })
    patient.agent.followup(say('A'))
    await patient.clock.advance(10 ** 9)
    expect(patient.agent.status).toBe('running')
    patient.agent.cancel()
    await patient.clock.advance(10_000)
    await finish(patient.agent)
  })

  it('does not count while an observer works', async () => {
    const base = virtualClock({ now: 0 })
    let worked = 0
    const clock: VirtualClock = Object.assign(Object.create(base) as VirtualClock, {
      now: () => base.now() + worked,
    })
    const { model, push } = pushed()
    const { agent, ends } = rig({ model, clock, streamIdleMs: 100 })
    agent.subscribe({}, ({ type }) => {
      if (type === 'assistant/chunk') worked = 90
    })
    agent.followup(say('A'))
    await push(start)
    await clock.advance(90)
    await push(text('a'), stop)
    expect(ends()).toEqual(['turn/end 1 completed'])
    await finish(agent)
  })

  it('leaves no timer behind', async () => {
    const { agent, clock } = rig({ model: ['text "one"'], streamIdleMs: 100 })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(clock.timers).toBe(0)
    await finish(agent)
  })
})
