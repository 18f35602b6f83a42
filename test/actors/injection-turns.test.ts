/**
 * An injection turn that has not opened yet: what a cancel, an end or a refusing log makes of its message.
 */
import { describe, expect, it } from 'vitest'
import type { Agent } from '../../src/actors/agent-handle.ts'
import { finish, type Rig, type RigOptions, rig, say } from './rig.ts'
import { refusing } from './refusing-log.ts'

/** Injects `I` into an idle agent behind which `A` waits, and calls `then` when it starts to run. */
async function injected(then: (agent: Agent) => unknown, options: RigOptions = {}): Promise<Rig> {
  const made = rig(options)
  made.agent.inbox.append('next-turn', say('A'))
  const leave = made.agent.listen((notice) => {
    if (notice.type !== 'status') return
    leave()
    then(made.agent)
  })
  made.agent.inject(say('I'), { turn: true })
  await made.agent.whenIdle()
  return made
}

const OPENED = [
  'status running',
  'turn/start 1',
  'context/message "I" <plugin>',
  'turn/end 1 completed',
  'status idle',
]

const cases: readonly (readonly [string, (agent: Agent) => unknown, readonly string[]])[] = [
  ['nothing lets it open', () => {}, OPENED],
  ['an abort lets it open', (agent) => agent.abort(), OPENED],
  ['a cancel of another turn lets it open', (agent) => agent.cancel('user', { turn: 7 }), OPENED],
  [
    'a cancel takes its message for context, and discards it with the rest',
    (agent) => agent.cancel(),
    [
      'status running',
      'inbox next-step @0 +["I" <plugin>]',
      'inserted I',
      'inbox next-step @0 -1 canceled',
      'inbox next-turn @0 -1 canceled',
      'cancel/requested user - discarded ["I" <plugin>, "A"]',
      'discarded I cleared',
      'discarded A cleared',
      'status idle',
    ],
  ],
  [
    'one that keeps the inbox keeps it as context',
    (agent) => agent.cancel('user', { keepInbox: true }),
    ['status running', 'inbox next-step @0 +["I" <plugin>]', 'inserted I', 'status idle'],
  ],
  [
    'the end of the agent leaves it behind',
    (agent) => void agent.dispose({ keepInbox: true }),
    [
      'status running',
      'inbox next-step @0 +["I" <plugin>]',
      'inserted I',
      'status idle',
      'status disposed',
      'agent/disposed',
    ],
  ],
]

describe('an injection turn that has not opened', () => {
  it.each(cases)('%s', async (_, then, lines) => {
    const { agent, trace, diagnostics } = await injected(then)
    expect(trace.slice(trace.indexOf('status running'))).toEqual(lines)
    expect(diagnostics).toEqual([])
    await finish(agent)
  })

  it('loses its message where the log refuses it, and says so', async () => {
    const log = refusing('inbox/inserted')
    const made = rig({ log })
    made.agent.listen((notice) => {
      if (notice.type === 'status' && notice.status === 'running') made.agent.cancel()
    })
    made.agent.inject(say('I'), { turn: true })
    await made.agent.whenIdle()
    expect(made.trace).toEqual(['status running', 'diagnostic append', 'status idle'])
    expect(made.diagnostics.map(({ kind, message }) => [kind, message])).toEqual([
      ['append', 'disk full'],
    ])
    await finish(made.agent)
  })

  it('is plain context on an agent that does something else', async () => {
    const { agent, log } = rig()
    const task = agent.runMaintenance(() => {
      agent.inject(say('I'), { turn: true })
    })
    await task
    await agent.whenIdle()
    expect(log()).toEqual(['inbox next-step @0 +["I" <plugin>]'])
    await finish(agent)
  })
})
