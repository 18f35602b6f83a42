/**
 * Replacing the oldest part of the history under pressure and after an overflow.
 */
import { describe, expect, it } from 'vitest'
import { history, historyView } from '../../src/projections/history.ts'
import { fold } from '../../src/projections/projection.ts'
import { printLog } from '../../src/testing/print-event.ts'
import { printRequest } from '../../src/testing/print-request.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { rig } from './compaction-rig.ts'

const TALK = ['text "one"', 'text "two"', 'text "three"']

describe('under pressure', () => {
  it('XR-09: replaces before step/start, names the turn, and the request holds the summary', async () => {
    const { agent, model, compactions } = rig(TALK, {
      tokens: (entries) => entries.length,
      above: 3,
    })
    await agent.run('A')
    await agent.run('B')
    await agent.run('C')
    expect(compactions()).toEqual([
      'compaction/start 3',
      'compaction/summary 3 "sum of 3" <plugin>',
      'compaction/end 3 completed',
    ])
    const lines = printLog(agent.log.read())
    expect(lines.indexOf('compaction/end 3 completed')).toBeLessThan(
      lines.indexOf('step/start 3.1'),
    )
    expect(model.requests[2]?.history).toEqual(['user<plugin>:sum of 3', 'assistant:two', 'user:C'])
  })

  it('a summary cites what it shadows', async () => {
    const { agent } = rig(TALK, { tokens: (entries) => entries.length, above: 3 })
    for (const text of ['A', 'B', 'C']) await agent.run(text)
    const shadowed = agent.log.read().find((event) => event.type === 'compaction/summary')
    const types = shadowed?.cites?.map((seq) => agent.log.at(seq)?.type)
    expect(types).toEqual(['user/message', 'assistant/message', 'user/message'])
  })

  it('summaries are replaced like anything else, and what any request held can be told from the log alone', async () => {
    const many = Array.from({ length: 8 }, (_, i) => `text "t${i}"`)
    const { agent, model } = rig(many, { tokens: (entries) => entries.length, above: 3 })
    for (let i = 0; i < 8; i += 1) await agent.run(`m${i}`)
    for (const { request, context, history: sent } of model.requests) {
      const first = agent.log
        .read()
        .findIndex((event) => event.type === 'assistant/chunk' && event.data.turn === context.turn)
      expect(printRequest(historyView(fold(history, agent.log.read(0, first))))).toEqual(sent)
      expect(request.messages.length).toBeLessThanOrEqual(5)
    }
  })

  it('P3: a summary that fails is told by its end; the turn goes on, and is not asked again', async () => {
    let asked = 0
    const { agent, compactions } = rig(
      ['call c1 t', 'text "two"'],
      {
        tokens: () => 100,
        above: 1,
        keep: 0,
        summarize: () => {
          asked += 1
          throw new Error('no summary')
        },
      },
      { tools: [{ name: 't', run: () => 'ok' }] },
    )
    agent.inject('X', { turn: true })
    agent.inject('Y', { turn: true })
    await agent.whenIdle()
    const { finalResponse } = await agent.run('A')
    expect(finalResponse).toBe('two')
    expect(compactions()).toEqual(['compaction/start 3', 'compaction/end 3 failed'])
    expect(asked).toBe(1)
  })

  it.each([
    [80, false],
    [81, true],
  ])(
    'by default it begins above 80 %% of the context window: of 100 at %d is %s',
    async (n, begins) => {
      const model = { ...scriptedModel(TALK), contextWindow: 100 }
      const { agent, compactions } = rig([], { tokens: () => n }, { model })
      for (const text of ['A', 'B']) await agent.run(text)
      agent.inject('X')
      await agent.run('C')
      expect(compactions().length > 0).toBe(begins)
    },
  )

  it('without a known window nothing is replaced by itself', async () => {
    const { agent, compactions } = rig(TALK)
    for (const text of ['A', 'B', 'C']) await agent.run(text)
    expect(compactions()).toEqual([])
  })

  it('a message and the outcomes of its calls are replaced together', async () => {
    const tools = [{ name: 't', run: () => 'ok' }]
    const { agent, history: shown } = rig(
      ['call c1 t', 'text "two"', 'text "three"'],
      { tokens: (entries) => entries.length, above: 4, keep: 3 },
      { tools },
    )
    await agent.run('A')
    await agent.run('B')
    await agent.run('C').catch(() => {})
    // Four entries of the first turn and the answer to B: the cut may not part the call from its outcome.
    expect(shown()[0]).toBe('user<plugin>:sum of 3')
    expect(shown()[1]).toBe('assistant:two')
  })
})

describe('after an overflow', () => {
  const OVERFLOW = 'error CONTEXT_OVERFLOW "too long"'

  it('XR-10: there is one more attempt in the same step, on the replaced history', async () => {
    const { agent, model } = rig(['text "one"', OVERFLOW, 'text "two"'])
    await agent.run('A')
    const { turns } = await agent.run('B')
    expect(turns.map(({ reason }) => reason.kind)).toEqual(['completed'])
    expect(model.requests.map(({ history: sent }) => sent)).toEqual([
      ['user:A'],
      ['user:A', 'assistant:one', 'user:B'],
      ['user<plugin>:sum of 2', 'user:B'],
    ])
    expect(printLog(agent.log.read())).toContain('request/failed 2.1 #1 CONTEXT_OVERFLOW retry')
  })

  it('XR-10: a second overflow of the step ends the turn', async () => {
    const { agent, model } = rig(['text "one"', OVERFLOW, OVERFLOW, 'text "never"'])
    await agent.run('A')
    const { turns } = await agent.run('B')
    expect(turns[0]?.reason).toMatchObject({ kind: 'error', code: 'CONTEXT_OVERFLOW' })
    expect(model.requests).toHaveLength(3)
  })

  it('XR-10: where nothing can be replaced there is no further attempt', async () => {
    const { agent, model, compactions } = rig([OVERFLOW, 'text "never"'])
    const { turns } = await agent.run('A')
    expect(turns[0]?.reason).toMatchObject({ code: 'CONTEXT_OVERFLOW' })
    expect([model.requests.length, compactions()]).toEqual([1, []])
  })

  it('other failures are left to the gates behind it', async () => {
    const { agent, compactions } = rig(['text "one"', 'error SERVER'])
    await agent.run('A')
    await agent.run('B')
    expect(compactions()).toEqual([])
  })
})
