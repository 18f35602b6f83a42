/**
 * Which calls somebody must allow.
 */
import { describe, expect, it } from 'vitest'
import { approvalOf, judgeCall, resolveApproval } from '../../src/actors/approval-policy.ts'
import type { Approval, ApprovalPolicy } from '../../src/actors/approval.port.ts'
import { defineTool } from '../../src/adapters/define-tool.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { asked, sent } from './approval-rig.ts'
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

  const ALL = 'always, never, once, a function, or an object with these as its policy'

  it.each<[unknown, string, string]>([
    ['sometimes', '', ALL],
    [7, '', ALL],
    [null, '', ALL],
    [{ policy: 'x' }, '.policy', 'always, never, once or a function'],
    [{ expiresMs: 0 }, '.expiresMs', 'a positive number of ms'],
    [{ expiresMs: Infinity }, '.expiresMs', 'a positive number of ms'],
    [{ prompt: 7 }, '.prompt', 'a text'],
  ])('that cannot be read is refused where it stands: %o', (given, part, expected) => {
    const approval = given as Approval
    const refused = (of: string): unknown =>
      expect.objectContaining({
        code: 'INVALID_OPTION',
        summary: `${of}${part} should be ${expected}; nothing was created.`,
      })
    expect(() => rig({ approval })).toThrow(refused('option approval'))
    const tool = { name: 'p', approval, run: () => 'ok' }
    expect(() => defineTool(tool)).toThrow(refused(`approval of tool 'p'`))
  })

  it('in an object that names none asks always, in the words and for the time that it states', async () => {
    const bare = resolveApproval({ prompt: 'Really?', expiresMs: 5 }, 'it')
    expect(bare).toEqual({ policy: 'always', prompt: 'Really?', expiresMs: 5 })
    const question = {} as Parameters<typeof judgeCall>[1]
    expect(await judgeCall(bare, question)).toEqual({
      kind: 'ask',
      prompt: 'Really?',
      expiresMs: 5,
    })
    const once = await judgeCall({ policy: 'once' }, question)
    expect(Object.keys(once)).toEqual(['kind', 'once'])
  })

  it('of a tool is read once, and as the registry has it at each call', () => {
    const agent = resolveApproval('never', 'the agent')
    const tool = { name: 'p', approval: 'once' as const }
    expect(approvalOf(tool, agent)).toBe(approvalOf(tool, agent))
    expect(approvalOf({ ...tool, approval: 'always' }, agent).policy).toBe('always')
    expect(() => approvalOf({ name: 'p', approval: 7 as never }, agent)).toThrow(
      expect.objectContaining({
        summary: `approval of tool 'p' should be ${ALL}; nothing was created.`,
      }),
    )
  })

  it('of a tool that was written by hand and cannot be read lets nothing run', async () => {
    const made = await sent({ calls: ['call c1 p'], own: 'sometimes' as Approval })
    await made.agent.whenIdle()
    expect(made.ran).toEqual([])
    expect(made.log().join('\n')).toContain('tool/result 1.1 c1 error')
    await finish(made.agent)
  })
})
