/** The explorer: what it finds, what it prints, where it stops. */
import { describe, expect, it } from 'vitest'
import { explore } from '../../../src/testing/explore/explore.ts'
import type { ExploreOptions, Progress } from '../../../src/testing/explore/options.ts'
import { replay } from '../../../src/testing/explore/replay.ts'
import { doubled, hanging, leaking, unheard } from './planted.ts'

const one: ExploreOptions = { model: ['text "done"'], budgets: { followup: 1, inside: 0 } }

describe('a planted fault', () => {
  it('a request after a cancel is found, on a shortest path', async () => {
    const { counterexamples, ended } = await explore(leaking)
    expect(ended).toBe('found')
    expect(counterexamples[0]?.moves).toEqual([
      { command: 'followup', inside: [{ at: 'model', issue: 'cancel' }] },
    ])
    expect(counterexamples[0]?.breaches[0]).toMatchObject({
      invariant: 'I-AUTH',
      rule: 'request-after-cancel',
    })
  })

  it('a disposal that hangs inside a callback only is found there', async () => {
    const { counterexamples } = await explore(hanging)
    expect(counterexamples[0]?.moves).toEqual([
      { command: 'followup', inside: [{ at: 'told inserted', issue: 'dispose' }] },
      { settle: 'model', answer: 'text "done"' },
    ])
    expect(counterexamples[0]?.breaches[0]?.rule).toBe('dispose-converges')
  })

  it('an unheard rejection is told of the run that left it', async () => {
    const { counterexamples } = await explore(unheard)
    expect(counterexamples[0]?.moves).toEqual([{ command: 'followup' }])
    expect(counterexamples[0]?.breaches).toEqual([
      { invariant: 'I-NOREJECT', rule: 'rejection', seq: null, message: 'Error: lost' },
    ])
    const { breaches } = await replay(unheard, [{ command: 'followup' }])
    expect(breaches).toEqual(counterexamples[0]?.breaches)
  })

  it('a body that runs twice is found', async () => {
    const { counterexamples } = await explore(doubled)
    expect(counterexamples[0]?.breaches).toMatchObject([
      { invariant: 'I-EFFECT', rule: 'body-once' },
    ])
  })

  it('more than one rule may be looked for', async () => {
    const both: ExploreOptions = {
      ...leaking,
      invariants: { quiet: ({ log }) => (log.length > 0 ? 'it spoke' : undefined) },
    }
    const { counterexamples } = await explore({ ...both, counterexamples: 2, maxStates: 50 })
    // What follows a breach is not judged: every path begins with a move that speaks.
    expect(counterexamples.map(({ breaches }) => breaches[0]?.rule)).toEqual(['quiet'])
  })
})

describe('the search', () => {
  it('exhausts a bound, and does the same again', async () => {
    const first = await explore(one)
    expect(first).toMatchObject({ exhausted: true, ended: 'exhausted', counterexamples: [] })
    expect(await explore(one)).toMatchObject({ states: first.states, moves: first.moves })
  })

  it('lists a path to every state, the empty one first', async () => {
    const { states, depth, paths } = await explore(one)
    const all = [...paths()]
    expect(all).toHaveLength(states)
    expect(all[0]).toEqual([])
    expect(Math.max(...all.map(({ length }) => length))).toBe(depth)
    expect(all).toContainEqual([
      { command: 'followup' },
      { settle: 'model', answer: 'text "done"' },
    ])
  })

  it('goes where commands inside callbacks lead', async () => {
    const budgets = { followup: 1, cancel: 1 }
    const outside = await explore({ ...one, budgets: { ...budgets, inside: 0 } })
    const inside = await explore({ ...one, budgets: { ...budgets, inside: 1 } })
    expect(inside.states).toBeGreaterThan(outside.states)
    const places = [...inside.paths()].flat().flatMap((move) => move.inside?.map(({ at }) => at))
    expect(places).toContain('durable inbox/inserted')
  })

  it('nests: a command inside the callback of a command inside a callback', async () => {
    const budgets = { followup: 2, cancel: 1, inside: 2 }
    const { paths } = await explore({ ...one, budgets, places: ['durable inbox'] })
    expect([...paths()].flat().some(({ inside = [] }) => inside.length === 2)).toBe(true)
  })

  it('refuses appends, lets writes fail, throws', async () => {
    const options: ExploreOptions = {
      ...one,
      budgets: { followup: 1, refuse: 1, throw: 1, inside: 0, dispose: 1, timer: 1 },
      log: { acknowledged: true },
      refusals: ['turn/start', 'turn/end'],
    }
    const { counterexamples, paths } = await explore({ ...options, maxStates: 300 })
    expect(counterexamples).toEqual([])
    const moves = [...paths()].flat()
    expect(moves.map(({ refuse }) => refuse)).toEqual(
      expect.arrayContaining(['turn/start', 'turn/end']),
    )
    expect(moves).toContainEqual({ settle: 'write', answer: 'fails' })
    expect(moves.some(({ inside }) => inside?.[0]?.issue === 'throw')).toBe(true)
  })

  it.each([
    ['maxStates', { maxStates: 5 }],
    ['maxMoves', { maxMoves: 1 }],
    ['maxDepth', { maxDepth: 1 }],
    ['seconds', { seconds: 0 }],
  ] as const)('stops at %s', async (ended, limits) => {
    const found = await explore(limits)
    expect(found).toMatchObject({ ended, exhausted: false })
    expect(found.depth).toBeLessThanOrEqual(1)
  })

  it('tells of its progress', async () => {
    const told: Progress[] = []
    await explore({
      seconds: 3,
      maxStates: 100_000,
      onProgress: (progress) => void told.push(progress),
    })
    expect(told[0]?.states).toBeGreaterThan(0)
    expect(told[0]?.waiting).toBeGreaterThan(0)
  })
})

