/**
 * What surrounds the messages of a step: system prompt and runtime context, assembled at each step under the turn's
 * signal.
 */
import { describe, expect, it } from 'vitest'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, ofType, rig, say } from './rig.ts'

const systems = (agent: Parameters<typeof ofType>[0]): (string | undefined)[] =>
  ofType(agent, 'request/header').map(({ data }) => data.system)

const tool = { name: 't', run: () => 'ok' }

describe('the system prompt', () => {
  it('that is fixed is recorded once and sent with every request', async () => {
    const { agent, model } = rig({
      model: ['call c1 t', 'text "b"'],
      tools: [tool],
      system: 'Be kind.',
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(model.requests.map(({ request }) => request.system)).toEqual(['Be kind.', 'Be kind.'])
    expect(systems(agent)).toEqual(['Be kind.'])
    await finish(agent)
  })

  it('that is computed is asked at each step, under the signal of the turn', async () => {
    const asked: string[] = []
    const { agent, model } = rig({
      model: ['call c1 t', 'text "b"'],
      tools: [tool],
      system: async ({ turn, step, signal }) => {
        await Promise.resolve()
        asked.push(`${turn}.${step} ${signal.aborted}`)
        return `step ${step}`
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(asked).toEqual(['1.1 false', '1.2 false'])
    expect(model.requests.map(({ request }) => request.system)).toEqual(['step 1', 'step 2'])
    expect(systems(agent)).toEqual(['step 1', 'step 2'])
    await finish(agent)
  })

  it('of sections is joined in their order; empty sections are left out', async () => {
    const { agent, model } = rig({
      model: ['text "a"'],
      system: [
        { name: 'role', text: 'You are a clerk.' },
        { name: 'none', text: '' },
        { name: 'day', text: ({ turn }) => Promise.resolve(`Turn ${turn}.`) },
      ],
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(model.requests[0]?.request.system).toBe('You are a clerk.\n\nTurn 1.')
    await finish(agent)
  })

  it('that cannot be computed ends the turn as an error without a step', async () => {
    const { agent, ends, model } = rig({
      model: ['text "never"'],
      system: () => {
        throw new Error('no template')
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 error:UNKNOWN "no template" uncommitted ["A"]'])
    expect(model.requests).toEqual([])
    await finish(agent)
  })

  it('is not waited for after a cancel (W08)', async () => {
    let late: ((text: string) => void) | undefined
    let signal: AbortSignal | undefined
    const { agent, ends, model } = rig({
      model: ['text "never"'],
      system: (at) => {
        ;({ signal } = at)
        return new Promise((resolve) => {
          late = resolve
        })
      },
    })
    agent.followup(say('A'))
    await settle()
    agent.cancel()
    expect(signal?.aborted).toBe(true)
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 aborted:user uncommitted ["A"]'])
    const { length } = agent.log
    late?.('too late')
    await settle()
    expect([agent.log.length, model.requests.length]).toEqual([length, 0])
    await finish(agent)
  })
})

describe('the runtime context', () => {
  it('is added when its text differs from the last visible copy, first in the batch', async () => {
    let weather: string | undefined = 'sun'
    const { agent, model } = rig({
      model: ['text "1"', 'text "2"', 'text "3"', 'text "4"'],
      context: [{ name: 'weather', text: () => weather }],
    })
    const ask = async (text: string): Promise<void> => {
      agent.followup(say(text))
      await agent.whenIdle()
    }
    await ask('A')
    await ask('B')
    weather = 'rain'
    await ask('C')
    weather = undefined
    await ask('D')
    expect(model.requests.at(-1)?.history).toEqual([
      'user<plugin>:sun',
      'user:A',
      'assistant:1',
      'user:B',
      'assistant:2',
      'user<plugin>:rain',
      'user:C',
      'assistant:3',
      'user:D',
    ])
    await finish(agent)
  })

  it('of several providers is one message, in their order', async () => {
    const { agent, model } = rig({
      model: ['text "1"'],
      context: [
        { name: 'a', text: () => 'first' },
        { name: 'none', text: () => '' },
        { name: 'b', text: async () => Promise.resolve('second') },
      ],
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(model.requests[0]?.history).toEqual(['user<plugin>:first\n\nsecond', 'user:A'])
    await finish(agent)
  })

  it('is shown to preStep as the first message, and may be left out by it', async () => {
    const batches: string[][] = []
    const { agent, model } = rig({
      model: ['text "1"'],
      context: [{ name: 'a', text: () => 'sun' }],
      gates: {
        preStep: ({ batch }) => {
          batches.push(batch.map(({ content }) => JSON.stringify(content)))
          return { kind: 'enter', messages: batch.slice(1) }
        },
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(batches[0]?.[0]).toContain('sun')
    expect(model.requests[0]?.history).toEqual(['user:A'])
    await finish(agent)
  })

  it('alone is no batch: nothing but context enters no step', async () => {
    const { agent, ends, model } = rig({
      model: ['text "never"'],
      context: [{ name: 'a', text: () => 'sun' }],
      gates: {
        preStep: ({ batch }) => ({ kind: 'enter', messages: batch.slice(0, 1) }),
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 completed uncommitted ["A"]'])
    expect(model.requests).toEqual([])
    await finish(agent)
  })

  it('is known to a resumed agent, which does not repeat it', async () => {
    const context = [{ name: 'a', text: () => 'sun' }]
    const first = rig({ model: ['text "1"'], context })
    first.agent.followup(say('A'))
    await first.agent.whenIdle()
    const { agent, model } = rig({ model: ['text "2"'], context, log: first.agent.log })
    agent.followup(say('B'))
    await agent.whenIdle()
    expect(model.requests[0]?.history.filter((line) => line.includes('sun'))).toHaveLength(1)
    await finish(agent)
  })
})
