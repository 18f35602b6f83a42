/**
 * What the log says of who decided, where nobody gave a name.
 */
import { describe, expect, it } from 'vitest'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { finish, ofType, rig, say } from './rig.ts'

/** The functions of a list have no names. */
const [continuesOnce, stopsAtOnce] = [
  ({ step }: { step: number }) => (step === 1 ? ('continue' as const) : ('default' as const)),
  () => ({ kind: 'reject' as const, reason: 'not now' }),
]

describe('a gate without a name', () => {
  it('that continues is named after what it decides', async () => {
    const { agent } = rig({
      model: ['text "one"', 'text "two"'],
      gates: { continuation: continuesOnce },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ofType(agent, 'gate/decided').map(({ data }) => data)).toEqual([
      { turn: 1, step: 1, gate: 'continuation', decision: 'continue', by: 'continuation' },
    ])
    await finish(agent)
  })

  it('that rejects is named after what it decides; the log says what it said', async () => {
    const { agent } = rig({ gates: { preStep: stopsAtOnce } })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ofType(agent, 'turn/end').map(({ data }) => data.reason)).toEqual([
      { kind: 'blocked', by: 'preStep', reason: 'not now' },
    ])
    await finish(agent)
  })

  it('that adds a message without a source is its source', async () => {
    const { agent } = rig({
      model: ['text "one"'],
      gates: {
        preStep: ({ batch }) => ({ kind: 'enter', messages: [...batch, { content: 'added' }] }),
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    const [, added] = ofType(agent, 'user/message')
    expect(added?.data.message.source).toEqual({ kind: 'plugin', plugin: 'preStep' })
    await finish(agent)
  })
})

it('a decision to go on that the log refuses ends the turn, and no step follows', async () => {
  const log = createMemoryLog({
    id: 'refusing',
    intercept: ({ type }) => {
      if (type === 'gate/decided') throw new Error('disk full')
    },
  })
  const { agent, model, ends } = rig({
    log,
    model: ['text "one"', 'text "never"'],
    gates: { continuation: continuesOnce },
  })
  agent.followup(say('A'))
  await agent.whenIdle()
  expect(ends()).toEqual(['turn/end 1 error:UNKNOWN "disk full"'])
  expect(model.requests).toHaveLength(1)
  await agent.dispose()
})