describe('code of the user', () => {
  it('is explored with its own commands, decisions, notes, places and states', async () => {
    const seen = new Set<string>()
    const { counterexamples, paths } = await explore({
      agent: ({ decide, note, visit, clock }) => ({
        gates: {
          preStep: async ({ signal }, next) => {
            visit('my gate')
            note(`at ${clock.now()}`)
            if (
              await decide('policy', { opens: true, shuts: false }, { signal, times: { shuts: 1 } })
            )
              return next()
            return { kind: 'reject', reason: 'shut' }
          },
        },
      }),
      commands: { twice: { issue: (agent) => void [agent.followup('a'), agent.followup('b')] } },
      model: [{ say: 'text "x"', name: 'says' }],
      budgets: { steer: 1 },
      places: ['my gate'],
      distinguish: ({ notes }) => notes.length,
      invariants: {
        seen({ notes }) {
          for (const word of notes) seen.add(word)
          return undefined
        },
      },
      maxStates: 150,
    })
    expect(counterexamples).toEqual([])
    expect([...seen]).toContain('at 0')
    const moves = [...paths()].flat()
    expect(moves).toContainEqual({ settle: 'policy', answer: 'shuts' })
    expect(moves).toContainEqual({ settle: 'model', answer: 'says' })
    expect(moves.some(({ inside }) => inside?.some(({ at }) => at === 'my gate'))).toBe(true)
  })

  it('may bring a model of its own', async () => {
    const { exhausted, paths } = await explore({
      ...one,
      agent: ({ decide }) => ({
        model: {
          provider: 'p',
          modelId: 'm',
          async *stream(_, { signal }) {
            await decide('my model', { speaks: 1 }, { signal })
            yield { kind: 'finish', reason: 'stop' } as const
          },
        },
      }),
    })
    expect(exhausted).toBe(true)
    expect([...paths()].flat()).toContainEqual({ settle: 'my model', answer: 'speaks' })
  })
})

describe('what it is given', () => {
  it.each<[string, object]>([
    ['budgets', { budgets: { sing: 1 } }],
    ['budgets.cancel', { budgets: { cancel: -1 } }],
    ['inside', { inside: ['abort'] }],
    ['commands', { commands: { cancel: { issue: () => {} } } }],
  ])('a faulty %s is refused', async (option, options) => {
    await expect(explore(options)).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining(`option ${option} should be`) as string,
    })
  })

  it('a replay whose moves cannot be made says which', async () => {
    await expect(replay(one, [{ settle: 'model', answer: 'text "done"' }])).rejects.toThrow(
      'no decision model waits for the answer text "done"',
    )
    await expect(
      replay(one, [{ command: 'followup', inside: [{ at: 'told idle', issue: 'cancel' }] }]),
    ).rejects.toThrow('told idle never came')
    await expect(replay(one, [{ timer: true }])).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})
