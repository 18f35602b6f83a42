/**
 * Which calls somebody must allow.
 */
import { describe, expect, it } from 'vitest'
import type { Approval, ApprovalPolicy } from '../../src/actors/approval.port.ts'
import { defineTool } from '../../src/adapters/define-tool.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { asked, codeOf, sent } from './approval-rig.ts'
import { finish, rig } from './rig.ts'

describe('a policy', () => {
  it('of the agent is that of every tool which has none of its own', async () => {
    const made = await sent({ calls: ['call c1 p + call c2 q'], approval: 'always', own: 'never' })
    expect(made.ran).toEqual(['c1'])
    expect(asked(made)).toEqual(['c2'])
    made.agent.approve('c2', 'allow')
    await made.agent.whenIdle()
    expect(made.ran).toEqual(['c1', 'c2'])
    await finish(made.agent)
  })

  it('asks with the prompt that it states', async () => {
    const made = await sent({ calls: ['call c1 p'], own: { prompt: 'Really?' } })
    expect(made.agent.approvals.open[0]?.question.prompt).toBe('Really?')
    await finish(made.agent)
  })

  it('`once` asks until a call of the tool was allowed in the session, and not about the others meanwhile', async () => {
    const made = await sent({ calls: ['call c1 p + call c2 p', 'call c3 p'], own: 'once' })
    expect(asked(made)).toEqual(['c1'])
    made.agent.approve('c1', 'deny')
    await settle()
    expect(asked(made)).toEqual(['c1', 'c2'])
    made.agent.approve('c2', 'allow')
    await made.agent.whenIdle()
    expect(asked(made)).toEqual(['c1', 'c2'])
    expect(made.ran).toEqual(['c2', 'c3'])
    await finish(made.agent)
  })

  it('`once` is remembered by the log: a resumed session is not asked again', async () => {
    const first = await sent({ calls: ['call c1 p'], own: 'once' })
    first.agent.approve('c1', 'allow')
    await first.agent.whenIdle()
    const next = await sent({ calls: ['call c2 p'], own: 'once', log: first.agent.log })
    await next.agent.whenIdle()
    expect(asked(next)).toEqual(['c1'])
    expect(next.ran).toEqual(['c2'])
    await finish(next.agent)
  })

  it('by predicate sees the call; only exactly `false` lets it pass without a question', async () => {
    const seen: unknown[] = []
    const own: ApprovalPolicy = ({ tool, arguments: input, step, call }) => {
      seen.push([tool, input, step])
      return (call.providerId === 'c1' ? false : undefined) as boolean
    }
    const made = await sent({ calls: ['call c1 p {"n":1} + call c2 p'], own })
    expect(seen).toEqual([
      ['p', { n: 1 }, 1],
      ['p', {}, 1],
    ])
    expect(made.ran).toEqual(['c1'])
    expect(asked(made)).toEqual(['c2'])
    await finish(made.agent)
  })

  it('that throws means no: an error outcome, and no question', async () => {
    const made = await sent({
      calls: ['call c1 p'],
      own: () => {
        throw new Error('cannot judge')
      },
    })
    await made.agent.whenIdle()
    expect(made.log()).toContain('tool/result 1.1 c1 error "Error: cannot judge"')
    expect([made.ran, asked(made)]).toEqual([[], []])
    await finish(made.agent)
  })

  it('stands behind toolPre: a gate that answers overrules it, one that delegates sees its answer', async () => {
    const seen: unknown[] = []
    const made = await sent({
      calls: ['call c1 p + call c2 p'],
      own: 'always',
      gates: {
        toolPre: async ({ call }, next) => {
          if (call.providerId === 'c1') return { kind: 'allow' }
          const answer = await next()
          seen.push(answer)
          return answer
        },
      },
    })
    expect(made.ran).toEqual(['c1'])
    expect(asked(made)).toEqual(['c2'])
    expect(seen).toEqual([{ kind: 'ask' }])
    await finish(made.agent)
  })

  it('that cannot be read is refused where it stands', () => {
    const bad: unknown[] = ['sometimes', 7, { policy: 'x' }, { expiresMs: 0 }, { prompt: 7 }, null]
    for (const approval of bad) {
      expect(codeOf(() => rig({ approval: approval as Approval }))).toBe('INVALID_OPTION')
      const tool = { name: 'p', approval: approval as Approval, run: () => 'ok' }
      expect(codeOf(() => defineTool(tool))).toBe('INVALID_OPTION')
    }
  })

  it('of a tool that was written by hand and cannot be read lets nothing run', async () => {
    const made = await sent({ calls: ['call c1 p'], own: 'sometimes' as Approval })
    await made.agent.whenIdle()
    expect(made.ran).toEqual([])
    expect(made.log().join('\n')).toContain('tool/result 1.1 c1 error')
    await finish(made.agent)
  })
})
