/**
 * Messages that whoever answers for them takes back: durably, as rejected, and on every path.
 */
import { describe, expect, it } from 'vitest'
import { doorOf } from '../../src/actors/service-door.ts'
import { finish, ofType, rig, say } from './rig.ts'

describe('withdrawing a message', () => {
  it('that still waits records it as rejected, and it never runs', async () => {
    const { agent, trace } = rig({ model: ['hang "x"', 'text "next"'] })
    agent.followup(say('A'))
    agent.followup(say('B'))
    doorOf(agent).withdraw('B', 'acp')
    expect(ofType(agent, 'inbox/discarded').map(({ data }) => data)).toEqual([
      { ids: ['B'], reason: 'rejected', actor: 'acp' },
    ])
    expect(trace).toContain('discarded B rejected')
    agent.cancel('user')
    await agent.whenIdle()
    expect(ofType(agent, 'turn/start')).toHaveLength(1)
    await finish(agent)
  })

  it('that waits no more does nothing', async () => {
    const { agent } = rig({ model: ['text "x"'] })
    agent.followup(say('A'))
    await agent.whenIdle()
    const before = agent.log.length
    doorOf(agent).withdraw('A', 'acp')
    doorOf(agent).withdraw('unknown', 'acp')
    expect(agent.log.length).toBe(before)
    await finish(agent)
  })

  it('inside a callback waits for the end of the move, and works while the agent is being suspended', async () => {
    const { agent } = rig({ model: ['hang "x"'] })
    agent.followup(say('A'))
    agent.followup(say('B'))
    doorOf(agent).endFirst(() => {
      doorOf(agent).withdraw('B', 'acp')
      return undefined
    })
    await agent.dispose({ keepInbox: true })
    expect(ofType(agent, 'inbox/discarded').map(({ data }) => data.reason)).toEqual(['rejected'])
    await finish(agent)
  })

  it('that the log refuses to let go is told to diagnostics', async () => {
    const { agent, diagnostics } = rig({ model: ['hang "x"'] })
    agent.followup(say('A'))
    agent.followup(say('B'))
    const append = agent.log.append.bind(agent.log)
    agent.log.append = () => {
      throw new Error('disk full')
    }
    doorOf(agent).withdraw('B', 'acp')
    agent.log.append = append
    expect(diagnostics.map(({ kind, message }) => [kind, message])).toEqual([
      ['command', 'disk full'],
    ])
    expect(agent.inbox.nextTurn.map(({ message }) => message.id)).toEqual(['B'])
    await finish(agent)
  })
})
