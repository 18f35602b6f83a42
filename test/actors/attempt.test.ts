/**
 * Streams that break, and streams that say nothing.
 */
import { describe, expect, it, vi } from 'vitest'
import type { Model } from '../../src/actors/model.port.ts'
import { modelOf, pushed, start, stop, text } from './pushed-model.ts'
import { finish, rig, say } from './rig.ts'

describe('a broken stream', () => {
  it.each<[string, Model['stream'], string]>([
    [
      'that throws at once',
      () => {
        throw new Error('no socket', { cause: new Error('refused') })
      },
      'error:UNKNOWN "no socket: refused"',
    ],
    [
      'that throws a classified failure later',
      async function* () {
        yield start
        throw Object.assign(new Error('slow down'), { code: 'RATE_LIMIT' })
      },
      'error:RATE_LIMIT "slow down"',
    ],
    [
      'that ends without a finish',
      async function* () {
        yield start
        yield text('half')
      },
      'error:TRANSPORT "the stream ended without a finish"',
    ],
    [
      'of malformed chunks',
      async function* () {
        yield { kind: 'text-delta', block: 'zero', text: 'a' } as never
      },
      'error:TRANSPORT "the model streamed a malformed chunk',
    ],
    ['that is no stream at all', () => undefined as never, 'error:UNKNOWN'],
    [
      'whose finish says error and nothing more',
      async function* () {
        yield { kind: 'finish', reason: 'error' } as const
      },
      'error:UNKNOWN "the provider failed without saying why"',
    ],
    [
      'that the provider aborts by itself',
      async function* () {
        yield { kind: 'finish', reason: 'aborted' } as const
      },
      'error:ABORTED "provider stopped"',
    ],
  ])('%s fails its attempt and commits nothing', async (_, stream, end) => {
    const { agent, log, ends } = rig({ model: modelOf(stream) })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual([expect.stringContaining(end)])
    expect(log().filter((line) => line.startsWith('assistant/message'))).toEqual([])
    expect(log().filter((line) => line.startsWith('request/failed 1.1 #1'))).toHaveLength(1)
    await finish(agent)
  })

  it('is closed after its finish, and what it would say behind is not asked for', async () => {
    const { model, push, closed } = pushed()
    const { agent, ends } = rig({ model })
    agent.followup(say('A'))
    await push(start, text('done'), stop, text('more'))
    expect(ends()).toEqual(['turn/end 1 completed'])
    expect(closed()).toBe(1)
    await finish(agent)
  })

  it('that fails while it is closed harms nothing', async () => {
    const failing = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('close failed')))
    const chunks = [start, stop]
    const model = modelOf(() => ({
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.resolve({ done: false, value: chunks.shift() as typeof stop }),
        return: failing,
      }),
    }))
    const { agent, ends } = rig({ model })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 completed'])
    expect(failing).toHaveBeenCalledTimes(1)
    await finish(agent)
  })

  it('whose chunk the log refuses fails the turn and is offered to nobody', async () => {
    const asked = vi.fn<() => { action: 'retry' }>(() => ({ action: 'retry' }))
    const { agent, log, ends, diagnostics } = rig({
      model: ['text "one"'],
      gates: { requestError: asked },
    })
    const append = agent.log.append.bind(agent.log)
    vi.spyOn(agent.log, 'append').mockImplementation((events, time) => {
      const [first] = [events].flat() as { type: string }[]
      if (first?.type === 'assistant/chunk') throw new Error('disk full')
      return append(events, time)
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 error:UNKNOWN "disk full"'])
    expect(asked).not.toHaveBeenCalled()
    expect(log()).toContain('step/end 1.1')
    expect(diagnostics.map(({ kind }) => kind)).toEqual(['append'])
    await finish(agent)
  })
})

/** The end of the log of a run whose model answers a blank text. */
async function blank(rejectEmpty: boolean): Promise<string[]> {
  const { agent, log } = rig({ model: ['text "  "'], rejectEmpty })
  agent.followup(say('A'))
  await agent.whenIdle()
  await finish(agent)
  return log().slice(-3)
}

it('an empty answer is committed, or is a failed attempt where that is asked for', async () => {
  expect((await blank(false))[0]).toContain('assistant/message 1.1')
  expect(await blank(true)).toEqual([
    'request/failed 1.1 #1 EMPTY_RESPONSE fail',
    'step/end 1.1',
    expect.stringContaining('turn/end 1 error:EMPTY_RESPONSE'),
  ])
})
