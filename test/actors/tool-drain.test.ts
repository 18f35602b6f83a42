/**
 * A cancel while tools run: started bodies drain under the grace, the rest is answered, late settlements reach nothing.
 */
import { describe, expect, it, vi } from 'vitest'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, heldTool, ofType, rig, say } from './rig.ts'

const toolLines = (log: readonly string[]): string[] =>
  log.filter((line) => line.startsWith('tool/')).map((line) => line.replace(' 1.1', ''))

describe('a cancel while bodies run', () => {
  it('drains what started and answers what did not, in the order of the model', async () => {
    const tool = heldTool('x')
    const { agent, log, ends } = rig({
      model: ['call c1 x + call c2 x + call c3 x'],
      tools: [tool.tool],
    })
    agent.followup(say('A'))
    await settle()
    agent.cancel()
    await settle()
    expect(ends()).toEqual([])
    tool.running[0]?.settle('too late')
    await agent.whenIdle()
    expect(toolLines(log())).toEqual([
      'tool/call c1 x',
      'tool/result c1 error:ABORTED',
      'tool/call c2 x',
      'tool/result c2 error:ABORTED_BEFORE_DISPATCH',
      'tool/call c3 x',
      'tool/result c3 error:ABORTED_BEFORE_DISPATCH',
    ])
    expect(tool.started).toBe(1)
    expect(ends()).toEqual(['turn/end 1 aborted:user'])
    await finish(agent)
  })

  it('takes an AbortError as the abort only where there is one', async () => {
    const tool = heldTool('x')
    const { agent } = rig({ model: ['call c1 x + call c2 x'], tools: [tool.tool] })
    agent.followup(say('A'))
    await settle()
    tool.running[0]?.fail(new DOMException('gave up', 'AbortError'))
    await settle()
    agent.cancel()
    tool.running[0]?.fail(new DOMException('gave up', 'AbortError'))
    await agent.whenIdle()
    const outcomes = ofType(agent, 'tool/result').map(({ data }) => data.outcome)
    expect(outcomes[0]).not.toHaveProperty('code')
    expect(outcomes[1]).toHaveProperty('code', 'ABORTED')
    await finish(agent)
  })

  it('keeps an error that says more than the abort', async () => {
    const tool = heldTool('x')
    const { agent, log } = rig({ model: ['call c1 x'], tools: [tool.tool] })
    agent.followup(say('A'))
    await settle()
    agent.cancel()
    tool.running[0]?.fail(new Error('half written'))
    await agent.whenIdle()
    expect(toolLines(log())[1]).toBe('tool/result c1 error "Error: half written"')
    await finish(agent)
  })

  it.each([
    [false, 'Check its effect'],
    [true, 'again is safe'],
  ])('leaves a deaf body behind as OUTCOME_UNKNOWN; repeatable: %s', async (repeatable, advice) => {
    const tool = heldTool('x', { repeatable })
    const { agent, clock, log } = rig({
      model: ['call c1 x'],
      tools: [tool.tool],
      drainGraceMs: 700,
    })
    agent.followup(say('A'))
    await settle()
    agent.cancel()
    await clock.advance(699)
    expect(agent.status).toBe('running')
    await clock.advance(1)
    expect(toolLines(log())[1]).toBe('tool/result c1 error:OUTCOME_UNKNOWN')
    const { outcome } = ofType(agent, 'tool/result')[0]?.data ?? {}
    expect(JSON.stringify(outcome?.content)).toContain(advice)
    expect(agent.status).toBe('idle')
    const { length } = agent.log
    tool.running[0]?.settle('late')
    await settle()
    expect(agent.log.length).toBe(length)
    await finish(agent)
  })

  it('accepts contexts of a drained call as pending input that wakes nobody', async () => {
    const { agent } = rig({
      model: ['call c1 t'],
      tools: [
        {
          name: 't',
          run: (_, context) => {
            context.addContext(say('note'))
            return new Promise((resolve) => {
              context.signal.addEventListener('abort', () => {
                resolve('stopped')
              })
            })
          },
        },
      ],
    })
    agent.followup(say('A'))
    await settle()
    agent.cancel()
    await agent.whenIdle()
    expect(agent.inbox.nextStep.map(({ message, wake }) => [message.id, wake])).toEqual([
      ['note', false],
    ])
    expect(agent.status).toBe('idle')
    await finish(agent)
  })

  it('lets a replacing prompt run in a turn of its own', async () => {
    const tool = heldTool('x')
    const { agent, ends, model } = rig({ model: ['call c1 x', 'text "two"'], tools: [tool.tool] })
    agent.followup(say('A'))
    await settle()
    agent.cancel()
    agent.followup(say('B'))
    tool.running[0]?.settle()
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 aborted:user', 'turn/end 2 completed'])
    expect(model.requests).toHaveLength(2)
    await finish(agent)
  })
})

