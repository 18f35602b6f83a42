/**
 * A turn that waits for an approval outlives its process: it is left open, and taken over with its question as it was.
 */
import { describe, expect, it } from 'vitest'
import { repairEvents } from '../../src/sessions/repair.ts'
import { answers, asked, codeOf, sent } from '../actors/approval-rig.ts'
import { ofType, rig } from '../actors/rig.ts'
import { atRest, first, found, kinds, next } from './kept-rig.ts'

describe('a process that dies while it waits', () => {
  it('leaves the question to the next one, which uses the answer: the body runs once, and the turn goes on', async () => {
    const dead = await first()
    const life = await next(dead.agent.log.read())
    expect(life.agent.approvals.open.map(({ call }) => call.providerId)).toEqual(['c1'])
    expect(life.agent.status).toBe('running')
    expect(life.ran).toEqual([])
    life.agent.approve('c1', 'allow')
    await life.agent.whenIdle()
    expect(life.ran).toEqual(['c1', 'c2'])
    expect(asked(life)).toEqual(['c1'])
    expect(kinds(life.agent.log.read())).toEqual([
      'turn/start',
      'step/start',
      'tool/call',
      'approval/asked',
      'session/opened',
      'approval/decided',
      'tool/call',
      'tool/result',
      'tool/result',
      'step/end',
      'step/start',
      'step/end',
      'turn/end',
    ])
    expect(life.model.requests[0]?.history).toEqual([
      'user:do it',
      'assistant:call c1 | assistant:call c2',
      'tool-result c1 ok',
      'tool-result c2 ok',
    ])
    await atRest(life)
  })

  it('may die many times: every process takes over the same question', async () => {
    let events = (await first()).agent.log.read()
    for (let i = 0; i < 3; i += 1) events = (await next(events)).agent.log.read()
    const life = await next(events)
    life.agent.approve('c1', 'deny', { reason: 'no' })
    await life.agent.whenIdle()
    expect(ofType(life.agent, 'tool/result')[0]?.data.outcome).toMatchObject({ kind: 'denied' })
    expect(life.ran).toEqual(['c2'])
    await atRest(life)
  })

  it('loses the question where nobody keeps it: it is closed as cancelled, and the turn as interrupted', async () => {
    const dead = await first()
    const log = found(dead.agent.log.read(), false)
    expect(kinds(log.read()).slice(-5)).toEqual([
      'approval/decided',
      'tool/result',
      'tool/result',
      'step/end',
      'turn/end',
    ])
    const life = await next(log.read())
    expect(codeOf(() => life.agent.approve('c1', 'allow'))).toBe('APPROVAL_CLOSED')
    await atRest(life)
  })

  it('is refused by an agent that does not keep it, until the log is repaired', async () => {
    const log = found((await first()).agent.log.read())
    await expect(sent({ calls: [], log }, { prompt: false })).rejects.toMatchObject({
      code: 'OPEN_TURN',
    })
  })

  it('with bodies under way leaves them unknown, and asks on', async () => {
    const dead = await first({ calls: ['call c1 q + call c2 p'] })
    // As if the body of c1 had not come back.
    const events = dead.agent.log.read().filter(({ type }) => type !== 'tool/settled')
    const whole = events.map((event, seq) => ({ ...event, seq }))
    const life = await next(whole)
    life.agent.approve('c2', 'allow')
    await life.agent.whenIdle()
    expect(life.log().filter((line) => line.startsWith('tool/result'))).toEqual([
      expect.stringContaining('c1 error:OUTCOME_UNKNOWN'),
      'tool/result 1.1 c2 ok "ok"',
    ])
    expect(life.ran).toEqual(['c2'])
    await atRest(life)
  })

  it('after an answer leaves the call unknown: it may have run', async () => {
    const dead = await first({ calls: ['call c1 p + call c2 p'] })
    const upTo = dead.agent.log.length
    dead.agent.approve('c1', 'allow')
    const events = dead.agent.log.read(0, upTo + 1)
    expect(events.at(-1)?.type).toBe('approval/decided')
    const life = await next(events)
    expect(life.log()).toContainEqual(expect.stringContaining('c1 error:OUTCOME_UNKNOWN'))
    life.agent.approve('c2', 'allow')
    await life.agent.whenIdle()
    expect(life.ran).toEqual(['c2'])
    await atRest(life)
  })

  it('after a cancel keeps nothing: the cancel had closed the question', async () => {
    const dead = await first()
    const upTo = dead.agent.log.length
    dead.agent.cancel()
    const events = dead.agent.log.read(0, upTo + 1)
    expect(events.at(-1)?.type).toBe('cancel/requested')
    expect(repairEvents(events, { keepApprovals: true })).toEqual(repairEvents(events))
    const life = await next(events)
    expect(life.agent.approvals.open).toEqual([])
    await atRest(life)
  })

  it('of whose questions some were answered: those answers are used, in order', async () => {
    const dead = await first({ calls: ['call c1 p + call c2 p + call c3 p'] })
    dead.agent.approvals.answer([
      { call: 'c2', answer: 'allow' },
      { call: 'c3', answer: 'deny' },
    ])
    const life = await next(dead.agent.log.read())
    expect(life.agent.approvals.open.map(({ call }) => call.providerId)).toEqual(['c1'])
    life.agent.approve('c1', 'allow')
    await life.agent.whenIdle()
    expect(life.ran).toEqual(['c1', 'c2'])
    expect(answers(life)).toEqual(['c2 allow user', 'c3 deny user', 'c1 allow user'])
    await atRest(life)
  })
})

