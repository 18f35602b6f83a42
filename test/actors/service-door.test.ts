/**
 * The way in for services: what it shows of an agent, and that what they put in can be taken out again.
 */
import { describe, expect, it } from 'vitest'
import { doorOf } from '../../src/actors/service-door.ts'
import type { AnyTool } from '../../src/actors/tool.port.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { sent } from './approval-rig.ts'
import { before } from './cancel-rig.ts'
import { finish, ofType, rig, say } from './rig.ts'

const named = (name: string): AnyTool => ({ name, run: () => name })

describe('a hold', () => {
  it('keeps whoever waits for quiescence, but not the calm, and is let go once', async () => {
    const { agent } = rig()
    const door = doorOf(agent)
    const [one, other] = [door.hold(), door.hold()]
    let idle = false
    void agent.whenIdle().then(() => {
      idle = true
    })
    const seen: unknown[] = []
    const look = async (): Promise<void> => {
      await settle()
      seen.push([door.calm, door.quiet, idle])
    }
    await look()
    one()
    one()
    await look()
    other()
    await look()
    one()
    await look()
    expect(seen).toEqual([
      [true, false, false],
      [true, false, false],
      [true, true, true],
      [true, true, true],
    ])
    await finish(agent)
  })
})

describe('the door of an agent', () => {
  it('shows its grace, its clock, its work and why that was aborted', async () => {
    const { agent, clock } = await before({ drainGraceMs: 7 })
    const door = doorOf(agent)
    expect([door.drainGraceMs, door.clock, door.calm, door.quiet]).toEqual([7, clock, false, false])
    expect([door.abortReason, door.disposing]).toEqual([undefined, false])
    agent.cancel({ kind: 'user', why: 'enough' })
    expect(door.abortReason).toEqual({ kind: 'user', why: 'enough' })
    await agent.whenIdle()
    expect([door.abortReason, door.calm, door.quiet]).toEqual([undefined, true, true])
    const disposal = agent.dispose()
    expect(door.disposing).toBe(true)
    await disposal
  })

  it.each([
    [true, true],
    [false, false],
  ])(
    'says of a turn that waits for an answer, kept %j, that it stands still: %j',
    async (keepApprovals, still) => {
      const made = await sent({ calls: ['call c1 p'], own: 'always', keepApprovals })
      const door = doorOf(made.agent)
      expect(door.standsStill).toBe(still)
      made.agent.cancel()
      await made.agent.whenIdle()
      expect(door.standsStill).toBe(false)
      await finish(made.agent)
    },
  )

  it('tells a fault as that of a command, or as that of a listener', async () => {
    const { agent, diagnostics } = rig()
    doorOf(agent).diagnose(new Error('one'))
    doorOf(agent).diagnose(new Error('two'), 'listener')
    expect(diagnostics.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
      'command: one',
      'listener: two',
    ])
    await finish(agent)
  })

  it.each<[string, readonly AnyTool[] | { list: () => readonly AnyTool[] }]>([
    ['a list', [named('own')]],
    ['a registry', { list: () => [named('own')] }],
  ])('adds tools to %s', async (_, tools) => {
    const { agent } = rig({ model: ['call c1 own + call c2 more'], tools })
    doorOf(agent).addTools([named('more')])
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ofType(agent, 'tool/result').map(({ data }) => data.outcome)).toMatchObject([
      { kind: 'ok', content: [{ text: 'own' }] },
      { kind: 'ok', content: [{ text: 'more' }] },
    ])
    await finish(agent)
  })

  it('applies a command that records what a service owns', async () => {
    const { agent } = rig()
    expect(() =>
      doorOf(agent).apply(() => {
        throw new Error('not now')
      }),
    ).toThrow('not now')
    expect(doorOf(agent).apply(() => 'done')).toBe('done')
    await finish(agent)
  })
})
