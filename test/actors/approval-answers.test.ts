/**
 * Questions that expire, and answers that are given together.
 */
import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../src/testing/virtual-clock.ts'
import { answers, codeOf, sent } from './approval-rig.ts'
import { finish, ofType } from './rig.ts'

describe('a question that expires', () => {
  it('says when; then it is closed, the call is denied, and the turn goes on', async () => {
    const made = await sent({ calls: ['call c1 p'], own: { expiresMs: 1000 } })
    expect(made.agent.approvals.open[0]?.question.expiresAt).toBe(1000)
    await made.clock.advance(999)
    expect(answers(made)).toEqual([])
    await made.clock.advance(1)
    expect(answers(made)).toEqual(['c1 expired turnwise'])
    await made.agent.whenIdle()
    expect(ofType(made.agent, 'tool/result')[0]?.data.outcome).toMatchObject({
      kind: 'denied',
      by: 'turnwise',
      reason: 'nobody answered in time',
    })
    expect(made.ran).toEqual([])
    expect(codeOf(() => made.agent.approve('c1', 'allow'))).toBe('APPROVAL_CLOSED')
    await finish(made.agent)
  })

  it('of one group each at its own time; what was answered in time runs', async () => {
    const made = await sent({
      calls: ['call c1 p + call c2 q'],
      approval: 'always',
      own: { expiresMs: 1000 },
    })
    made.agent.approve('c2', 'allow')
    await made.clock.advance(5000)
    await made.agent.whenIdle()
    expect(answers(made)).toEqual(['c2 allow user', 'c1 expired turnwise'])
    expect(made.ran).toEqual(['c2'])
    await finish(made.agent)
  })

  it('leaves no timer behind an answer, a cancel or a disposal', async () => {
    for (const close of ['approve', 'cancel', 'dispose'] as const) {
      const made = await sent({ calls: ['call c1 p'], own: { expiresMs: 1000 } })
      if (close === 'approve') made.agent.approve('c1', 'allow')
      else if (close === 'cancel') made.agent.cancel()
      else await made.agent.dispose()
      await made.agent.whenIdle()
      expect(made.clock.timers).toBe(0)
      await finish(made.agent)
    }
  })

  it('may be asked by a gate, which says after how many ms', async () => {
    const made = await sent({
      calls: ['call c1 p'],
      gates: { toolPre: () => ({ kind: 'ask', expiresMs: 5 }) },
    })
    await made.clock.advance(5)
    await made.agent.whenIdle()
    expect(answers(made)).toEqual(['c1 expired turnwise'])
    await finish(made.agent)
  })
})

describe('answers given together', () => {
  it('are recorded together, and used in the order of the calls', async () => {
    const made = await sent({ calls: ['call c1 p + call c2 p + call c3 p'], own: 'always' })
    made.agent.approvals.answer([
      { call: 'c3', answer: 'allow' },
      { call: 'c1', answer: 'allow', by: 'ann' },
      { call: 'c2', answer: 'deny', reason: 'no' },
    ])
    expect(answers(made)).toEqual(['c3 allow user', 'c1 allow ann', 'c2 deny user'])
    await made.agent.whenIdle()
    expect(made.ran).toEqual(['c1', 'c3'])
    await finish(made.agent)
  })

  it('of which one is closed, unknown or named twice record nothing at all', async () => {
    const made = await sent({ calls: ['call c1 p + call c2 p'], own: 'always' })
    const batches = [
      ['c1', 'nobody'],
      ['c1', 'c1'],
    ]
    for (const calls of batches) {
      const given = calls.map((call) => ({ call, answer: 'allow' as const }))
      expect(codeOf(() => made.agent.approvals.answer(given))).toBe('APPROVAL_CLOSED')
    }
    expect(answers(made)).toEqual([])
    await finish(made.agent)
  })

  it.each<[unknown, string]>([
    ['yes', '"yes"'],
    [undefined, 'undefined'],
    [codeOf, 'a function'],
  ])('of which one is %o record nothing at all', async (wrong, found) => {
    const made = await sent({ calls: ['call c1 p + call c2 p'], own: 'always' })
    const given = [
      { call: 'c1', answer: 'allow' as const },
      { call: 'c2', answer: wrong as 'allow' },
    ]
    expect(() => made.agent.approvals.answer(given)).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        summary: `an answer should be allow or deny, found ${found}; nothing was recorded.`,
      }),
    )
    expect(answers(made)).toEqual([])
    await finish(made.agent)
  })

  it('may be one for all that is open, or for one tool', async () => {
    const made = await sent({ calls: ['call c1 p + call c2 q + call c3 p'], approval: 'always' })
    const keys = made.agent.approvals.answerAll('allow', { tool: 'p', by: 'ann' })
    expect(keys).toHaveLength(2)
    expect(answers(made)).toEqual(['c1 allow ann', 'c3 allow ann'])
    made.agent.approvals.answerAll('deny')
    await made.agent.whenIdle()
    expect(made.ran).toEqual(['c1', 'c3'])
    expect(made.agent.approvals.answerAll('allow')).toEqual([])
    expect(made.agent.approvals.open).toEqual([])
    await finish(made.agent)
  })

  it('may be given inside the observer of the question, which then never expires', async () => {
    for (const answer of ['allow', 'deny'] as const) {
      const made = await sent({ calls: ['call c1 p'], own: { expiresMs: 1000 } }, { prompt: false })
      made.agent.subscribe({}, ({ type, data }) => {
        if (type === 'approval/asked') made.agent.approve(data.call.key, answer)
      })
      made.agent.followup('do it')
      await made.agent.whenIdle()
      expect(made.clock.timers).toBe(0)
      expect(answers(made)).toEqual([`c1 ${answer} user`])
      expect(made.ran).toEqual(answer === 'allow' ? ['c1'] : [])
      await finish(made.agent)
    }
  })

  it('may be given inside an observer of one answer', async () => {
    const made = await sent({ calls: ['call c1 p + call c2 p'], own: 'always' })
    made.agent.subscribe({ from: made.agent.log.length }, ({ type }) => {
      if (type === 'approval/decided') made.agent.approvals.answerAll('allow')
    })
    made.agent.approve('c2', 'deny')
    await made.agent.whenIdle()
    expect(answers(made)).toEqual(['c2 deny user', 'c1 allow user'])
    await finish(made.agent)
  })
})

it('a question waits longer than its clock can: the clock is asked again', async () => {
  const inner = virtualClock({ now: 0 })
  const clock = {
    ...inner,
    after: (ms: number, fire: () => void) => inner.after(Math.min(ms, 100), fire),
  }
  const made = await sent({ calls: ['call c1 p'], own: { expiresMs: 250 }, clock })
  await inner.advance(249)
  expect(answers(made)).toEqual([])
  await inner.advance(1)
  expect(answers(made)).toEqual(['c1 expired turnwise'])
  await made.agent.whenIdle()
  await finish(made.agent)
})
