/**
 * Extending a model: states, moves, counts and checks of one's own, and what stays as it was.
 */
import { describe, expect, expectTypeOf, it } from 'vitest'
import { createAgent } from '../../../src/actors/agent.ts'
import { defineTool } from '../../../src/adapters/define-tool.ts'
import { extendModel } from '../../../src/testing/lifecycle/extend-model.ts'
import { lifecycleModel } from '../../../src/testing/lifecycle/lifecycle-model.ts'
import { lifecycle } from '../../../src/testing/lifecycle/lifecycle.ts'
import type { LifecycleModel } from '../../../src/testing/lifecycle/model.ts'
import { pathsOf } from '../../../src/testing/lifecycle/paths.ts'
import type { Remembered } from '../../../src/testing/lifecycle/remembered.ts'
import { runPath } from '../../../src/testing/lifecycle/run-path.ts'
import type { LifecycleEvent, LifecycleState } from '../../../src/testing/lifecycle/words.ts'
import { script } from '../../../src/testing/script.ts'

const { owing } = lifecycle.follows

const saving = extendModel(lifecycleModel, {
  name: 'saving',
  agent: (stage) => {
    const save = defineTool({
      name: 'save',
      run: (_, { signal }) => stage.hold('disk', signal) as Promise<string>,
    })
    return createAgent({ ...stage.options, tools: [...stage.options.tools, save] })
  },
  moves: {
    'model saves': (stage) => stage.says(script.call('c1', 'save')),
    'disk is ready': (stage) => stage.settle('disk', 'saved'),
  },
  on: { streaming: { 'model saves': 'saving' } },
  states: {
    saving: {
      like: 'asking',
      waits: 'disk',
      seen: ({ calls, waits }) => calls[0]?.tool === 'save' && waits.includes('disk'),
      on: { 'disk is ready': owing },
    },
  },
})

describe('an extended model', () => {
  it('has the names of both, in its types too', () => {
    expectTypeOf(saving).toEqualTypeOf<
      LifecycleModel<
        LifecycleState | 'saving',
        LifecycleEvent | 'model saves' | 'disk is ready',
        Remembered & Partial<Remembered>
      >
    >()
    expect(Object.keys(saving.states)).toContain('saving')
    expect(Object.keys(saving.states)).toContain('streaming')
  })

  it('leaves the model alone that it extends', () => {
    expect(lifecycleModel.states.streaming.on).not.toHaveProperty('model saves')
    expect(lifecycleModel.moves).not.toHaveProperty('model saves')
  })

  it('lets commands lead from a state of its own where they lead from the one it is like', async () => {
    const paths = pathsOf(saving, { only: ['saving'] })
    const after = (move: string): string[] =>
      paths
        .filter(({ from, moves }) => from === 'saving' && moves.at(-1) === move)
        .map(({ to }) => to)
    expect(new Set(after('cancel'))).toEqual(new Set(['converging']))
    expect(new Set(after('steer'))).toEqual(new Set(['saving']))
    for (const path of paths) expect((await runPath(saving, path)).disagreements).toEqual([])
  })

  it('asks its own states first where the agent stands', async () => {
    const lost = extendModel(lifecycleModel, {
      states: { anywhere: { like: 'idle', seen: () => true } },
    })
    const { disagreements } = await runPath(lost, ['clear'])
    expect(disagreements[0]?.found).toMatch(/^anywhere; /)
  })

  it('can be extended again', () => {
    const more = extendModel(saving, {
      moves: { 'disk is full': (stage) => stage.fail('disk') },
      on: { saving: { 'disk is full': owing } },
    })
    const paths = pathsOf(more, { only: ['disk is full'] })
    expect(paths.length).toBeGreaterThan(0)
    expect(new Set(paths.map(({ from, to }) => `${from} ${to}`))).toEqual(
      new Set(['saving gated again']),
    )
  })

  it('may count something of its own, within bounds', async () => {
    const twice = extendModel(lifecycleModel, {
      remembers: { greeted: 0 },
      moves: { greet: ({ agent }) => void agent.read },
      on: {
        idle: {
          greet: {
            if: ({ greeted }) => greeted < 2,
            do: ({ greeted }) => ({ greeted: greeted + 1 }),
          },
        },
      },
    })
    const paths = pathsOf(twice, { only: ['greet'] })
    expect(
      Math.max(...paths.map(({ moves }) => moves.filter((move) => move === 'greet').length)),
    ).toBe(2)
    expect(await runPath(twice, ['greet', 'greet'])).toMatchObject({ ok: true })
    await expect(runPath(twice, ['greet', 'greet', 'greet'])).rejects.toThrow(
      /not possible in "idle"/,
    )
  })

  it('may have other bounds', () => {
    const none = extendModel(lifecycleModel, {
      remembers: { most: { prompts: 1, steers: 0, notes: 0 } },
    })
    expect(pathsOf(none).length).toBeLessThan(pathsOf(lifecycleModel).length / 3)
    expect(pathsOf(none, { only: ['steer'] }).filter(({ from }) => from === 'idle')).toEqual([])
  })

  it('checks what the extended model checks, and more', async () => {
    const once = extendModel(lifecycleModel, { check: () => 'first' })
    const again = extendModel(once, { check: () => 'second' })
    const { disagreements } = await runPath(again, ['clear'])
    expect(disagreements.map(({ found }) => found)).toEqual(['first', 'second'])
  })
})

describe('refused is', () => {
  it('a state that is like none', () => {
    expect(() =>
      extendModel(lifecycleModel, {
        states: { flying: { like: 'flight' as 'idle', seen: () => true } },
      }),
    ).toThrow(
      /expected the state "flying" to be like a state of the model "lifecycle", found "flight"/,
    )
  })

  it('a move that nothing makes', () => {
    expect(() => extendModel(lifecycleModel, { on: { idle: { fly: 'idle' } as object } })).toThrow(
      /found the move "fly" in the state "idle", which nothing makes/,
    )
  })

  it('a slip of a name, by the compiler', () => {
    expect(() =>
      extendModel(lifecycleModel, {
        moves: { greet: () => {} },
        // @ts-expect-error -- there is no such state
        on: { idle: { greet: 'nowhere' } },
      }),
    ).toThrow(/to no state, "nowhere"/)
  })
})
