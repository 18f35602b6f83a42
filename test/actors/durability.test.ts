/**
 * Durable before what: the barriers of a strict agent, on a log whose writes the test lets through.
 */
import { describe, expect, it } from 'vitest'
import type { Gates } from '../../src/actors/gates.port.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, rig, say } from './rig.ts'
import { SlowLog } from './slow-log.ts'

const tool = { name: 't', run: () => 'ok' }

describe('a strict agent', () => {
  it('waits before preStep, before each request, before each body, and before idle', async () => {
    const log = new SlowLog()
    const asked: string[] = []
    const { agent, model } = rig({
      log,
      model: ['call c1 t', 'text "done"'],
      tools: [
        {
          name: 't',
          run: () => {
            asked.push('body')
            return 'ok'
          },
        },
      ],
      gates: {
        preStep: (_, next) => {
          asked.push('preStep')
          return next()
        },
      },
    })
    agent.subscribe({}, ({ type }) => {
      if (type === 'assistant/message') asked.push('message')
    })
    const now = async (): Promise<string> => {
      await settle()
      return `${asked.join(' ')} after ${log.waitedFor.at(-1)}, ${model.requests.length} requests`
    }
    agent.followup(say('A'))
    expect(await now()).toBe(' after inbox/claimed, 0 requests')
    log.release()
    expect(await now()).toBe('preStep after request/context, 0 requests')
    log.release()
    expect(await now()).toBe('preStep message after tool/call, 1 requests')
    log.release()
    expect(await now()).toBe('preStep message body after step/end, 1 requests')
    log.release()
    expect(await now()).toBe('preStep message body preStep after step/start, 1 requests')
    log.release()
    expect(await now()).toBe('preStep message body preStep message after turn/end, 2 requests')
    expect(agent.status).toBe('running')
    log.heal()
    await agent.whenIdle()
    await finish(agent)
  })

  it('does not wait before preStep where no such gate is', async () => {
    const log = new SlowLog()
    const { agent } = rig({ log, model: ['text "done"'] })
    agent.followup(say('A'))
    await settle()
    expect(log.waitedFor).toEqual(['request/context'])
    log.release()
    await settle()
    expect(log.waitedFor).toEqual(['request/context', 'turn/end'])
    log.heal()
    await agent.whenIdle()
    await finish(agent)
  })

  it('lets the next turn, and a run, wait for the end of the one before', async () => {
    const log = new SlowLog()
    const { agent, model } = rig({ log, model: ['text "one"', 'text "two"'] })
    let ran = false
    const result = agent.run(say('A')).then((value) => {
      ran = true
      return value
    })
    agent.followup(say('B'))
    await settle()
    log.release()
    await settle()
    expect([log.waitedFor.at(-1), model.requests.length, ran]).toEqual(['turn/end', 1, false])
    log.heal()
    expect((await result).finalResponse).toBe('two')
    log.heal()
    await agent.whenIdle()
    await finish(agent)
  })

  it.each<[string, Gates, string]>([
    ['preStep', { preStep: (_, next) => next() }, 'step/start'],
    ['a request', {}, 'assistant/chunk'],
  ])('fails closed when the barrier before %s fails', async (_, gates, never) => {
    const log = new SlowLog()
    const { agent, ends, model, diagnostics } = rig({ log, model: ['text "never"'], gates })
    agent.followup(say('A'))
    await settle()
    log.fail('disk full')
    await settle()
    expect(ends()).toEqual([expect.stringContaining('error:UNKNOWN "disk full"')])
    expect(model.requests).toEqual([])
    expect(log.read().map(({ type }) => type)).not.toContain(never)
    expect(diagnostics.map(({ kind }) => kind)).toContain('durability')
    log.heal()
    await agent.whenIdle()
    await finish(agent)
  })

  it('runs no body whose call could not be made durable, and the turn fails', async () => {
    const log = new SlowLog()
    let ran = 0
    const { agent, ends } = rig({
      log,
      model: ['call c1 t'],
      tools: [
        {
          name: 't',
          run: () => {
            ran += 1
            return 'ok'
          },
        },
      ],
    })
    agent.followup(say('A'))
    await settle()
    log.release()
    await settle()
    expect(log.waitedFor.at(-1)).toBe('tool/call')
    log.fail('disk full')
    await settle()
    expect(ran).toBe(0)
    expect(ends()).toEqual(['turn/end 1 error:UNKNOWN "disk full"'])
    log.heal()
    await agent.whenIdle()
    await finish(agent)
  })

  it('gives up waiting for the end of a turn after the grace, and holds the queue back', async () => {
    const log = new SlowLog()
    const { agent, clock, diagnostics } = rig({ log, model: ['text "one"'], drainGraceMs: 500 })
    agent.followup(say('A'))
    await settle()
    log.release()
    await settle()
    agent.followup(say('B'))
    await clock.advance(499)
    expect(agent.status).toBe('running')
    await clock.advance(1)
    await agent.whenIdle()
    expect(agent.status).toBe('idle')
    expect(agent.parked).toEqual({ reason: 'log', ids: ['B'] })
    expect(diagnostics.map(({ kind }) => kind)).toContain('durability')
    log.heal()
    await agent.whenIdle()
    await finish(agent)
  })

  it('holds the queue back when the end of a turn cannot be written, until the next wake', async () => {
    const log = new SlowLog()
    const { agent, ends } = rig({ log, model: ['text "one"', 'text "two"', 'text "three"'] })
    agent.followup(say('A'))
    await settle()
    log.release()
    await settle()
    agent.followup(say('B'))
    log.fail('disk full')
    await agent.whenIdle()
    expect(agent.parked).toEqual({ reason: 'log', ids: ['B'] })
    log.heal()
    agent.followup(say('C'))
    await agent.whenIdle()
    expect(ends()).toHaveLength(3)
    await finish(agent)
  })

  it('ends a barrier that hangs as soon as the turn is cancelled', async () => {
    const log = new SlowLog()
    const { agent, clock, ends } = rig({ log, model: ['text "never"'], drainGraceMs: 500 })
    agent.followup(say('A'))
    await settle()
    agent.cancel()
    await settle()
    expect(ends()).toEqual(['turn/end 1 aborted:user'])
    await clock.advance(500)
    expect(agent.status).toBe('idle')
    log.heal()
    await agent.whenIdle()
    await finish(agent)
  })
})

it.each([
  ['turn', ['turn/end']],
  ['none', []],
] as const)('durability %s waits for %j only', async (durability, waited) => {
  const log = new SlowLog()
  const { agent } = rig({ log, model: ['call c1 t', 'text "done"'], tools: [tool], durability })
  agent.followup(say('A'))
  await settle(10)
  expect(log.waitedFor).toEqual(waited)
  log.heal()
  await agent.whenIdle()
  await finish(agent)
})

it('a log in memory waits for nothing', async () => {
  const { agent } = rig({ model: ['text "done"'] })
  agent.followup(say('A'))
  expect(agent.log.durable(agent.log.length - 1)).toBeUndefined()
  await agent.whenIdle()
  await finish(agent)
})
