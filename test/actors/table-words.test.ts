/**
 * What a table says where it words its own errors.
 *
 * @module
 */
import { assign, createActor, createMachine } from 'xstate'
import type { AnyStateMachine } from 'xstate'
import { describe, expect, it } from 'vitest'
import { tableLogic } from '../../src/actors/table.ts'
import { nested } from './table-charts.ts'

const chart = nested(() => {})

/** The error of an actor that has started, and was perhaps sent an event. */
const errorOf = (machine: AnyStateMachine, poke?: string): Error => {
  const actor = createActor(tableLogic(machine))
  actor.subscribe({ error: () => {} })
  actor.start()
  if (poke !== undefined) actor.send({ type: poke })
  return actor.getSnapshot().error as Error
}

describe('the words of a table', () => {
  const kid = createMachine({})

  it.each<[string, AnyStateMachine, string]>([
    [
      'an assignment',
      createMachine({ entry: assign(({ spawn }) => ({ kid: spawn(kid as never) })) }),
      'a machine that runs as a table cannot spawn from an assignment; invoke the child',
    ],
    [
      'a context',
      createMachine({
        context: ({ spawn }: { spawn: (logic: unknown) => unknown }) => ({ kid: spawn(kid) }),
      } as never),
      'a machine that runs as a table cannot spawn from its context; invoke the child',
    ],
  ])('say that %s cannot spawn', (_, machine, message) => {
    expect(errorOf(machine).message).toBe(message)
  })

  it('keep the error of a guard as the cause', () => {
    const thrown = new Error('broke')
    const machine = createMachine({
      id: 'm',
      on: {
        go: {
          guard: () => {
            throw thrown
          },
        },
      },
    })
    expect(errorOf(machine, 'go').cause).toBe(thrown)
  })

  it('say why no snapshot is restored', () => {
    const snapshot = createActor(chart, { input: {} }).getPersistedSnapshot()
    const actor = createActor(tableLogic(chart), { snapshot, input: {} })
    expect(actor.getSnapshot().error).toEqual(
      new Error(
        "machine 'nested' runs as a table, which restores no snapshot; rebuild it from its log",
      ),
    )
  })

  it.each<[string, object]>([
    ['routes', { id: 'there', route: {} }],
    ['a transition with several targets', { on: { x: { target: ['#m.s', '#m.other'] } } }],
    ['a transition to the root that does not reenter it', { on: { x: '#m' } }],
  ])('refuse %s in full', (what, state) => {
    const machine = createMachine({
      id: 'm',
      initial: 's',
      states: { s: state, other: {} },
    } as never)
    const id = 'id' in state ? 'there' : 'm.s'
    expect(() => tableLogic(machine)).toThrow(
      new Error(
        `machine 'm' cannot run as a table: state '${id}' uses ${what}. Nothing was started. Run the stock machine, or change the chart.`,
      ),
    )
  })
})
