/**
 * From a settled call to its result: what `toolPost` says, what is durable while it thinks, and what cannot be recorded.
 */
import { describe, expect, it, vi } from 'vitest'
import type { Gates } from '../../src/actors/gates.port.ts'
import { script } from '../../src/testing/script.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { refusing } from './refusing-log.ts'
import { finish, heldTool, ofType, rig, say } from './rig.ts'

type ToolPost = Extract<Gates['toolPost'], (...args: never[]) => unknown>

const toolLines = (log: readonly string[]): string[] =>
  log.filter((line) => line.startsWith('tool/')).map((line) => line.replace(' 1.1', ''))

/** A `toolPost` whose answers the test gives, by the provider's id of the call; the others are accepted at once. */
function slowPost(...slow: readonly string[]) {
  const answers = new Map<string, () => void>()
  const toolPost: ToolPost = async ({ call }, next) => {
    if (slow.includes(call.providerId))
      await new Promise<void>((resolve) => {
        answers.set(call.providerId, resolve)
      })
    return next()
  }
  const isAsked = async (id: string): Promise<void> => {
    await vi.waitUntil(() => answers.has(id))
    await settle()
  }
  return { gates: { toolPost }, isAsked, answer: (id: string) => answers.get(id)?.() }
}

describe('a slow toolPost', () => {
  it('makes durable what is known, each call once', async () => {
    const { gates, isAsked, answer } = slowPost('c1', 'c2')
    const { agent, log, diagnostics } = rig({
      model: ['call c1 p + call c2 p', 'text "done"'],
      tools: [{ name: 'p', parallel: true, run: (_, { call }) => call.providerId }],
      gates,
    })
    agent.followup(say('A'))
    await isAsked('c1')
    const known = ['tool/settled c1 ok "c1"', 'tool/settled c2 ok "c2"']
    expect(toolLines(log()).slice(2)).toEqual(known)
    answer('c1')
    await isAsked('c2')
    expect(toolLines(log()).slice(2)).toEqual([...known, 'tool/result c1 ok "c1"'])
    answer('c2')
    await agent.whenIdle()
    expect(toolLines(log()).slice(4)).toEqual(['tool/result c1 ok "c1"', 'tool/result c2 ok "c2"'])
    expect(diagnostics).toEqual([])
    await finish(agent)
  })

  it('says nothing again of the calls that have their result', async () => {
    const { gates, isAsked, answer } = slowPost('c2')
    const { agent, log, diagnostics } = rig({
      model: ['call c1 t + call c2 t', 'text "done"'],
      tools: [{ name: 't', run: (_, { call }) => call.providerId }],
      gates,
    })
    agent.followup(say('A'))
    await isAsked('c2')
    answer('c2')
    await agent.whenIdle()
    expect(toolLines(log())).toEqual([
      'tool/call c1 t',
      'tool/result c1 ok "c1"',
      'tool/call c2 t',
      'tool/settled c2 ok "c2"',
      'tool/result c2 ok "c2"',
    ])
    expect(diagnostics).toEqual([])
    await finish(agent)
  })

  it('makes durable at once what settles while it thinks', async () => {
    const { gates, isAsked, answer } = slowPost('c1')
    const tool = heldTool('p', { parallel: true })
    const { agent, log } = rig({
      model: ['call c1 p + call c2 p', 'text "done"'],
      tools: [tool.tool],
      gates,
    })
    agent.followup(say('A'))
    await settle()
    tool.running[0]?.settle('first')
    await isAsked('c1')
    tool.running[0]?.settle('second')
    await settle()
    expect(toolLines(log()).slice(2)).toEqual([
      'tool/settled c1 ok "first"',
      'tool/settled c2 ok "second"',
    ])
    answer('c1')
    await agent.whenIdle()
    await finish(agent)
  })

  it('is left behind when the grace is over: no gate behind it is asked, and what it says counts no more', async () => {
    const { gates, isAsked, answer } = slowPost('c1')
    const behind = vi.fn<ToolPost>((_, next) => next())
    const { agent, clock, log, ends } = rig({
      model: ['call c1 t'],
      tools: [{ name: 't', run: () => 'value' }],
      gates: { toolPost: [gates.toolPost, behind] },
      drainGraceMs: 50,
    })
    agent.followup(say('A'))
    await isAsked('c1')
    agent.cancel()
    await clock.advance(50)
    answer('c1')
    await agent.whenIdle()
    expect(behind).not.toHaveBeenCalled()
    expect(toolLines(log()).at(-1)).toBe('tool/result c1 ok "value"')
    expect(ends()).toEqual(['turn/end 1 aborted:user'])
    await finish(agent)
  })
})

