/**
 * An abort in the middle of a stream: the visible prefix stays, later chunks reach nothing.
 */
import { describe, expect, it } from 'vitest'
import { settle } from '../../src/testing/virtual-clock.ts'
import { modelOf, pushed, start, stop, text } from './pushed-model.ts'
import { finish, ofType, rig, say } from './rig.ts'

const PREFIX = (words: string): string => `assistant/message 1.1 "${words}" [interrupted]`

describe('an abort', () => {
  it('keeps the visible prefix, citing its chunks, and drops what comes later', async () => {
    const { model, push, end } = pushed()
    const { agent, log } = rig({ model })
    agent.followup(say('A'))
    await push(start, text('half '), text('said'))
    agent.cancel()
    await push(text(' and never this'), stop)
    await end()
    await agent.whenIdle()
    expect(log().slice(-4)).toEqual([
      'cancel/requested user 1',
      PREFIX('half said'),
      'step/end 1.1',
      'turn/end 1 aborted:user',
    ])
    const [message] = ofType(agent, 'assistant/message')
    const chunks = ofType(agent, 'assistant/chunk')
    expect(chunks).toHaveLength(3)
    expect(message?.cites).toEqual(chunks.map(({ seq }) => seq))
    await finish(agent)
  })

  it('leaves a deaf stream behind after the grace; later chunks are recorded nowhere', async () => {
    const { model, push } = pushed()
    const { agent, clock, log } = rig({ model, drainGraceMs: 500 })
    agent.followup(say('A'))
    await push(start, text('half'))
    agent.cancel()
    await clock.advance(499)
    expect(agent.status).toBe('running')
    await clock.advance(1)
    expect(log().slice(-3)).toEqual([PREFIX('half'), 'step/end 1.1', 'turn/end 1 aborted:user'])
    const { length } = agent.log
    await push(text('late'), stop)
    expect(agent.log.length).toBe(length)
    await finish(agent)
  })

  it('waits for ever for a deaf stream where the grace is Infinity', async () => {
    const { model, push, end } = pushed()
    const { agent, clock, ends } = rig({ model, drainGraceMs: Infinity })
    agent.followup(say('A'))
    await push(start)
    agent.cancel()
    await clock.advance(10 ** 9)
    expect(agent.status).toBe('running')
    await end()
    expect(ends()).toEqual(['turn/end 1 aborted:user'])
    await finish(agent)
  })

  it('of a stream that rejects because of it is no failure', async () => {
    const model = modelOf(async function* (_, { signal }) {
      yield start
      yield text('half')
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(new DOMException('aborted', 'AbortError'))
        })
      })
    })
    const { agent, log } = rig({ model })
    agent.followup(say('A'))
    await settle()
    agent.cancel()
    await agent.whenIdle()
    expect(log().slice(-3)).toEqual([PREFIX('half'), 'step/end 1.1', 'turn/end 1 aborted:user'])
    await finish(agent)
  })

  it('in the observer of a chunk drops the next one', async () => {
    const { agent, log } = rig({
      model: modelOf(async function* () {
        yield start
        yield text('first')
        yield text(' second')
        yield stop
      }),
    })
    agent.subscribe({}, (event) => {
      if (event.type === 'assistant/chunk' && event.data.chunk.kind === 'text-delta') agent.cancel()
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(log()).toContain(PREFIX('first'))
    expect(ofType(agent, 'assistant/chunk')).toHaveLength(2)
    await finish(agent)
  })
})