describe('a suspended agent', () => {
  it('leaves the turn as it is, writes nothing, and ends', async () => {
    const { agent, clock } = await first({ own: { expiresMs: 1000 } })
    const { length } = agent.log
    await agent.dispose({ keepInbox: true })
    expect(agent.log.length).toBe(length)
    expect(agent.status).toBe('disposed')
    expect(clock.timers).toBe(0)
    const life = await next(agent.log.read())
    life.agent.approve('c1', 'allow')
    await life.agent.whenIdle()
    expect(life.ran).toEqual(['c1', 'c2'])
    await atRest(life)
  })

  it('may be suspended before it has begun to go on, and again', async () => {
    const early = await next((await first()).agent.log.read(), {}, false)
    await early.agent.dispose({ keepInbox: true })
    const late = await next(early.agent.log.read())
    await late.agent.dispose({ keepInbox: true })
    const life = await next(late.agent.log.read())
    life.agent.approve('c1', 'allow')
    await life.agent.whenIdle()
    expect(life.ran).toEqual(['c1', 'c2'])
    expect(kinds(life.agent.log.read()).filter((type) => type === 'session/opened')).toHaveLength(1)
    await atRest(life)
  })

  it('may be suspended in an observer of the question', async () => {
    const { agent, diagnostics } = rig({
      model: ['call c1 p'],
      tools: [{ name: 'p', run: () => 'ok' }],
      approval: 'always',
      keepApprovals: true,
    })
    agent.subscribe({}, ({ type }) => {
      if (type === 'approval/asked') void agent.dispose({ keepInbox: true })
    })
    agent.followup('do it')
    await agent.whenIdle()
    expect(agent.status).toBe('disposed')
    expect(agent.log.read().at(-1)?.type).toBe('approval/asked')
    expect(diagnostics).toEqual([])
  })

  it('is cancelled as ever without keepApprovals, and without keepInbox', async () => {
    const plain = await first({ keepApprovals: false })
    await plain.agent.dispose({ keepInbox: true })
    const hard = await first()
    await hard.agent.dispose()
    for (const { agent } of [plain, hard]) {
      expect(ofType(agent, 'approval/decided')[0]?.data.answer).toBe('cancelled')
      expect(ofType(agent, 'turn/end')[0]?.data.reason.kind).toBe('aborted')
    }
  })
})
