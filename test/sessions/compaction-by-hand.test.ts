/**
 * Replacing a part of the history by hand, as maintenance.
 */
import { describe, expect, it } from 'vitest'
import { history, historyView } from '../../src/projections/history.ts'
import { fold } from '../../src/projections/projection.ts'
import { transcript } from '../../src/projections/transcript.ts'
import { deferred } from '../support/deferred.ts'
import { rig } from './compaction-rig.ts'
import { code } from './house.ts'

describe('by hand', () => {
  it('XR-11: runs as maintenance; what is sent meanwhile waits and runs on the replaced history', async () => {
    const gate = deferred<string>()
    const { agent, model, compact, compactions } = rig(['text "one"', 'text "two"'], {
      keep: 0,
      summarize: () => gate.promise,
    })
    await agent.run('A')
    const done = compact()
    agent.followup('B')
    expect(agent.activity).toBe('maintenance')
    gate.resolve('short')
    expect(await done).toBe(true)
    await agent.whenIdle()
    expect(model.requests[1]?.history).toEqual(['user<plugin>:short', 'user:B'])
    expect(compactions()).toEqual([
      'compaction/start -',
      'compaction/summary - "short" <plugin>',
      'compaction/end - completed',
    ])
  })

  it('XR-11: a cancel aborts it and leaves the history unchanged, whatever comes later', async () => {
    const gate = deferred<string>()
    const signals: AbortSignal[] = []
    const {
      agent,
      compact,
      compactions,
      history: shown,
    } = rig(['text "one"'], {
      keep: 0,
      summarize: (_entries, signal) => {
        signals.push(signal)
        return gate.promise
      },
    })
    await agent.run('A')
    const before = shown()
    const done = compact()
    await Promise.resolve()
    await Promise.resolve()
    agent.cancel('user')
    expect(signals[0]?.aborted).toBe(true)
    gate.resolve('late')
    expect(await done).toBe(false)
    expect(shown()).toEqual(before)
    expect(compactions()).toEqual(['compaction/start -', 'compaction/end - aborted'])
  })

  it('XR-11: starts only while the agent is idle', async () => {
    const { agent, compact, compactions } = rig(['text "one"', 'hang "x"'], { keep: 0 })
    await agent.run('A')
    agent.followup('B')
    await expect(compact()).rejects.toEqual(code('AGENT_BUSY'))
    expect(compactions()).toEqual([])
    agent.cancel('user')
    await agent.whenIdle()
  })

  it('never takes what stands behind the oldest part: a summary has a later seq than some that follow it', async () => {
    const script = ['one', 'two', 'three', 'four', 'five'].map((text) => `text "${text}"`)
    const { agent, compact, history: shown } = rig(script, { keep: 4 })
    for (const text of ['A', 'B', 'C']) await agent.run(text)
    expect(await compact()).toBe(true)
    await agent.run('D')
    const before = shown()
    expect(before.slice(0, 3)).toEqual(['user<plugin>:sum of 2', 'user:B', 'assistant:two'])
    expect([await compact(), shown()]).toEqual([false, before])
    await agent.run('E')
    expect(await compact()).toBe(true)
    expect(shown()).toEqual([
      'user<plugin>:sum of 5',
      'user:D',
      'assistant:four',
      'user:E',
      'assistant:five',
    ])
  })

  it('R10: one that fails rejects, ends with its own reason, and leaves the agent usable', async () => {
    const {
      agent,
      compact,
      history: shown,
    } = rig(['text "one"', 'text "two"'], {
      keep: 0,
      summarize: () => Promise.reject(new Error('no summary')),
    })
    await agent.run('A')
    await expect(compact()).rejects.toThrow('no summary')
    expect(agent.log.at(agent.log.length - 1)?.data).toMatchObject({
      outcome: 'failed',
      failure: { message: 'no summary' },
    })
    await agent.run('B')
    expect(shown()).toEqual(['user:A', 'assistant:one', 'user:B', 'assistant:two'])
  })

  it('XR-12: the transcript keeps everything; a replaced outcome keeps its call and shadows one event', async () => {
    const tools = [{ name: 't', run: () => 'x'.repeat(50) }]
    const { agent, history: shown } = rig(['call c1 t', 'text "two"'], {}, { tools })
    await agent.run('A')
    const result = agent.log.read().find((event) => event.type === 'tool/result')
    const seq = result?.seq ?? -1
    expect(await agent.compact({ from: seq, to: seq }, () => 'cut')).toBe(true)
    expect(shown()).toEqual(['user:A', 'assistant:call c1', 'tool-result c1 ok', 'assistant:two'])
    const said = historyView(agent.read(history)).find((entry) => entry.role === 'tool')
    expect(said).toMatchObject({ outcome: { content: [{ text: 'cut' }] } })
    const cites = agent.log.read().find((event) => event.type === 'compaction/summary')?.cites
    expect(cites).toEqual([seq])
    const after = JSON.stringify(fold(transcript, agent.log.read()))
    expect(after).toContain('x'.repeat(50))
  })
})
