/**
 * What is known while something else is waited for is durable: a crash must not lose it.
 */
import { expect, it } from 'vitest'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, heldTool, rig, say } from './rig.ts'

it('an outcome behind an open question is recorded at once', async () => {
  const { agent, log } = rig({
    model: ['call c1 p + call c2 p', 'text "done"'],
    tools: [{ name: 'p', parallel: true, run: () => 'ok' }],
    gates: {
      toolPre: ({ call }) => (call.providerId === 'c2' ? { kind: 'ask' } : { kind: 'allow' }),
    },
  })
  const calls = (): string[] => log().filter((line) => /^(tool|approval)\//.test(line))
  agent.followup(say('A'))
  await settle()
  expect(calls()).toEqual([
    'tool/call 1.1 c1 p',
    'tool/call 1.1 c2 p',
    'approval/asked 1.1 c2',
    'tool/settled 1.1 c1 ok "ok"',
  ])
  agent.approve('c2', 'allow')
  await agent.whenIdle()
  expect(calls().slice(4)).toEqual([
    'approval/decided 1.1 c2 allow',
    'tool/result 1.1 c1 ok "ok"',
    'tool/result 1.1 c2 ok "ok"',
  ])
  await finish(agent)
})

it('an outcome that comes while a question is open is recorded at once', async () => {
  const held = heldTool('x', { parallel: true })
  const { agent, log } = rig({
    model: ['call c1 x + call c2 p', 'text "done"'],
    tools: [held.tool, { name: 'p', parallel: true, approval: 'always', run: () => 'ok' }],
  })
  agent.followup(say('A'))
  await settle()
  held.running[0]?.settle('value')
  await settle()
  expect(log().at(-1)).toBe('tool/settled 1.1 c1 ok "value"')
  agent.approve('c2', 'allow')
  await agent.whenIdle()
  await finish(agent)
})
