/**
 * Parts of a user that fail where nobody expects it: the turn ends, or goes on, and the agent is idle again.
 */
import { describe, expect, it } from 'vitest'
import type { Gates } from '../../src/actors/gates.port.ts'
import { finish, ofType, rig, say } from './rig.ts'

const tool = { name: 't', parallel: true, run: () => 'ok' } as const

/** Throws whatever is asked of it, but is no promise. */
const thorny: object = new Proxy(
  {},
  {
    get: (_, key) => {
      if (key === 'then') return undefined
      throw new Error(`no ${String(key)} here`)
    },
    ownKeys: () => {
      throw new Error('no keys here')
    },
  },
)

describe('an agent is idle again, with a closed turn, although', () => {
  it.each([0, 1, 2, 3, 4, 5])('its registry of tools throws at look number %i', async (fatal) => {
    let looks = 0
    const { agent, ends } = rig({
      model: ['call c1 t + call c2 t', 'text "done"'],
      tools: {
        list: () => {
          looks += 1
          if (looks - 1 === fatal) throw new Error('registry down')
          return [tool]
        },
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toHaveLength(1)
    await finish(agent)
  })

  it('the size of its pool throws', async () => {
    const { agent, ends } = rig({
      model: ['call c1 t + call c2 t', 'text "done"'],
      tools: [tool],
      maxParallelToolCalls: () => {
        throw new Error('no size')
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 completed'])
    await finish(agent)
  })

  it('no id can be made for its runtime context', async () => {
    const { agent, ends } = rig({
      model: ['text "never"'],
      context: [{ name: 'weather', text: () => 'sun' }],
      ids: () => {
        throw new Error('no id')
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 error:UNKNOWN "no id" uncommitted ["A"]'])
    await finish(agent)
  })

  it.each<keyof Gates>([
    'preStep',
    'request',
    'requestError',
    'stepResult',
    'toolPre',
    'toolPost',
    'continuation',
  ])('the answer of %s throws when it is read', async (gate) => {
    const { agent, ends } = rig({
      model: [gate === 'requestError' ? 'error SERVER' : 'call c1 t', 'text "done"'],
      tools: [tool],
      gates: { [gate]: () => thorny },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toHaveLength(1)
    await finish(agent)
  })

  it('a tool answers something that throws when it is read', async () => {
    const { agent, ends } = rig({
      model: ['call c1 t', 'text "done"'],
      tools: [{ name: 't', run: () => thorny as never }],
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ofType(agent, 'tool/result')[0]?.data.outcome.kind).toBe('error')
    expect(ends()).toEqual(['turn/end 1 completed'])
    await finish(agent)
  })

  it('a gate answers nothing, which lets nothing pass', async () => {
    const { agent, ends, model } = rig({
      model: ['text "never"'],
      gates: { preStep: () => undefined as never },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual([expect.stringContaining('turn/end 1 error:GATE_DECISION_INVALID')])
    expect(model.requests).toEqual([])
    await finish(agent)
  })
})
