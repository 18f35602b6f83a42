/**
 * What a request is made with: its route, its header where that is new, and the history of its moment.
 */
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../src/actors/model.port.ts'
import { modelOf, stop } from './pushed-model.ts'
import { finish, ofType, rig, say } from './rig.ts'

/** A model that only keeps what it is asked. */
function keeping() {
  const requests: ModelRequest[] = []
  const model = modelOf(async function* (request) {
    requests.push(request)
    yield stop
  })
  return { requests, model }
}

describe('the messages of a request', () => {
  it('are those of its moment, whenever they are read', async () => {
    const { requests, model } = keeping()
    const { agent } = rig({ model })
    for (const text of ['A', 'B', 'C']) agent.followup(say(text))
    await agent.whenIdle()
    const texts = requests.map(({ messages }) => messages.map((entry) => JSON.stringify(entry)))
    expect(texts.map((list) => list.length)).toEqual([1, 2, 3])
    expect(texts[2]?.slice(0, 2)).toEqual(texts[1])
    await finish(agent)
  })

  it('go along when an adapter copies request and context', async () => {
    const copies: { messages: number; aborted: boolean }[] = []
    const model = modelOf(async function* (request, context) {
      const copy = { ...request, ...context }
      copies.push({ messages: copy.messages.length, aborted: copy.signal.aborted })
      yield stop
    })
    const { agent } = rig({ model })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(copies).toEqual([{ messages: 1, aborted: false }])
    await finish(agent)
  })

  it('are made once, and deeply frozen', async () => {
    const { requests, model } = keeping()
    const { agent } = rig({ model })
    agent.followup(say('A'))
    await agent.whenIdle()
    const [request] = requests
    expect(request?.messages).toBe(request?.messages)
    expect([Object.isFrozen(request), Object.isFrozen(request?.messages[0])]).toEqual([true, true])
    await finish(agent)
  })
})

describe('the header', () => {
  it('is recorded at first, and then only where it differs', async () => {
    let temperature = 1
    const { agent } = rig({
      model: ['text "1"', 'text "2"', 'text "3"'],
      gates: { request: ({ config }) => ({ ...config, settings: { temperature } }) },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    agent.followup(say('B'))
    await agent.whenIdle()
    temperature = 0
    agent.followup(say('C'))
    await agent.whenIdle()
    const headers = ofType(agent, 'request/header').map(({ data }) => [data.turn, data.reason])
    expect(headers).toEqual([
      [1, 'initial'],
      [3, 'change'],
    ])
    expect(ofType(agent, 'request/context')).toHaveLength(1)
    await finish(agent)
  })

  it('stands behind the messages of its step and before the first chunk', async () => {
    const { agent } = rig({ model: ['text "1"'] })
    agent.followup(say('A'))
    await agent.whenIdle()
    const types = agent.log.read().map(({ type }) => type)
    expect(types.slice(types.indexOf('step/start'))).toEqual([
      'step/start',
      'user/message',
      'request/header',
      'request/context',
      ...types.filter((type) => type === 'assistant/chunk'),
      'assistant/message',
      'step/end',
      'turn/end',
    ])
    await finish(agent)
  })

  it('lists tools by name and marks what the adapter has added', async () => {
    const { model } = keeping()
    const { agent } = rig({
      model: { ...model, defaults: { temperature: 0.5 } },
      tools: [
        { name: 'b', run: () => 'ok' },
        { name: 'a', run: () => 'ok' },
      ],
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ofType(agent, 'request/header')[0]?.data).toMatchObject({
      provider: 'p',
      model: 'm',
      settings: { temperature: 0.5 },
      adapterDefaults: ['temperature'],
      tools: [{ name: 'a' }, { name: 'b' }],
    })
    await finish(agent)
  })
})

it('a request without a route ends the turn and says how to supply one', async () => {
  const { model, requests } = keeping()
  const { agent, ends } = rig({ model: { stream: model.stream.bind(model) } })
  agent.followup(say('A'))
  await agent.whenIdle()
  expect(ends()).toEqual([expect.stringMatching(/error:UNKNOWN .*provider.*model.*request gate/)])
  expect(requests).toEqual([])
  await finish(agent)
})

it('a request gate that answers nonsense ends the turn, and no attempt is made', async () => {
  const { agent, ends, model } = rig({
    model: ['text "never"'],
    gates: { request: () => 'fast please' as never },
  })
  agent.followup(say('A'))
  await agent.whenIdle()
  expect(ends()).toEqual([expect.stringContaining('turn/end 1 error:')])
  expect(model.requests).toEqual([])
  await finish(agent)
})
