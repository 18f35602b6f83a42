/**
 * What closes a question, what its record and the outcome of its call say then, and who is told that it is closed.
 */
import { describe, expect, it, vi } from 'vitest'
import type { AnswerOptions, CallAnswer } from '../../src/actors/approval.port.ts'
import { settle, virtualClock } from '../../src/testing/virtual-clock.ts'
import { answers, asked, sent } from './approval-rig.ts'
import { refusing } from './refusing-log.ts'
import { finish, heldTool, ofType, rig, say } from './rig.ts'

const aboutCalls = (log: readonly string[]): string[] =>
  log.filter((line) => /^(tool|approval)\//.test(line)).map((line) => line.replace(' 1.1', ''))

const text = (words: string) => [{ type: 'text', text: words }]

const allow = (call: string): CallAnswer => ({ call, answer: 'allow' })

describe('an answer', () => {
  it.each<[AnswerOptions | undefined, { by: string; reason?: string }, string]>([
    [undefined, { by: 'user' }, 'not approved'],
    [{ by: 'ann', reason: '' }, { by: 'ann' }, 'not approved'],
    [{ reason: 'too late' }, { by: 'user', reason: 'too late' }, 'too late'],
  ])(
    'of %j is recorded as it was given, and tells the model who said no',
    async (given, kept, why) => {
      const made = await sent({ calls: ['call c1 p'], own: 'always' })
      const [question] = ofType(made.agent, 'approval/asked')
      made.agent.approve('c1', 'deny', given)
      await made.agent.whenIdle()
      const { call } = question?.data ?? {}
      expect(question?.data).toStrictEqual({
        turn: 1,
        step: 1,
        call,
        question: { tool: 'p', arguments: {} },
      })
      expect(ofType(made.agent, 'approval/decided').map(({ data }) => data)).toStrictEqual([
        { turn: 1, step: 1, call, answer: 'deny', ...kept },
      ])
      expect(ofType(made.agent, 'tool/result').map(({ data }) => data.outcome)).toStrictEqual([
        {
          kind: 'denied',
          by: kept.by,
          reason: why,
          content: text(`The call was denied by ${kept.by}: ${why}`),
        },
      ])
      await finish(made.agent)
    },
  )

  it.each<[string, readonly CallAnswer[], string]>([
    ['unknown', [allow('c9')], 'c9'],
    [
      'named by an id of several calls',
      [allow('c1')],
      'c1, which several have: name one by its key',
    ],
    ['named twice', [allow('c2'), allow('c2')], 'c2, which is named twice'],
  ])('to a call that is %s is refused in words that say so', async (_, given, found) => {
    const made = await sent({ calls: ['call c1 p + call c1 p + call c2 p'], own: 'always' })
    const { length } = made.agent.log
    expect(() => made.agent.approvals.answer(given)).toThrow(
      expect.objectContaining({
        code: 'APPROVAL_CLOSED',
        message: expect.stringContaining(
          `expected the call of an open question, found ${found}; nothing was recorded. The turn may have ended or the question been answered.`,
        ) as string,
      }),
    )
    expect(made.agent.log.length).toBe(length)
    await finish(made.agent)
  })

  it('to nothing records nothing', async () => {
    const made = await sent({ calls: ['call c1 p'], own: 'always' })
    const { length } = made.agent.log
    made.agent.approvals.answer([])
    expect(made.agent.log.length).toBe(length)
    await finish(made.agent)
  })

  it('given in the observer of its question leaves no timer and breaks nothing', async () => {
    const tool = heldTool('p', { approval: { expiresMs: 1000 } })
    const { agent, clock, diagnostics } = rig({ model: ['call c1 p'], tools: [tool.tool] })
    agent.subscribe({}, ({ type }) => {
      if (type === 'approval/asked') agent.approve('c1', 'allow')
    })
    agent.followup(say('A'))
    await settle()
    expect([tool.started, clock.timers, diagnostics]).toEqual([1, 0, []])
    agent.cancel()
    tool.running[0]?.settle()
    await finish(agent)
  })

  it('soon after the one that was waited for decides about its own call alone', async () => {
    const made = await sent({ calls: ['call c1 p + call c2 p'], own: 'always' })
    made.agent.approve('c1', 'allow')
    made.agent.approve('c2', 'deny')
    await made.agent.whenIdle()
    expect(aboutCalls(made.log()).slice(3)).toEqual([
      'approval/decided c1 allow',
      'approval/decided c2 deny',
      'tool/call c2 p',
      'tool/settled c2 denied "not approved"',
      'tool/result c1 ok "ok"',
      'tool/result c2 denied "not approved"',
    ])
    await finish(made.agent)
  })

  it('to a later call does not stir the one that is waited for', async () => {
    const made = await sent({ calls: ['call c1 p + call c2 p'], own: 'always', maxTurnMs: 1000 })
    await made.clock.advance(1000)
    made.agent.approve('c2', 'allow')
    await settle()
    expect(made.agent.approvals.open.map(({ call }) => call.providerId)).toEqual(['c1'])
    expect(ofType(made.agent, 'tool/result')).toEqual([])
    await finish(made.agent)
  })
})

describe('a budget that is used up meanwhile', () => {
  it('denies the calls and closes their questions, which take no answer any more', async () => {
    const made = await sent({ calls: ['call c1 p + call c2 p'], own: 'always', maxTurnMs: 1000 })
    const late: unknown[] = []
    made.agent.subscribe({ from: made.agent.log.length }, ({ type, data }) => {
      if (type !== 'approval/decided' || data.answer !== 'cancelled') return
      try {
        made.agent.approve(data.call.key, 'allow')
      } catch (error) {
        late.push((error as { code: string }).code, made.agent.approvals.open)
      }
    })
    await made.clock.advance(1000)
    made.agent.approve('c1', 'allow')
    await made.agent.whenIdle()
    const why = 'the turn has used up its time (1000 of 1000)'
    expect(aboutCalls(made.log()).slice(3)).toEqual([
      'approval/decided c1 allow',
      `tool/result c1 denied "${why}"`,
      'tool/call c2 p',
      'approval/decided c2 cancelled',
      `tool/result c2 denied "${why}"`,
    ])
    expect(ofType(made.agent, 'tool/result')[1]?.data.outcome).toMatchObject({ by: 'budget' })
    expect(ofType(made.agent, 'approval/decided')[1]?.data).toStrictEqual({
      turn: 1,
      step: 1,
      call: ofType(made.agent, 'tool/call')[1]?.data.call,
      answer: 'cancelled',
      by: 'turnwise',
    })
    expect(late).toEqual(['APPROVAL_CLOSED', []])
    await finish(made.agent)
  })
})

describe('a question with a time', () => {
  it('is closed by the cancel that came first, though its time comes while a body drains', async () => {
    const held = heldTool('x', { parallel: true })
    const { agent, clock, log } = rig({
      model: ['call c1 x + call c2 p'],
      tools: [
        held.tool,
        { name: 'p', parallel: true, approval: { expiresMs: 100 }, run: () => 'ok' },
      ],
    })
    agent.followup(say('A'))
    await settle()
    agent.cancel()
    await clock.advance(100)
    held.running[0]?.settle()
    await agent.whenIdle()
    expect(log().filter((line) => line.startsWith('approval/'))).toEqual([
      'approval/asked 1.1 c2',
      'approval/decided 1.1 c2 cancelled',
    ])
    await finish(agent)
  })

  it('is asked in whole ms, and says why it was closed', async () => {
    const made = await sent({ calls: ['call c1 p'], own: { prompt: 'Sure?', expiresMs: 99.5 } })
    expect(made.agent.approvals.open[0]?.question).toStrictEqual({
      tool: 'p',
      arguments: {},
      prompt: 'Sure?',
      expiresAt: 100,
    })
    await made.clock.advance(100)
    expect(ofType(made.agent, 'approval/decided')[0]?.data).toMatchObject({
      answer: 'expired',
      by: 'turnwise',
      reason: 'nobody answered in time',
    })
    await finish(made.agent)
  })

  it('alone is watched by the clock', async () => {
    const clock = virtualClock({ now: 0 })
    const after = vi.spyOn(clock, 'after')
    const made = await sent({ calls: ['call c1 p'], own: 'always', clock, streamIdleMs: 0 })
    expect(asked(made)).toEqual(['c1'])
    expect(after).not.toHaveBeenCalled()
    await finish(made.agent)
  })
})

it('a question that the log refuses fails the turn: its call is not run, and nobody may answer', async () => {
  const made = await sent({ calls: ['call c1 p'], own: 'always', log: refusing('approval/asked') })
  await made.agent.whenIdle()
  expect([aboutCalls(made.log()), made.ends()]).toEqual([
    ['tool/call c1 p', 'tool/result c1 error:ABORTED_BEFORE_DISPATCH'],
    ['turn/end 1 error:UNKNOWN "disk full"'],
  ])
  expect([made.ran, answers(made), made.diagnostics.map(({ kind }) => kind)]).toEqual([
    [],
    [],
    ['append'],
  ])
  await finish(made.agent)
})