describe('the dispatch port', () => {
  it('runs bodies where it likes, with the call and the signal of the body', async () => {
    const dispatched: string[] = []
    const { agent, log } = rig({
      model: ['call c1 t', 'text "done"'],
      tools: [{ name: 't', run: () => 'there' }],
      dispatch: async ({ call, tool, signal }, body) => {
        dispatched.push(`${call.providerId} ${tool} ${signal.aborted}`)
        await body()
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(dispatched).toEqual(['c1 t false'])
    expect(toolLines(log())[1]).toBe('tool/result c1 ok "there"')
    await finish(agent)
  })

  it.each([
    ['fails before the body', () => Promise.reject(new Error('queue full'))],
    ['never runs the body', () => Promise.resolve()],
    [
      'throws at once',
      () => {
        throw new Error('no worker')
      },
    ],
  ])(
    'that %s leaves the outcome unknown, starts nothing more and fails the turn',
    async (_, dispatch) => {
      const { agent, log, ends } = rig({
        model: ['call c1 t + call c2 t'],
        tools: [{ name: 't', run: () => 'never' }],
        dispatch,
      })
      agent.followup(say('A'))
      await agent.whenIdle()
      const results = toolLines(log()).filter((line) => line.startsWith('tool/result'))
      expect(results).toEqual([
        expect.stringContaining('c1 error:OUTCOME_UNKNOWN'),
        expect.stringContaining('c2 error:ABORTED_BEFORE_DISPATCH'),
      ])
      expect(ends()).toEqual([expect.stringContaining('turn/end 1 error:UNKNOWN')])
      await finish(agent)
    },
  )

  it('keeps the outcome of a body that settled before its dispatcher failed', async () => {
    const { agent, log } = rig({
      model: ['call c1 t', 'text "done"'],
      tools: [{ name: 't', run: () => 'done already' }],
      dispatch: async (_, body) => {
        await body()
        throw new Error('lost the connection')
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(toolLines(log())[1]).toBe('tool/result c1 ok "done already"')
    await finish(agent)
  })

  it('drains the bodies beside a broken dispatch', async () => {
    const tool = heldTool('p', { parallel: true })
    const { agent, log, ends } = rig({
      model: ['call c1 p + call c2 p'],
      tools: [tool.tool],
      dispatch: ({ call }, body) =>
        call.providerId === 'c2' ? Promise.reject(new Error('broke')) : body(),
    })
    agent.followup(say('A'))
    await settle()
    expect(ends()).toEqual([])
    tool.running[0]?.settle('first')
    await agent.whenIdle()
    const results = toolLines(log()).filter((line) => line.startsWith('tool/result'))
    expect(results).toEqual([
      'tool/result c1 ok "first"',
      expect.stringContaining('c2 error:OUTCOME_UNKNOWN'),
    ])
    expect(ends()).toEqual(['turn/end 1 error:UNKNOWN "broke"'])
    await finish(agent)
  })
})

it('a toolPost that takes longer than a macrotask makes settled calls durable meanwhile', async () => {
  let answer: (() => void) | undefined
  const { agent, log } = rig({
    model: ['call c1 t', 'text "done"'],
    tools: [{ name: 't', run: () => 'value' }],
    gates: {
      toolPost: async (_, next) => {
        await new Promise<void>((resolve) => {
          answer = resolve
        })
        return next()
      },
    },
  })
  agent.followup(say('A'))
  await vi.waitUntil(() => answer !== undefined)
  await settle()
  expect(toolLines(log())).toEqual(['tool/call c1 t', 'tool/settled c1 ok "value"'])
  answer?.()
  await agent.whenIdle()
  expect(toolLines(log()).at(-1)).toBe('tool/result c1 ok "value"')
  await finish(agent)
})
