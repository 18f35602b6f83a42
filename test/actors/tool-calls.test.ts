/**
 * Tool calls: which start beside each other, in which order they are committed, and what they are answered.
 */
import { describe, expect, it } from 'vitest'
import { script } from '../../src/testing/script.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, heldTool, ofType, rig, say } from './rig.ts'

const calls = (...names: readonly string[]): string =>
  names.map((name, i) => `call c${i + 1} ${name}`).join(' + ')

const toolLines = (log: readonly string[]): string[] =>
  log.filter((line) => line.startsWith('tool/')).map((line) => line.replace(' 1.1', ''))

describe('the pool', () => {
  it('runs parallel calls beside each other, at most as many as it may, filled in order', async () => {
    const tool = heldTool('p', { parallel: true })
    const { agent } = rig({
      model: [calls('p', 'p', 'p', 'p'), 'text "done"'],
      tools: [tool.tool],
      maxParallelToolCalls: 2,
    })
    agent.followup(say('A'))
    await settle()
    expect(tool.running.map(({ context }) => context.call.index)).toEqual([0, 1])
    tool.running[0]?.settle()
    await settle()
    expect(tool.running.map(({ context }) => context.call.index)).toEqual([1, 2])
    while (tool.running.length > 0) {
      tool.running[0]?.settle()
      await settle()
    }
    await agent.whenIdle()
    expect(tool.started).toBe(4)
    await finish(agent)
  })

  it('reads its size anew at each decision', async () => {
    const tool = heldTool('p', { parallel: true })
    let size = 1
    const { agent } = rig({
      model: [calls('p', 'p', 'p'), 'text "done"'],
      tools: [tool.tool],
      maxParallelToolCalls: () => size,
    })
    agent.followup(say('A'))
    await settle()
    expect(tool.running).toHaveLength(1)
    size = 3
    tool.running[0]?.settle()
    await settle()
    expect(tool.running).toHaveLength(2)
    tool.running.slice().forEach((body) => body.settle())
    await agent.whenIdle()
    await finish(agent)
  })

  it('takes an exclusive call as a barrier on both sides', async () => {
    const parallel = heldTool('p', { parallel: true })
    const exclusive = heldTool('x')
    const { agent } = rig({
      model: [calls('p', 'x', 'p', 'p'), 'text "done"'],
      tools: [parallel.tool, exclusive.tool],
    })
    agent.followup(say('A'))
    await settle()
    expect([parallel.running.length, exclusive.running.length]).toEqual([1, 0])
    parallel.running[0]?.settle()
    await settle()
    expect([parallel.running.length, exclusive.running.length]).toEqual([0, 1])
    exclusive.running[0]?.settle()
    await settle()
    expect([parallel.running.length, exclusive.running.length]).toEqual([2, 0])
    parallel.running.slice().forEach((body) => body.settle())
    await agent.whenIdle()
    await finish(agent)
  })

  it.each<[string, object]>([
    ['answers something truthy', { parallel: () => 'yes' }],
    [
      'throws',
      {
        parallel: () => {
          throw new Error('cannot tell')
        },
      },
    ],
    ['is not there', {}],
  ])('runs alone where the classifier %s', async (_, options) => {
    const tool = heldTool('p', options)
    const { agent } = rig({ model: [calls('p', 'p'), 'text "done"'], tools: [tool.tool] })
    agent.followup(say('A'))
    await settle()
    expect(tool.running).toHaveLength(1)
    tool.running[0]?.settle()
    await settle()
    tool.running[0]?.settle()
    await agent.whenIdle()
    await finish(agent)
  })

  it('commits in the order of the model; what is known early is durable at once', async () => {
    const tool = heldTool('p', { parallel: true })
    const { agent, log } = rig({ model: [calls('p', 'p', 'p'), 'text "done"'], tools: [tool.tool] })
    agent.followup(say('A'))
    await settle()
    tool.running[2]?.settle('third')
    await settle()
    tool.running[0]?.settle('first')
    await settle()
    tool.running[0]?.settle('second')
    await agent.whenIdle()
    expect(toolLines(log()).slice(3)).toEqual([
      'tool/settled c3 ok "third"',
      'tool/result c1 ok "first"',
      'tool/result c2 ok "second"',
      'tool/result c3 ok "third"',
    ])
    await finish(agent)
  })
})

