/**
 * What of an attempt is committed: who changed it, what stands beside it, and what an abort leaves of it.
 */
import { describe, expect, it, vi } from 'vitest'
import type { Gate } from '../../src/actors/gates.port.ts'
import type { AssistantMessage } from '../../src/events/message.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { modelOf, pushed, start, stop, text } from './pushed-model.ts'
import { finish, ofType, rig, say } from './rig.ts'

type StepResult = Gate<{ readonly message: AssistantMessage }, AssistantMessage>

const said = (words: string): AssistantMessage => ({
  role: 'assistant',
  content: [{ type: 'text', text: words }],
})

const passes: StepResult = (_, next) => next()
const keeps: StepResult = ({ message }) => message
const changes: StepResult = () => said('changed')
async function restores({ message }: { message: AssistantMessage }, next: () => Promise<unknown>) {
  await next()
  return message
}
/** The functions of a list have no names. */
const [nameless] = [(): AssistantMessage => said('changed')]

async function* speaks() {
  yield start
  yield text('plain')
  yield stop
}

const usage = { inputTokens: 2, outputTokens: 3, totalTokens: 5 }
const AT = { turn: 1, step: 1 }

describe('a committed message', () => {
  it.each<[string, StepResult[], object]>([
    ['as it was without gates', [], {}],
    ['as it was where all gates pass it on', [passes, passes], {}],
    ['as it was where a gate gives it back', [keeps], {}],
    ['as it was where a gate takes back the change of another', [restores, changes], {}],
    ['of the gate that changed it', [passes, changes], { transformedBy: 'changes' }],
    ['of the gates, where that one has no name', [nameless], { transformedBy: 'stepResult' }],
  ])('is %s', async (_, stepResult, more) => {
    const { agent } = rig({ model: modelOf(speaks), gates: { stepResult } })
    agent.followup(say('A'))
    await agent.whenIdle()
    const message = said('transformedBy' in more ? 'changed' : 'plain')
    expect(ofType(agent, 'assistant/message').map(({ data }) => data)).toStrictEqual([
      { ...AT, message, finish: 'stop', ...more },
    ])
    await finish(agent)
  })
})

describe('an abort', () => {
  it.each<[string, object[], object]>([
    ['without usage', [start, text('half')], {}],
    ['with the usage that was told', [start, text('half'), { kind: 'usage', usage }], { usage }],
  ])('keeps what was visible, %s', async (_, chunks, more) => {
    const { model, push, end } = pushed()
    const { agent } = rig({ model })
    agent.followup(say('A'))
    await push(...chunks)
    agent.cancel()
    await end()
    await agent.whenIdle()
    expect(ofType(agent, 'assistant/message').map(({ data }) => data)).toStrictEqual([
      { ...AT, message: said('half'), ...more, interrupted: true },
    ])
    await finish(agent)
  })

  it('keeps no message where nothing was visible yet, and asks the log for none', async () => {
    const { model, push, end } = pushed()
    const { agent, diagnostics } = rig({ model })
    const append = vi.spyOn(agent.log, 'append')
    agent.followup(say('A'))
    await push(start)
    agent.cancel()
    await end()
    await finish(agent)
    const asked = append.mock.calls.flatMap(([events]) => [events].flat().map(({ type }) => type))
    expect(asked).toContain('turn/end')
    expect(asked).not.toContain('assistant/message')
    expect(diagnostics).toEqual([])
  })

  it('in the observer of the chunk by which the attempt fails keeps nothing of it', async () => {
    const { model, push } = pushed()
    const { agent, ends } = rig({ model })
    agent.subscribe({}, (event) => {
      if (event.type === 'assistant/chunk' && event.data.chunk.kind === 'finish') agent.cancel()
    })
    agent.followup(say('A'))
    await push(start, text('half'), { kind: 'finish', reason: 'error' })
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 aborted:user'])
    expect(ofType(agent, 'assistant/message')).toEqual([])
    await finish(agent)
  })

  it('keeps nothing of a chunk that the log refused', async () => {
    const { model, push } = pushed()
    const { agent, ends } = rig({ model })
    const append = agent.log.append.bind(agent.log)
    agent.log.append = (events, time) => {
      const [first] = [events].flat() as { type: string; data: { chunk: { text?: string } } }[]
      if (first?.type !== 'assistant/chunk' || first.data.chunk.text !== ' lost')
        return append(events, time)
      agent.cancel()
      throw new Error('disk full')
    }
    agent.followup(say('A'))
    await push(start, text('half'), text(' lost'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 aborted:user'])
    expect(ofType(agent, 'assistant/message').map(({ data }) => data.message)).toEqual([
      said('half'),
    ])
    await finish(agent)
  })

  it('in the observer of a message goes before the repeat guard: its calls are not repeated ones', async () => {
    const { agent, ends } = rig({
      model: ['call c1 t', 'call c2 t', 'text "never"'],
      tools: [{ name: 't', run: () => 'ok' }],
      repeatGuard: { maxPeriod: 1, repeats: 2 },
    })
    let messages = 0
    agent.subscribe({}, ({ type }) => {
      if (type === 'assistant/message' && ++messages === 2) agent.cancel()
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    const [, second] = ofType(agent, 'tool/result').map(({ data }) => data.outcome)
    expect(second).toMatchObject({ kind: 'error', code: 'ABORTED_BEFORE_DISPATCH' })
    expect(ends()).toEqual(['turn/end 1 aborted:user'])
    await finish(agent)
  })
})

describe('a gate of a step', () => {
  it.each(['request', 'requestError', 'stepResult'] as const)(
    '%s may not wait for its own agent, and is told what it is',
    async (name) => {
      const seen: string[] = []
      const waits = async (_: unknown, next: () => Promise<never>): Promise<never> => {
        await agent.whenIdle().catch((error: Error) => seen.push(error.message))
        return next()
      }
      const model = name === 'requestError' ? ['error AUTH'] : ['text "one"']
      const { agent } = rig({ model, gates: { [name]: waits } })
      agent.followup(say('A'))
      await settle()
      expect(seen).toEqual([expect.stringContaining('was awaited inside its own gate, which')])
      await finish(agent)
    },
  )
})
