/**
 * Rare turns of charts, each run stock and from its table.
 *
 * @module
 */
import { assign, createActor, createMachine, sendTo, setup, transition } from 'xstate'
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { tableLogic } from '../../src/actors/table.ts'
import { base, nested, parts, types } from './table-charts.ts'
import type { Say } from './table-charts.ts'
import { parent } from './table-families.ts'
import { bothTraces } from './table-trace.ts'
import type { MakeMachine, Poke } from './table-trace.ts'

const quiet: Say = () => {}
const pokes = (...names: string[]): Poke[] => names.map((type) => ({ type }))

/** A guard that is another name, one with computed parameters, and one that throws without a name. */
const guards: MakeMachine = (say) => {
  const machine = setup({
    types,
    guards: {
      even: ({ context }) => context.n % 2 === 0,
      'is below': ({ context }, limit: number) => context.n < limit,
    },
    actions: {
      count: assign({ n: ({ context }) => context.n + 1 }),
      note: ({ event }) => {
        say('note', event.type)
      },
    },
  }).createMachine({
    ...base,
    id: 'm',
    on: {
      named: { guard: 'also even' as 'even', actions: ['count', 'note'] },
      below: {
        guard: {
          type: 'is below',
          params: ({ context, event }) => context.n + event.type.length - 5,
        },
        actions: 'note',
      },
      below2: {
        guard: {
          type: 'is below',
          params: ({ context, event }) => context.n + event.type.length - 5,
        },
        actions: 'note',
      },
      throws: {
        guard: () => {
          throw new Error('inline guard broke')
        },
      },
    },
  })
  return machine.provide({ guards: { 'also even': 'even' } } as never) as never
}

const values: MakeMachine = (say) =>
  setup({
    types,
    actions: {
      fill: assign({ n: 7, seen: ({ context }) => [...context.seen, String(context.n)] }),
      note: ({ context }) => {
        say('note', context)
      },
    },
  }).createMachine({ ...base, id: 'm', on: { go: { actions: ['fill', 'note'] } } })

const systemIds: MakeMachine = (say) =>
  setup({
    types,
    actors: { kid: createMachine({ id: 'kid', on: {} }) },
    actions: {
      note: ({ system }) => {
        say('note', system.get('worker') === undefined ? 'nobody' : 'worker')
      },
    },
  }).createMachine({
    ...base,
    id: 'm',
    initial: 'off',
    on: { look: { actions: 'note' } },
    states: {
      off: { on: { go: 'on' } },
      on: { invoke: { id: 'kid', src: 'kid', systemId: 'worker' }, on: { go: 'off' } },
    },
  })

const overAtOnce: MakeMachine = (say) =>
  createMachine({
    id: 'm',
    type: 'final',
    output: ({ event }: { event: object }) => {
      say('output', event)
      return 'whole'
    },
  } as never)

const finalAgain: MakeMachine = (say) =>
  parts(say).createMachine({
    ...base,
    id: 'm',
    initial: 'a',
    states: {
      a: {
        initial: 'f',
        onDone: { actions: 'note' },
        on: { again: '.f' },
        states: { f: { type: 'final', on: { self: 'f' } } as never },
      },
    },
  })

const CASES: [rule: string, make: MakeMachine, list: Poke[]][] = [
  [
    'follows a guard that is another name, and computes the parameters of guards',
    guards,
    pokes('named', 'named', 'below', 'below2'),
  ],
  ['names no guard that has no name when it throws', guards, pokes('throws', 'named')],
  ['assigns values as well as what is computed', values, pokes('go', 'go')],
  [
    'knows a child by its name in the system while it lives',
    systemIds,
    pokes('look', 'go', 'look', 'go', 'look'),
  ],
  ['is over at once if its root is final', overAtOnce, pokes('any')],
  [
    'completes a final state once for each time it is entered',
    finalAgain,
    pokes('self', 'again', 'self'),
  ],
]

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

describe('a machine run from its table', () => {
  it.each(CASES)('%s', (_, make, list) => {
    const { stock, table } = bothTraces(make, list)
    expect(table).toEqual(stock)
  })

  it('keeps the very snapshot if all it did was to send', () => {
    const kid = createActor(createMachine({ on: {} })).start()
    const machine = createMachine({ on: { go: { actions: sendTo(kid, { type: 'x' }) } } })
    const actor = createActor(tableLogic(machine)).start()
    const before = actor.getSnapshot()
    actor.send({ type: 'go' })
    expect(actor.getSnapshot()).toBe(before)
  })
})

const chart = nested(quiet)
const snapshotAt = (machine: AnyStateMachine, value: unknown): AnyMachineSnapshot =>
  machine.resolveState({ value, context: base.context } as never)

describe('a snapshot that the table has not made', () => {
  it.each([{ a: 'two' }, { a: { one: 'deep' } }, 'b'])('goes on from %j', (value) => {
    const from = snapshotAt(chart, value)
    for (const type of ['next', 'back', 'hop', 'both', 'none']) {
      const [stock] = transition(chart, from, { type })
      const [table] = transition(tableLogic(chart), from, { type })
      expect([table.value, table.context]).toEqual([stock.value, stock.context])
    }
  })

  it('is refused if it is of another machine', () => {
    const other = createMachine({ id: 'other', initial: 's', states: { s: {} } })
    expect(() => transition(tableLogic(chart), snapshotAt(other, 's'), { type: 'x' })).toThrow(
      new Error("a snapshot of another machine than 'nested'"),
    )
  })

  it('tells the stop of its children what stopped them', () => {
    const machine = parent('plain')(quiet)
    const [from] = transition(machine, snapshotAt(machine, 'resting'), { type: 'go' })
    const stops = [machine, tableLogic(machine)].map((logic) =>
      transition(logic, from, { type: 'xstate.stop' })[1].map(({ type, info }) => ({
        type,
        context: info.context,
        event: info.event,
        self: typeof info.self,
        system: typeof info.system,
      })),
    )
    expect(stops[0]).toHaveLength(1)
    expect(stops[1]).toEqual(stops[0])
  })
})
