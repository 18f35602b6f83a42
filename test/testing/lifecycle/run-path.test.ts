/**
 * What a walk finds: an agent that answers, stands, announces, records or ends otherwise than its model says.
 */
import { describe, expect, it } from 'vitest'
import { createAgent } from '../../../src/actors/agent.ts'
import { defineTool } from '../../../src/adapters/define-tool.ts'
import { extendModel } from '../../../src/testing/lifecycle/extend-model.ts'
import { lifecycleModel } from '../../../src/testing/lifecycle/lifecycle-model.ts'
import type { Move } from '../../../src/testing/lifecycle/model.ts'
import { runPath } from '../../../src/testing/lifecycle/run-path.ts'
import type { Stage } from '../../../src/testing/lifecycle/stage.ts'
import type { LifecycleEvent } from '../../../src/testing/lifecycle/words.ts'
import { small } from './small.ts'

const TOOL: readonly LifecycleEvent[] = ['followup', 'hop', 'gate enters', 'model calls']

/** The built-in model with some moves made otherwise. */
const making = (moves: Partial<Record<LifecycleEvent, Move>>) =>
  extendModel(lifecycleModel, { moves: moves as Record<LifecycleEvent, Move> })

describe('an agent that does what its model says', () => {
  it('is ok, with the log of the whole run', async () => {
    const run = await runPath(lifecycleModel, [...TOOL, 'cancel', 'tool returns'])
    expect(run).toMatchObject({ ok: true, disagreements: [] })
    expect(run.moves.at(-1)).toMatchObject({ move: 'tool returns', state: 'idle' })
    expect(run.log.at(-1)?.type).toBe('turn/end')
  })

  it('is judged after the microtasks behind its last move, too', async () => {
    const { moves } = await runPath(lifecycleModel, ['followup', 'cancel'])
    expect(moves.map(({ move, state }) => `${move} ${state}`)).toEqual([
      'followup opening',
      'cancel converging',
      'hop idle',
    ])
  })

  it('is one of the caller', async () => {
    let made = 0
    const agent = ({ options }: Stage) => {
      made += 1
      return createAgent({ ...options, id: 'mine' })
    }
    expect(await runPath(small, ['followup', 'hop'])).toMatchObject({ ok: true })
    expect(await runPath(lifecycleModel, ['followup', 'hop'], { agent })).toMatchObject({
      ok: true,
    })
    expect(made).toBe(1)
  })
})

/** An agent one of whose tools rejects unheard. */
const careless = ({ options }: Stage) =>
  createAgent({
    ...options,
    tools: [
      defineTool({
        name: 'held',
        run: () => {
          void Promise.reject(new Error('unheard'))
        },
      }),
    ],
  })

/** An agent that waits for deaf bodies without end. */
const patient = ({ options }: Stage) =>
  createAgent({ ...options, drainGraceMs: Number.POSITIVE_INFINITY })

describe('what is found is', () => {
  it('another answer', async () => {
    const model = making({ clear: () => 'true' })
    expect(await runPath(model, ['clear'])).toMatchObject({
      ok: false,
      disagreements: [{ kind: 'answer', expected: 'false', found: 'true' }],
    })
  })

  it('an error where an answer was expected', async () => {
    const model = making({ steer: ({ agent }) => agent.steer({ id: '', content: 'x' }) })
    const { disagreements } = await runPath(model, ['steer'])
    expect(disagreements[0]).toEqual({ kind: 'answer', expected: '', found: 'INVALID_MESSAGE' })
  })

  it('a move that cannot be made, because nobody waits for it', async () => {
    const model = making({ hop: (stage) => stage.settle('tool') })
    const { disagreements } = await runPath(model, ['followup', 'hop'])
    expect(disagreements[0]).toMatchObject({ found: 'nothing waits at "tool"' })
  })

  it('another standing, judged by the log and not by what the model would like', async () => {
    const model = making({ abort: () => 'aborted' })
    const { disagreements, moves } = await runPath(model, [...TOOL, 'abort', 'tool returns'])
    expect(disagreements).toEqual([
      {
        kind: 'standing',
        expected: 'draining; pending: 0 prompts, 0 steers, 0 notes; waiting: tool',
        found: 'tooling; pending: 0 prompts, 0 steers, 0 notes; waiting: tool',
      },
    ])
    // Nothing is made behind a disagreement.
    expect(moves.at(-1)?.move).toBe('abort')
  })

  it('a message that pends although nobody foresaw it', async () => {
    const model = making({
      inject: (stage) => {
        stage.agent.inject(stage.message())
        stage.agent.inject(stage.message())
      },
    })
    const { disagreements } = await runPath(model, ['inject'])
    expect(disagreements).toMatchObject([
      { kind: 'standing', found: 'idle; pending: 0 prompts, 0 steers, 2 notes; waiting: nothing' },
    ])
  })

  it('a status that nobody foresaw', async () => {
    const model = making({
      clear: ({ agent }) => {
        agent.inject('once', { turn: true })
        return 'false'
      },
    })
    expect((await runPath(model, ['clear'])).disagreements).toEqual([
      { kind: 'status', expected: '', found: 'running, idle' },
    ])
  })

  it('a rejection that nobody handles', async () => {
    const model = extendModel(lifecycleModel, {
      on: { streaming: { 'model calls': { to: 'gated again' } } },
    })
    // The listener of the test runner must not end the test.
    const others = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    try {
      const { disagreements } = await runPath(model, TOOL, { agent: careless })
      expect(disagreements).toMatchObject([
        { kind: 'run', found: expect.stringMatching(/^I-NOREJECT rejection.*unheard/) as string },
      ])
    } finally {
      for (const other of others) process.on('unhandledRejection', other)
    }
  })

  it('a body that is deaf for ever: the agent never ends', async () => {
    const { disagreements } = await runPath(lifecycleModel, TOOL, { agent: patient })
    expect(disagreements[0]).toMatchObject({
      kind: 'run',
      found: expect.stringMatching(/^disposal failed: it did not end within/) as string,
    })
  })

  it.each([
    ['a sentence', () => 'is bad', ['is bad']],
    ['several', () => ['is bad', 'is worse'], ['is bad', 'is worse']],
    [
      'an error',
      () => {
        throw new Error('is bad')
      },
      ['is bad'],
    ],
    ['nothing', () => {}, []],
  ])('what a check says, as %s', async (_, check, found) => {
    const { disagreements } = await runPath(lifecycleModel, ['followup'], { check })
    expect(disagreements).toEqual(found.map((each) => ({ kind: 'check', found: each })))
  })
})

it('a path that the model does not foresee is refused before anything is run', async () => {
  await expect(runPath(lifecycleModel, ['hop'])).rejects.toThrow(
    /the move "hop" at place 1, which is not possible in "idle"; nothing was run/,
  )
})
