/**
 * The cases of the area acp about what goes out and how it ends, by their ids.
 */
import { describe, expect, test, vi } from 'vitest'
import { defineTool } from '../../../src/adapters/define-tool.ts'
import { cwd, editor, ends, finish, lines, rejection, streaming } from './editor.ts'

describe('what goes out', () => {
  test('AC-16 a rejecting client update channel does not break the turn', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const ide = await editor(['text "one"', 'text "two"'], {
      onUpdate: () => {
        throw new Error('the client is deaf')
      },
    })
    const agent = await ide.session()
    expect(await ide.prompt(agent, 'A')).toEqual({ stopReason: 'end_turn' })
    expect(await ide.prompt(agent, 'B')).toEqual({ stopReason: 'end_turn' })
    expect(ends(agent)).toEqual(['turn/end 1 completed', 'turn/end 2 completed'])
    expect(error).toHaveBeenCalledTimes(2)
    error.mockRestore()
    await finish(ide)
  })

  test('AC-20 permission requests: one-shot choices only; an unknown or failed answer denies; requests without a call id are delegated', async () => {
    const answers: (() => unknown)[] = [
      () => ({ outcome: { outcome: 'selected', optionId: 'allow-once' } }),
      () => ({ outcome: { outcome: 'selected', optionId: 'reject-once' } }),
      () => ({ outcome: { outcome: 'selected', optionId: 'allow_always' } }),
      () => {
        throw new Error('no window')
      },
      () => ({ outcome: { outcome: 'cancelled' } }),
    ]
    let ran = 0
    const asked: unknown[] = []
    const ide = await editor(
      answers.flatMap((_, i) => [`call c${i} t`, 'text "done"']),
      {
        agent: {
          tools: [
            defineTool({
              name: 't',
              approval: 'always',
              run: () => {
                ran += 1
                return 'ok'
              },
            }),
          ],
        },
        permit: (request) => {
          asked.push(request.options.map(({ kind }) => kind))
          return answers[asked.length - 1]?.()
        },
      },
    )
    const agent = await ide.session()
    const outcomes: string[] = []
    while (outcomes.length < answers.length) {
      expect(await ide.prompt(agent, 'go')).toEqual({ stopReason: 'end_turn' })
      outcomes.push(lines(agent, 'tool/result').at(-1) ?? '')
    }
    expect(asked).toEqual(answers.map(() => ['allow_once', 'reject_once']))
    expect(ran).toBe(1)
    expect(outcomes.map((line) => line.split(' ')[3])).toEqual([
      'ok',
      'denied',
      'denied',
      'denied',
      'denied',
    ])
    const other = { kind: 'deny', reason: 'somebody else' } as const
    const next = () => Promise.resolve(other)
    expect(await ide.acp.ask(agent.id, { tool: 't', arguments: {} }, next)).toBe(other)
    expect(await ide.acp.ask('unknown', { call: 'k', tool: 't', arguments: {} }, next)).toBe(other)
    await finish(ide)
  })

  test('AC-17 disconnect cancels first, then drains output, descendants and sessions; disposal failures are aggregated', async () => {
    const ide = await editor(['hang-slow 50 ms', 'hang-slow 50 ms'])
    const [one, two] = [await ide.session(), await ide.session()]
    const prompts = [ide.prompt(one, 'A'), ide.prompt(two, 'B')]
    for (const prompt of prompts) prompt.catch(() => {})
    await Promise.all([streaming(one), streaming(two)])
    const aborted: string[] = []
    for (const agent of [one, two])
      agent.subscribe({ from: agent.log.length }, ({ type }) => {
        if (type === 'cancel/requested') aborted.push(agent.id)
      })
    const closed = ide.connection.close()
    // Before anything was waited for.
    expect(aborted).toEqual([one.id, two.id])
    expect([one.status, two.status]).toEqual(['running', 'running'])
    expect(
      await rejection(ide.client.agent.request('session/new', { cwd, mcpServers: [] })),
    ).toMatchObject({ message: expect.stringContaining('clos') as string })
    one.log.close = () => Promise.reject(new Error('disk full'))
    const disposed = one.dispose()
    const failure = await rejection(closed)
    expect(failure).toBeInstanceOf(AggregateError)
    expect(await rejection(disposed)).toBe((failure as unknown as AggregateError).errors[0])
    expect([one.status, two.status]).toEqual(['disposed', 'disposed'])
    expect(await rejection(ide.connection.closed)).toBe(failure)
  })
})

test('AC-16 nor does one that refuses at our end, and it is told of once', async () => {
  const ide = await editor(['text "one"', 'text "two"'])
  const agent = await ide.session()
  const write = ide.fromAgent.write.bind(ide.fromAgent) as (...given: unknown[]) => boolean
  // The channel takes answers and refuses updates.
  ide.fromAgent.write = ((text: string, done: (error?: Error) => void) => {
    if (!text.includes('session/update')) return write(text, done)
    done(new Error('refused'))
    return false
  }) as never
  expect(await ide.prompt(agent, 'A')).toEqual({ stopReason: 'end_turn' })
  expect(await ide.prompt(agent, 'B')).toEqual({ stopReason: 'end_turn' })
  expect(ide.diagnostics).toEqual(['acp: the client does not take what it is told: refused'])
  await finish(ide)
})
