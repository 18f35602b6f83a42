/**
 * What a body is given and held to: its arguments, its signal, its time, and whether it may run beside others.
 */
import { describe, expect, it, vi } from 'vitest'
import type { AnyTool, StandardSchema, ToolContext } from '../../src/actors/tool.port.ts'
import { script } from '../../src/testing/script.ts'
import { settle, virtualClock } from '../../src/testing/virtual-clock.ts'
import { finish, heldTool, ofType, rig, say } from './rig.ts'

/** A schema that notes what it validates, and takes everything. */
function counting(): { input: StandardSchema; seen: unknown[] } {
  const seen: unknown[] = []
  const input: StandardSchema = {
    '~standard': {
      version: 1,
      vendor: 'own',
      validate: (value) => {
        seen.push(value)
        return { value }
      },
      jsonSchema: { input: () => ({ type: 'object' }) },
    },
  }
  return { input, seen }
}

describe('the time of a body', () => {
  it('is no matter any more once it is aborted', async () => {
    const tool = heldTool('x')
    const { agent, clock, log } = rig({
      model: ['call c1 x'],
      tools: [tool.tool],
      toolTimeoutMs: 100,
    })
    agent.followup(say('A'))
    await settle()
    agent.cancel()
    await clock.advance(100)
    expect(agent.status).toBe('running')
    tool.running[0]?.settle()
    await agent.whenIdle()
    expect(log().filter((line) => line.startsWith('tool/result'))).toEqual([
      'tool/result 1.1 c1 error:ABORTED',
    ])
    await finish(agent)
  })

  it('is told to it and to the model', async () => {
    const tool = heldTool('x')
    const { agent, clock } = rig({
      model: ['call c1 x', 'text "done"'],
      tools: [tool.tool],
      toolTimeoutMs: 100,
    })
    agent.followup(say('A'))
    await settle()
    const { signal } = tool.running[0]?.context ?? {}
    await clock.advance(100)
    await agent.whenIdle()
    expect(String(signal?.reason)).toBe('Error: the call took longer than 100 ms')
    expect(ofType(agent, 'tool/result')[0]?.data.outcome).toStrictEqual({
      kind: 'error',
      code: 'TIMEOUT',
      content: [
        {
          type: 'text',
          text: 'The call did not finish within 100 ms. Check its effect before calling it again.',
        },
      ],
    })
    await finish(agent)
  })

  it('needs no timer where there is no limit', async () => {
    const clock = virtualClock({ now: 0 })
    const after = vi.spyOn(clock, 'after')
    const { agent } = rig({
      model: ['call c1 t', 'text "done"'],
      tools: [{ name: 't', run: () => 'ok' }],
      streamIdleMs: 0,
      clock,
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(after).not.toHaveBeenCalled()
    await finish(agent)
  })
})

it('a body may copy what it is given: the signal comes along', async () => {
  let copy: Partial<ToolContext> = {}
  const { agent } = rig({
    model: ['call c1 t', 'text "done"'],
    tools: [
      {
        name: 't',
        run: (_, context) => {
          copy = { ...context }
        },
      },
    ],
  })
  agent.followup(say('A'))
  await agent.whenIdle()
  expect(Object.keys(copy).toSorted()).toEqual([
    'addContext',
    'agent',
    'call',
    'concludeTurn',
    'signal',
    'step',
    'turn',
  ])
  expect(copy.signal?.aborted).toBe(false)
  await finish(agent)
})

describe('the arguments of a call', () => {
  it('are validated once, for the pool and for the body', async () => {
    const { input, seen } = counting()
    const { agent } = rig({
      model: ['call c1 p + call c2 p', 'text "done"'],
      tools: [{ name: 'p', input, parallel: true, run: () => 'ok' }],
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(seen).toHaveLength(2)
    await finish(agent)
  })

  it('are validated again where another tool has come to the name', async () => {
    const old = counting()
    const fresh = counting()
    const ran: string[] = []
    const make = (which: string, { input }: { input: StandardSchema }): AnyTool => ({
      name: 'p',
      input,
      parallel: true,
      run: () => void ran.push(which),
    })
    let registered = make('old', old)
    const { agent } = rig({
      model: ['call c1 p + call c2 p', 'text "done"'],
      tools: { list: () => [registered] },
    })
    agent.subscribe({}, ({ type, data }) => {
      if (type === 'tool/call' && data.call.providerId === 'c2') registered = make('new', fresh)
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect([ran, old.seen.length, fresh.seen.length]).toEqual([['old', 'new'], 2, 1])
    await finish(agent)
  })

  it('of a call that runs alone are looked at when it is its turn', async () => {
    const { input, seen } = counting()
    const tool = heldTool('p', { parallel: true })
    const { agent } = rig({
      model: ['call c1 p + call c2 x', 'text "done"'],
      tools: [tool.tool, { name: 'x', input, run: () => 'ok' }],
    })
    agent.followup(say('A'))
    await settle()
    expect([tool.started, seen]).toEqual([1, []])
    tool.running[0]?.settle()
    await agent.whenIdle()
    expect(seen).toEqual([{}])
    await finish(agent)
  })
})

describe('beside a call that runs', () => {
  it('each other call is classified once, immediately before its start', async () => {
    const seen: unknown[] = []
    const { agent } = rig({
      model: [[1, 2, 3].map((n) => script.call(`c${n}`, 'p', { n })), 'text "done"'],
      tools: [
        {
          name: 'p',
          parallel: (input) => {
            seen.push(input)
            return true
          },
          run: () => 'ok',
        },
      ],
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(seen).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
    await finish(agent)
  })

  it('a call of an unknown tool waits', async () => {
    const tool = heldTool('p', { parallel: true })
    const { agent, log, diagnostics } = rig({
      model: ['call c1 p + call c2 nobody', 'text "done"'],
      tools: [tool.tool],
    })
    agent.followup(say('A'))
    await settle()
    expect(log().at(-1)).toBe('tool/call 1.1 c1 p')
    tool.running[0]?.settle()
    await agent.whenIdle()
    expect(log().filter((line) => line.startsWith('tool/result'))).toEqual([
      'tool/result 1.1 c1 ok "ok"',
      'tool/result 1.1 c2 error:UNKNOWN_TOOL',
    ])
    expect(diagnostics).toEqual([])
    await finish(agent)
  })
})
