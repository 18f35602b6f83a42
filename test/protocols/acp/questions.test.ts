/**
 * What a client is asked, and what becomes of its answers.
 */
import { describe, expect, it } from 'vitest'
import { defineTool } from '../../../src/adapters/define-tool.ts'
import { deferred } from '../../support/deferred.ts'
import { editor, finish, lines, saw } from './editor.ts'

describe('questions', () => {
  const tools = [defineTool({ name: 't', approval: { prompt: 'Really?' }, run: () => 'ok' })]

  it('say what is asked about, and are taken back by a cancel', async () => {
    const asked = deferred<unknown>()
    const back = deferred<void>()
    const ide = await editor(['call c1 t'], {
      agent: { tools },
      permit: (request, signal) => {
        asked.resolve(request)
        signal.addEventListener('abort', () => back.resolve())
        return new Promise(() => {})
      },
    })
    const agent = await ide.session()
    const prompt = ide.prompt(agent, 'A')
    expect(await asked.promise).toMatchObject({
      sessionId: agent.id,
      toolCall: { title: 'Really?', status: 'pending', rawInput: {} },
    })
    await ide.cancel(agent)
    await back.promise
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect(lines(agent, 'tool/result')[0]).toContain('ABORTED_BEFORE_DISPATCH')
    await finish(ide)
  })

  it('that somebody else answers are taken back, and a late answer changes nothing', async () => {
    const late = deferred<object>()
    const ide = await editor(['call c1 t', 'text "done"'], {
      agent: { tools },
      permit: () => late.promise,
    })
    const agent = await ide.session()
    const prompt = ide.prompt(agent, 'A')
    const { data } = await saw(agent, 'approval/asked')
    agent.approve(data.call.key, 'deny')
    expect(await prompt).toEqual({ stopReason: 'end_turn' })
    late.resolve({ outcome: { outcome: 'selected', optionId: 'allow-once' } })
    await ide.heard()
    expect(lines(agent, 'tool/result')[0]).toContain('denied')
    expect(ide.diagnostics).toEqual([])
    await finish(ide)
  })

  it('of a gate are put to the client of its session', async () => {
    const answers = ['allow-once', 'reject-once']
    const ide = await editor(['call c1 t', 'call c2 t', 'text "done"'], {
      agent: {
        tools: [defineTool({ name: 't', run: () => 'ok' })],
        gates: {
          toolPre: ({ agent, call, tool, arguments: given, signal }, next) =>
            ide.acp.ask(agent, { call: call.key, tool, arguments: given, signal }, next),
        },
      },
      permit: () => ({ outcome: { outcome: 'selected', optionId: answers.shift() } }),
    })
    const agent = await ide.session()
    await ide.prompt(agent, 'A')
    const outcomes = lines(agent, 'tool/result').map((line) => line.split(' ')[3])
    expect(outcomes).toEqual(['ok', 'denied'])
    await finish(ide)
  })
})