describe('toolPost', () => {
  it('that throws, at once or later, makes an error of the result', async () => {
    const { agent } = rig({
      model: ['call c1 t + call c2 t', 'text "done"'],
      tools: [{ name: 't', run: () => 'value' }],
      gates: {
        toolPost: ({ call }) => {
          const error = new Error(`no ${call.providerId}`)
          if (call.providerId === 'c1') throw error
          return Promise.reject(error)
        },
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ofType(agent, 'tool/result').map(({ data }) => data.outcome)).toStrictEqual([
      { kind: 'error', content: [{ type: 'text', text: 'Error: no c1' }] },
      { kind: 'error', content: [{ type: 'text', text: 'Error: no c2' }] },
    ])
    await finish(agent)
  })

  it('is not asked about a body that was left behind, nor about a dispatch that broke', async () => {
    const toolPost = vi.fn<ToolPost>((_, next) => next())
    const tool = heldTool('x')
    const deaf = rig({ model: ['call c1 x'], tools: [tool.tool], gates: { toolPost } })
    deaf.agent.followup(say('A'))
    await settle()
    deaf.agent.cancel()
    await deaf.clock.advance(10_000)
    await deaf.agent.whenIdle()
    const broken = rig({
      model: ['call c1 x'],
      tools: [tool.tool],
      gates: { toolPost },
      dispatch: () => Promise.reject(new Error('queue full')),
    })
    broken.agent.followup(say('A'))
    await broken.agent.whenIdle()
    for (const { agent, log } of [deaf, broken]) {
      expect(toolLines(log())[1]).toBe('tool/result c1 error:OUTCOME_UNKNOWN')
      await finish(agent)
    }
    expect(toolPost).not.toHaveBeenCalled()
  })
})

it('a context whose id is taken is told as a fault; the others of its call are accepted behind the result', async () => {
  const { agent, diagnostics } = rig({
    model: ['call c1 t', 'text "done"'],
    tools: [
      {
        name: 't',
        run: (_, { addContext }) => {
          addContext(say('A'))
          addContext(say('note'))
        },
      },
    ],
  })
  agent.followup(say('A'))
  await agent.whenIdle()
  expect(diagnostics.map(({ kind, message }) => [kind, message.split(';')[0]])).toEqual([
    ['append', 'expected an id that is not in use, found "A", which is committed'],
  ])
  const inserted = ofType(agent, 'inbox/inserted').map(({ data }) => data)
  expect(inserted.slice(1)).toMatchObject([
    { target: 'next-step', index: 0, wake: false, actor: 'tool:t', message: { id: 'note' } },
  ])
  await finish(agent)
})

it('a call that was cut at the limit, whose answer the log refuses, is unknown, and the turn fails', async () => {
  const { agent, log, ends } = rig({
    model: [[script.call('c1', 't'), script.finish('max-tokens')]],
    tools: [{ name: 't', run: () => 'never' }],
    log: refusing('tool/result'),
  })
  agent.followup(say('A'))
  await agent.whenIdle()
  expect(toolLines(log())).toEqual(['tool/call c1 t', 'tool/result c1 error:OUTCOME_UNKNOWN'])
  expect(ends()).toEqual(['turn/end 1 error:UNKNOWN "disk full"'])
  await finish(agent)
})
