/**
 * Faults that the seeded simulation found about requests, calls and questions, each named by its reason.
 *
 * @module
 */
import { describe, expect, it } from 'vitest'
import { scriptedModel } from '../src/testing/scripted-model.ts'
import { settle, virtualClock } from '../src/testing/virtual-clock.ts'
import { agentOf, on } from './fuzz-regression-rig.ts'

describe('an answer that an abort has overtaken', () => {
  it('a header that was composed and not recorded is recorded with the next request', async () => {
    let tools = [{ name: 'one', run: () => 'ok' }]
    const model = scriptedModel(['text "one"', 'text "two"', 'text "three"'])
    const { agent, log } = agentOf({ model, tools: { list: () => tools } })
    agent.followup('A')
    await agent.whenIdle()
    tools = [{ name: 'two', run: () => 'ok' }]
    on(log, 'step/start', () => agent.cancel())
    agent.followup('B')
    await agent.whenIdle()
    agent.followup('C')
    await agent.whenIdle()
    const logged = log.read().findLast((event) => event.type === 'request/header')
    expect(logged?.data.tools).toEqual(model.requests.at(-1)?.request.tools)
    expect(logged?.data.tools?.map(({ name }) => name)).toEqual(['two'])
  })

  it('a call that toolPre denies after the cancel was aborted before its dispatch, not denied', async () => {
    const clock = virtualClock()
    const { agent, log } = agentOf({
      clock,
      model: scriptedModel(['call c1 t + call c2 t'], { clock }),
      tools: [
        {
          name: 't',
          parallel: true,
          run: () =>
            new Promise((resolve) => {
              clock.after(5, () => {
                resolve('ok')
              })
            }),
        },
      ],
      gates: {
        async toolPre({ call, signal }) {
          if (call.providerId === 'c1') return { kind: 'allow' }
          await new Promise((resolve) => {
            signal.addEventListener('abort', resolve)
          })
          return { kind: 'deny', reason: 'too late' }
        },
      },
    })
    agent.followup('A')
    await settle()
    agent.cancel()
    await clock.advance(5)
    const outcomes = log
      .read()
      .flatMap((event) => (event.type === 'tool/result' ? [event.data.outcome] : []))
    expect(outcomes).toMatchObject([
      { kind: 'error', code: 'ABORTED' },
      { kind: 'error', code: 'ABORTED_BEFORE_DISPATCH' },
    ])
  })
})

describe('an open question', () => {
  it('is closed when a budget decides about its call, before the step ends', async () => {
    const clock = virtualClock()
    const { agent, log } = agentOf({
      clock,
      maxTurnMs: 10,
      model: scriptedModel(['call c1 t + call c2 t'], { clock }),
      tools: [{ name: 't', parallel: true, run: () => 'ok' }],
      gates: { toolPre: () => ({ kind: 'ask' }) },
    })
    agent.followup('A')
    await settle()
    await clock.advance(10)
    agent.approve('c1', 'allow')
    await agent.whenIdle()
    const decided = log
      .read()
      .flatMap(({ type, data }) =>
        type === 'approval/decided' ? [`${data.call.providerId} ${data.answer}`] : [],
      )
    expect(decided).toEqual(['c1 allow', 'c2 cancelled'])
    expect(() => agent.approve('c2', 'allow')).toThrow(/approval_closed/)
  })
})
