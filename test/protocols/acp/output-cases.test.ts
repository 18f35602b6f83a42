/**
 * The cases of the area acp about what goes out and how it ends, by their ids.
 */
import { describe, expect, test } from 'vitest'
import { defineTool } from '../../../src/adapters/define-tool.ts'
import { cwd, editor, ends, finish, lines, rejection, streaming } from './editor.ts'

describe('what goes out', () => {
  test('AC-16 a rejecting client update channel does not break the turn', async () => {
    const it = await editor(['text "one"', 'text "two"'], {
      onUpdate: () => {
        throw new Error('the client is deaf')
      },
    })
    const agent = await it.session()
    expect(await it.prompt(agent, 'A')).toEqual({ stopReason: 'end_turn' })
    expect(await it.prompt(agent, 'B')).toEqual({ stopReason: 'end_turn' })
    expect(ends(agent)).toEqual(['turn/end 1 completed', 'turn/end 2 completed'])
    await finish(it)
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
    const it = await editor(
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
    const agent = await it.session()
    const outcomes: string[] = []
    while (outcomes.length < answers.length) {
      expect(await it.prompt(agent, 'go')).toEqual({ stopReason: 'end_turn' })
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
    expect(await it.acp.ask(agent.id, { tool: 't', arguments: {} }, next)).toBe(other)
    expect(await it.acp.ask('unknown', { call: 'k', tool: 't', arguments: {} }, next)).toBe(other)
    await finish(it)
  })

  test('AC-17 disconnect cancels first, then drains output, descendants and sessions; disposal failures are aggregated', async () => {
    const it = await editor(['hang-slow 50 ms', 'hang-slow 50 ms'])
    const [one, two] = [await it.session(), await it.session()]
    const prompts = [it.prompt(one, 'A'), it.prompt(two, 'B')]
    for (const prompt of prompts) prompt.catch(() => {})
    await Promise.all([streaming(one), streaming(two)])
    const aborted: string[] = []
    for (const agent of [one, two])
      agent.subscribe({ from: agent.log.length }, ({ type }) => {
        if (type === 'cancel/requested') aborted.push(agent.id)
      })
    const closed = it.connection.close()
    // Before anything was waited for.
    expect(aborted).toEqual([one.id, two.id])
    expect([one.status, two.status]).toEqual(['running', 'running'])
    expect(
      await rejection(it.client.agent.request('session/new', { cwd, mcpServers: [] })),
    ).toMatchObject({ message: expect.stringContaining('clos') as string })
    one.log.close = () => Promise.reject(new Error('disk full'))
    const disposed = one.dispose()
    const failure = await rejection(closed)
    expect(failure).toBeInstanceOf(AggregateError)
    expect(await rejection(disposed)).toBe((failure as unknown as AggregateError).errors[0])
    expect([one.status, two.status]).toEqual(['disposed', 'disposed'])
    expect(await rejection(it.connection.closed)).toBe(failure)
  })
})
