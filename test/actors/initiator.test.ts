/**
 * Who drives: known inside gates, models, tools and maintenance by async context, and the reason why nobody may wait for
 * himself.
 */
import { describe, expect, it } from 'vitest'
import type { Agent } from '../../src/actors/agent-handle.ts'
import { currentInitiator } from '../../src/actors/initiator.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, ofType, rig, say } from './rig.ts'

const here = (): string => {
  const initiator = currentInitiator()
  return initiator === undefined ? 'nobody' : `${initiator.agent} ${initiator.what}`
}
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: { code: string }) => error.code,
  )

describe('the initiator', () => {
  it('is the driving agent in gates, model, tools and maintenance, and nobody outside', async () => {
    const seen: string[] = []
    const { agent } = rig({
      id: 'one',
      model: {
        provider: 'p',
        modelId: 'm',
        async *stream(_, { step }) {
          await Promise.resolve()
          seen.push(here())
          if (step > 1) yield { kind: 'finish', reason: 'stop' } as const
          yield { kind: 'block-start', block: 0, type: 'tool-call', id: 'c1', name: 't' } as const
          yield { kind: 'block-end', block: 0 } as const
          yield { kind: 'finish', reason: 'tool-calls' } as const
        },
      },
      tools: [
        {
          name: 't',
          run: async () => {
            await Promise.resolve()
            seen.push(here())
            return 'ok'
          },
        },
      ],
      gates: {
        preStep: async (_, next) => {
          const answer = await next()
          seen.push(here())
          return answer
        },
      },
    })
    agent.followup(say('A'))
    expect(here()).toBe('nobody')
    await agent.whenIdle()
    await agent.runMaintenance(() => seen.push(here()))
    expect(seen).toEqual([
      'one gate',
      'one model',
      'one tool',
      'one gate',
      'one model',
      'one maintenance',
    ])
    await finish(agent)
  })

  it('is restored after the work of another agent', async () => {
    const seen: string[] = []
    const inner = rig({
      id: 'inner',
      model: ['text "in"'],
      gates: {
        preStep: (_, next) => {
          seen.push(here())
          return next()
        },
      },
    })
    const outer = rig({
      id: 'outer',
      model: ['call c1 ask', 'text "out"'],
      tools: [
        {
          name: 'ask',
          run: async () => {
            const { finalResponse } = await inner.agent.run(say('A'))
            seen.push(here())
            return finalResponse
          },
        },
      ],
    })
    outer.agent.followup(say('B'))
    await outer.agent.whenIdle()
    expect(seen).toEqual(['inner gate', 'outer tool'])
    expect(ofType(inner.agent, 'inbox/inserted')[0]?.data.actor).toBe('agent:outer')
    await finish(outer.agent)
    await finish(inner.agent)
  })

  it('names the actor of what is sent from a tool, unless the sender does', async () => {
    const { agent } = rig({
      id: 'one',
      model: ['call c1 t', 'text "a"', 'text "b"', 'text "c"'],
      tools: [
        {
          name: 't',
          run: () => {
            agent.followup(say('B'))
            agent.followup(say('C'), { actor: 'user:42' })
            return 'ok'
          },
        },
      ],
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ofType(agent, 'inbox/inserted').map(({ data }) => data.actor)).toEqual([
      'caller',
      'agent:one',
      'user:42',
    ])
    await finish(agent)
  })
})

describe('waiting for oneself', () => {
  it.each<[string, (agent: Agent) => Promise<unknown>]>([
    ['whenIdle', (agent) => agent.whenIdle()],
    ['run', (agent) => agent.run('x')],
    ['dispose', (agent) => agent.dispose()],
  ])('by %s rejects with SELF_WAIT in a tool, and nowhere else', async (_, wait) => {
    const codes: string[] = []
    const { agent } = rig({
      model: ['call c1 t', 'text "one"'],
      tools: [
        {
          name: 't',
          run: async () => {
            codes.push(await codeOf(wait(agent)))
            return 'ok'
          },
        },
      ],
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(codes).toEqual(['SELF_WAIT'])
    await expect(codeOf(wait(agent))).resolves.toBe('resolved')
    await agent.dispose()
    expect(agent.status).toBe('disposed')
  })

  it('disposal from a gate proceeds, although its promise rejects there', async () => {
    const { agent, ends } = rig({
      model: ['text "never"'],
      gates: {
        preStep: (_, next) => {
          // Nobody looks at this rejection: that must be harmless.
          void agent.dispose()
          return next()
        },
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    await settle()
    expect(agent.status).toBe('disposed')
    expect(ends()).toEqual(['turn/end 1 aborted:disposed uncommitted ["A"]'])
  })

  it('is allowed for what a tool leaves running behind its answer', async () => {
    let later: Promise<string> | undefined
    const { agent } = rig({
      model: ['call c1 t', 'text "one"'],
      tools: [
        {
          name: 't',
          run: () => {
            later = settle().then(() => codeOf(agent.whenIdle()))
            return 'ok'
          },
        },
      ],
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    await expect(later).resolves.toBe('resolved')
    await finish(agent)
  })

  it('concerns another agent not at all', async () => {
    const other = rig({ model: ['text "two"'] })
    const { agent, ends } = rig({
      model: ['text "one"'],
      gates: {
        preStep: async (_, next) => {
          other.agent.followup(say('B'))
          await other.agent.whenIdle()
          return next()
        },
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 completed'])
    await finish(agent)
    await finish(other.agent)
  })
})
