/**
 * Approvals in process: durable questions, keyed by call, answered by a command, closed by a cancel.
 */
import { describe, expect, it } from 'vitest'
import type { Gates } from '../../src/actors/gates.port.ts'
import type { AnyTool } from '../../src/actors/tool.port.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, ofType, type Rig, rig, say } from './rig.ts'

const ask: Gates = { toolPre: () => ({ kind: 'ask', prompt: 'really?' }) }
const two = 'call c1 p + call c2 p'

/** An agent that waits for approvals of its calls. `ran` lists the bodies that ran. */
async function waiting(
  model: string,
  options: { gates?: Gates; parallel?: boolean } = {},
): Promise<Rig & { ran: string[] }> {
  const ran: string[] = []
  const tool: AnyTool = {
    name: 'p',
    parallel: options.parallel ?? true,
    run: (_, { call }) => {
      ran.push(call.providerId)
      return 'ok'
    },
  }
  const made = rig({ model: [model, 'text "done"'], tools: [tool], gates: options.gates ?? ask })
  made.agent.followup(say('A'))
  await settle()
  return { ...made, ran }
}

const about = (log: readonly string[]): string[] =>
  log
    .filter((line) => /^(tool|approval)\//.test(line))
    .map((line) => line.replace(' 1.1', '').replace(/ "ok"$/, ''))

const codeOf = (call: () => void): string | undefined => {
  try {
    call()
    return undefined
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('an approval', () => {
  it('is asked with tool, arguments and prompt, and the body waits for the answer', async () => {
    const { agent, ran, log } = await waiting('call c1 p {"n":1}')
    expect(about(log())).toEqual(['tool/call c1 p', 'approval/asked c1'])
    expect(ofType(agent, 'approval/asked')[0]?.data.question).toEqual({
      tool: 'p',
      arguments: { n: 1 },
      prompt: 'really?',
    })
    expect(ran).toEqual([])
    agent.approve('c1', 'allow', { by: 'user:7', reason: 'looks fine' })
    await agent.whenIdle()
    expect(ofType(agent, 'approval/decided')[0]?.data).toMatchObject({
      answer: 'allow',
      by: 'user:7',
      reason: 'looks fine',
    })
    expect(ran).toEqual(['c1'])
    await finish(agent)
  })

  it('of one group is asked for all of its calls together, answered in any order, used in order', async () => {
    const { agent, ran, log } = await waiting(two)
    expect(about(log())).toEqual(['tool/call c1 p', 'approval/asked c1', 'approval/asked c2'])
    agent.approve('c2', 'allow')
    await settle()
    expect(ran).toEqual([])
    agent.approve('c1', 'allow')
    await agent.whenIdle()
    expect(about(log()).slice(3)).toEqual([
      'approval/decided c2 allow',
      'approval/decided c1 allow',
      'tool/call c2 p',
      'tool/result c1 ok',
      'tool/result c2 ok',
    ])
    expect(ran).toEqual(['c1', 'c2'])
    await finish(agent)
  })

  it('of exclusive calls is asked one after another', async () => {
    const { agent, log } = await waiting(two, { parallel: false })
    expect(about(log())).toEqual(['tool/call c1 p', 'approval/asked c1'])
    agent.approve('c1', 'allow')
    await settle()
    expect(about(log()).slice(3)).toEqual([
      'tool/result c1 ok',
      'tool/call c2 p',
      'approval/asked c2',
    ])
    agent.approve('c2', 'deny')
    await agent.whenIdle()
    await finish(agent)
  })

  it('that is denied answers the call, names who said no, and its sibling runs', async () => {
    const { agent, ran, log } = await waiting(two)
    agent.approve('c1', 'deny', { by: 'boss', reason: 'not today' })
    agent.approve('c2', 'allow')
    await agent.whenIdle()
    expect(about(log()).slice(-3)).toEqual([
      expect.stringContaining('tool/result c1 denied'),
      'tool/call c2 p',
      'tool/result c2 ok',
    ])
    expect(ofType(agent, 'tool/result')[0]?.data.outcome).toMatchObject({
      kind: 'denied',
      by: 'boss',
      reason: 'not today',
    })
    expect(ran).toEqual(['c2'])
    await finish(agent)
  })

  it('may be answered by the key of the call, which is the only name of repeated ids', async () => {
    const { agent, ran } = await waiting('call c1 p + call c1 p')
    expect(codeOf(() => agent.approve('c1', 'allow'))).toBe('APPROVAL_CLOSED')
    for (const { data } of ofType(agent, 'approval/asked')) agent.approve(data.call.key, 'allow')
    await agent.whenIdle()
    expect(ran).toEqual(['c1', 'c1'])
    await finish(agent)
  })

  it('may be answered soon after its question', async () => {
    const { agent, log } = rig({
      model: ['call c1 p', 'text "done"'],
      tools: [{ name: 'p', run: () => 'ok' }],
      gates: ask,
    })
    agent.subscribe({}, ({ type }) => {
      if (type === 'approval/asked') queueMicrotask(() => agent.approve('c1', 'allow'))
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(about(log()).at(-1)).toBe('tool/result c1 ok')
    await finish(agent)
  })
})

describe('a closed question', () => {
  it('is closed by a cancel as cancelled, and no body runs', async () => {
    const { agent, ran, log, ends } = await waiting(two)
    agent.cancel()
    await agent.whenIdle()
    expect(about(log()).slice(3)).toEqual([
      'approval/decided c1 cancelled',
      'approval/decided c2 cancelled',
      expect.stringContaining('tool/result c1 error:ABORTED_BEFORE_DISPATCH'),
      'tool/call c2 p',
      expect.stringContaining('tool/result c2 error:ABORTED_BEFORE_DISPATCH'),
    ])
    expect(ran).toEqual([])
    expect(ends()).toEqual(['turn/end 1 aborted:user'])
    await finish(agent)
  })

  it('gives a late answer APPROVAL_CLOSED and records nothing', async () => {
    const { agent, ran } = await waiting('call c1 p')
    agent.cancel()
    expect(codeOf(() => agent.approve('c1', 'allow'))).toBe('APPROVAL_CLOSED')
    await agent.whenIdle()
    const { length } = agent.log
    expect(codeOf(() => agent.approve('c1', 'allow'))).toBe('APPROVAL_CLOSED')
    expect(codeOf(() => agent.approve('nobody', 'deny'))).toBe('APPROVAL_CLOSED')
    expect(agent.log.length).toBe(length)
    expect(ran).toEqual([])
    await finish(agent)
  })

  it('takes no second answer', async () => {
    const { agent } = await waiting(two)
    agent.approve('c1', 'allow')
    expect(codeOf(() => agent.approve('c1', 'deny'))).toBe('APPROVAL_CLOSED')
    agent.approve('c2', 'allow')
    await agent.whenIdle()
    expect(ofType(agent, 'approval/decided')).toHaveLength(2)
    await finish(agent)
  })

  it('is closed by disposal too', async () => {
    const { agent, log } = await waiting('call c1 p')
    await finish(agent)
    expect(about(log())).toContain('approval/decided c1 cancelled')
  })
})

function strict() {
  return { kind: 'deny', reason: 'never' } as const
}

describe('toolPre', () => {
  it('that throws means no: an error outcome, no body, toolPost is not asked', async () => {
    let posted = 0
    const { agent, ran, log } = await waiting('call c1 p', {
      gates: {
        toolPre: () => {
          throw new Error('cannot judge')
        },
        toolPost: (_, next) => {
          posted += 1
          return next()
        },
      },
    })
    await agent.whenIdle()
    expect(about(log()).at(-1)).toBe('tool/result c1 error "Error: cannot judge"')
    expect([ran, posted]).toEqual([[], 0])
    await finish(agent)
  })

  it('that answers nonsense means no', async () => {
    const { agent, ran, log } = await waiting('call c1 p', {
      gates: { toolPre: () => ({ kind: 'perhaps' }) as never },
    })
    await agent.whenIdle()
    expect(about(log()).at(-1)).toContain('tool/result c1 error')
    expect(ran).toEqual([])
    await finish(agent)
  })

  it('that denies is named in the outcome, and toolPost hears of it', async () => {
    const outcomes: unknown[] = []
    const { agent, ran } = await waiting('call c1 p', {
      gates: {
        toolPre: strict,
        toolPost: ({ outcome }, next) => {
          outcomes.push(outcome)
          return next()
        },
      },
    })
    await agent.whenIdle()
    expect(outcomes).toMatchObject([{ kind: 'denied', by: 'strict', reason: 'never' }])
    expect(ran).toEqual([])
    await finish(agent)
  })
})