describe('an outcome', () => {
  it('is exactly one for each call, also for repeated provider ids', async () => {
    const { agent, log } = rig({
      model: ['call c1 t {"n":1} + call c1 t {"n":2}', 'text "done"'],
      tools: [{ name: 't', run: (input) => `n is ${(input as { n: number }).n}` }],
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(toolLines(log()).filter((line) => line.startsWith('tool/result'))).toEqual([
      'tool/result c1 ok "n is 1"',
      'tool/result c1 ok "n is 2"',
    ])
    const keys = ofType(agent, 'tool/result').map(({ data }) => data.call.key)
    expect(new Set(keys).size).toBe(2)
    await finish(agent)
  })

  it.each<[string, string, string]>([
    ['of a tool that nobody has', 'nobody', 'error:UNKNOWN_TOOL'],
    ['of arguments that do not fit', 'fine', 'error:INVALID_ARGS'],
    ['of a body that throws at once', 'throws', 'error "Error: boom"'],
    ['of a body that rejects with a code', 'codes', 'error:RATE_LIMIT'],
  ])('%s is an error, and its sibling runs all the same', async (_, name, outcome) => {
    const args = name === 'fine' ? '[]' : '{}'
    const { agent, log } = rig({
      model: [[script.call('c1', name, args), script.call('c2', 'fine')], 'text "done"'],
      tools: [
        { name: 'fine', run: () => 'fine' },
        {
          name: 'throws',
          run: () => {
            throw new Error('boom')
          },
        },
        {
          name: 'codes',
          run: () => Promise.reject(Object.assign(new Error('slow'), { code: 'RATE_LIMIT' })),
        },
      ],
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    const results = toolLines(log()).filter((line) => line.startsWith('tool/result'))
    expect(results).toEqual([`tool/result c1 ${outcome}`, 'tool/result c2 ok "fine"'])
    await finish(agent)
  })

  it('concludes the turn only if the call succeeded and no input is pending', async () => {
    const { agent, ends } = rig({
      model: ['call c1 t', 'text "never"'],
      tools: [
        {
          name: 't',
          run: (_, context) => {
            context.concludeTurn()
            return 'enough'
          },
        },
      ],
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 completed'])
    expect(ofType(agent, 'step/start')).toHaveLength(1)
    await finish(agent)
  })
})

describe('a time limit', () => {
  it('answers TIMEOUT, aborts the body alone, and drops what it says later', async () => {
    const tool = heldTool('slow')
    const { agent, clock, log } = rig({
      model: [calls('slow'), 'text "done"'],
      tools: [tool.tool],
      toolTimeoutMs: 100,
    })
    agent.followup(say('A'))
    await settle()
    const body = tool.running[0]
    await clock.advance(100)
    await agent.whenIdle()
    expect(toolLines(log()).slice(1)).toEqual([
      expect.stringContaining('tool/result c1 error:TIMEOUT'),
    ])
    expect(body?.context.signal.reason).toMatchObject({ code: 'TIMEOUT' })
    const { length } = agent.log
    body?.settle('late')
    await settle()
    expect(agent.log.length).toBe(length)
    expect(clock.timers).toBe(0)
    await finish(agent)
  })

  it('of the tool goes before that of the agent', async () => {
    const tool = heldTool('slow', { timeoutMs: 50 })
    const { agent, clock } = rig({
      model: [calls('slow'), 'text "done"'],
      tools: [tool.tool],
      toolTimeoutMs: 1000,
    })
    agent.followup(say('A'))
    await settle()
    await clock.advance(50)
    await agent.whenIdle()
    expect(ofType(agent, 'tool/result')[0]?.data.outcome).toMatchObject({ code: 'TIMEOUT' })
    await finish(agent)
  })
})
