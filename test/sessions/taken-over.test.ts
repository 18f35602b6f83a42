/**
 * A turn that was taken over from an earlier process: cancels, answers, clocks and budgets find it as if it had never stopped.
 */
import { describe, expect, it } from 'vitest'
import { checkLog } from '../../src/events/enclosure.ts'
import { settle, virtualClock } from '../../src/testing/virtual-clock.ts'
import { answers, asked, codeOf } from '../actors/approval-rig.ts'
import { ofType } from '../actors/rig.ts'
import { atRest, first, next } from './kept-rig.ts'

describe('a turn that was taken over', () => {
  it('is hit by a cancel, at once and later', async () => {
    const events = (await first()).agent.log.read()
    for (const wait of [false, true]) {
      const life = await next(events, {}, wait)
      expect(life.agent.cancel()).toMatchObject({ effect: 'aborted', turn: 1 })
      expect(codeOf(() => life.agent.approve('c1', 'allow'))).toBe('APPROVAL_CLOSED')
      await life.agent.whenIdle()
      expect(answers(life)).toEqual(['c1 cancelled turnwise'])
      expect(life.log().at(-1)).toBe('turn/end 1 aborted:user')
      expect(life.ran).toEqual([])
      await atRest(life)
    }
  })

  it('is answered at once, before it has begun to go on', async () => {
    const events = (await first()).agent.log.read()
    const life = await next(events, {}, false)
    life.agent.approve('c1', 'allow')
    await life.agent.whenIdle()
    expect(life.ran).toEqual(['c1', 'c2'])
    await atRest(life)
  })

  it('expires at the time that was recorded, also if that has passed meanwhile', async () => {
    const dead = await first({ own: { expiresMs: 1000 } })
    for (const now of [400, 5000]) {
      const clock = virtualClock({ now })
      const life = await next(dead.agent.log.read(), { clock })
      await clock.advance(Math.max(0, 1000 - now))
      await life.agent.whenIdle()
      expect(answers(life)).toEqual(['c1 expired turnwise'])
      expect(life.ran).toEqual(['c2'])
      await atRest(life)
    }
  })

  it('goes on before new input: a prompt waits for its own turn, behind what a resume parks', async () => {
    const dead = await first()
    dead.agent.followup({ id: 'waits', content: 'later' })
    const life = await next(dead.agent.log.read(), { calls: ['text "done"', 'text "two"'] })
    expect(life.agent.parked).toMatchObject({ reason: 'resume', ids: ['waits'] })
    life.agent.approve('c1', 'allow')
    await life.agent.whenIdle()
    expect(life.agent.inbox.nextTurn.map(({ message }) => message.id)).toEqual(['waits'])
    life.agent.followup({ id: 'B', content: 'B' })
    await life.agent.whenIdle()
    expect(life.log().filter((line) => line.startsWith('turn/end'))).toHaveLength(3)
    await atRest(life)
  })

  it('takes prompts, maintenance and disposal before it has begun to go on', async () => {
    const events = (await first()).agent.log.read()
    const make = () => next(events, { calls: ['text "done"'] }, false)
    const prompted = await make()
    prompted.agent.followup('more')
    await settle()
    expect(prompted.agent.approvals.open).toHaveLength(1)
    prompted.agent.approve('c1', 'allow')
    await prompted.agent.whenIdle()
    expect(ofType(prompted.agent, 'turn/end').map(({ data }) => data.turn)).toEqual([1, 2])
    const busy = await make()
    expect(codeOf(() => void busy.agent.runMaintenance(() => 1))).toBe('AGENT_BUSY')
    await busy.agent.dispose()
    expect(busy.log().at(-1)).toBe('turn/end 1 aborted:disposed')
    checkLog(busy.agent.log.read())
  })

  it('asks nobody again about a call whose question stands, though one before it is judged anew', async () => {
    const dead = await first({
      calls: ['call c1 p + call c2 p + call c3 p'],
      own: ({ call }) => call.providerId !== 'c2',
    })
    const judged: string[] = []
    const life = await next(dead.agent.log.read(), {
      own: ({ call }) => {
        judged.push(call.providerId)
        return true
      },
    })
    life.agent.approvals.answerAll('allow')
    await settle()
    expect([judged, asked(life)]).toEqual([['c2'], ['c1', 'c3', 'c2']])
    life.agent.approve('c2', 'allow')
    await life.agent.whenIdle()
    expect(life.ran).toEqual(['c1', 'c2', 'c3'])
    await atRest(life)
  })

  it('counts what the turn had used: steps, tokens', async () => {
    const dead = await first({ calls: ['call c0 q', 'call c1 p'], maxSteps: 2 })
    const life = await next(dead.agent.log.read(), { maxSteps: 2 })
    life.agent.approve('c1', 'allow')
    await life.agent.whenIdle()
    expect(life.log().at(-1)).toBe('turn/end 1 limit:steps')
    await atRest(life)
  })

  it('is run by the stock machine in the same way', async () => {
    const events = (await first()).agent.log.read()
    const logs: string[][] = []
    for (const inspect of [undefined, () => {}]) {
      const life = await next(events, inspect === undefined ? {} : { inspect })
      life.agent.approve('c1', 'allow')
      await life.agent.whenIdle()
      await life.agent.dispose()
      logs.push(life.log())
    }
    expect(logs[0]).toEqual(logs[1])
  })
})
