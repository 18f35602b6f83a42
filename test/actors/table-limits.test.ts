import { assign, createMachine, emit, enqueueActions, log, raise, sendTo, spawnChild } from 'xstate'
import type { AnyStateMachine } from 'xstate'
import { createActor } from 'xstate'
import { describe, expect, it } from 'vitest'
import { tableLogic } from '../../src/actors/table.ts'

/** A machine whose state `s` is `state`. */
const withState = (state: object, more: object = {}): AnyStateMachine =>
  createMachine({ id: 'm', initial: 's', states: { s: state, other: {} }, ...more } as never)

const entry = (action: unknown): AnyStateMachine => withState({ entry: action })

const refused: [what: string, make: () => AnyStateMachine, named: string][] = [
  [
    'eventless transitions',
    () => withState({ always: 'other' }),
    "'m.s' uses eventless transitions (always)",
  ],
  [
    'delayed transitions',
    () => withState({ after: { 10: 'other' } }),
    "'m.s' uses delayed transitions (after)",
  ],
  [
    'parallel states',
    () => withState({ type: 'parallel', states: { x: {} } }),
    "'m.s' uses parallel states",
  ],
  [
    'history states',
    () => withState({ initial: 'x', states: { x: {}, h: { type: 'history' } } }),
    "'m.s.h' uses history states",
  ],
  ['wildcards', () => withState({ on: { '*': 'other' } }), "'m.s' uses wildcard events"],
  ['partial wildcards', () => withState({ on: { 'a.*': 'other' } }), "'m.s' uses wildcard events"],
  ['raise', () => entry(raise({ type: 'x' })), "'m.s' uses the built-in action xstate.raise"],
  [
    'enqueueActions',
    () => entry(enqueueActions(() => {})),
    "'m.s' uses the built-in action xstate.enqueueActions",
  ],
  [
    'spawnChild',
    () => entry(spawnChild(createMachine({}))),
    "'m.s' uses the built-in action xstate.spawnChild",
  ],
  ['emit', () => entry(emit({ type: 'x' })), "'m.s' uses the built-in action xstate.emit"],
  ['log', () => entry(log('x')), "'m.s' uses the built-in action xstate.log"],
  [
    'delayed sends',
    () => entry(sendTo('x', { type: 'x' }, { delay: 1 })),
    "'m.s' uses sendTo with a delay",
  ],
  [
    'unknown actions',
    () => entry('missing'),
    "'m.s' uses the action 'missing', which is not implemented",
  ],
  [
    'unknown guards',
    () => withState({ on: { x: { guard: 'missing', target: 'other' } } }),
    "'m.s' uses the guard 'missing', which is not implemented",
  ],
  [
    'unknown actors',
    () => withState({ invoke: { src: 'missing' } }),
    "'m.s' uses the actor 'missing', which is not implemented",
  ],
  [
    'onSnapshot',
    () => withState({ invoke: { src: createMachine({}), onSnapshot: {} } }),
    "'m.s' uses onSnapshot",
  ],
  [
    'entering the root again',
    () => withState({ on: { x: '#m' } }),
    "'m.s' uses a transition to the root",
  ],
  [
    'a child that cannot run',
    () => withState({ invoke: { src: withState({ always: 'other' }, { id: 'kid' }) } }),
    "machine 'kid' cannot run as a table",
  ],
]

const spawningContext = ({ spawn }: { spawn: (logic: unknown) => unknown }): object => ({
  kid: spawn(createMachine({})),
})

function errorAtStart(machine: AnyStateMachine): unknown {
  const actor = createActor(tableLogic(machine))
  actor.subscribe({ error: () => {} })
  return actor.start().getSnapshot().error
}

describe('a table', () => {
  it.each(refused)('refuses %s by name when it is compiled', (_, make, named) => {
    expect(() => tableLogic(make())).toThrow(named)
  })

  it('refuses a machine again after it was refused once', () => {
    const machine = withState({ always: 'other' })
    expect(() => tableLogic(machine)).toThrow('always')
    expect(() => tableLogic(machine)).toThrow('always')
  })

  it('fails an actor that spawns from an assignment or from its context', () => {
    const spawning = assign(({ spawn }) => ({ kid: spawn(createMachine({})) }))
    expect(errorAtStart(entry(spawning))).toMatchObject({ message: /cannot spawn/u })
    expect(errorAtStart(withState({}, { context: spawningContext }))).toMatchObject({
      message: /cannot spawn/u,
    })
  })

  it('restores no snapshot', () => {
    const machine = withState({})
    const snapshot = createActor(machine).getPersistedSnapshot()
    expect(createActor(tableLogic(machine), { snapshot }).getSnapshot()).toMatchObject({
      status: 'error',
    })
  })

  it('lets a machine invoke itself', () => {
    const actors: Record<string, AnyStateMachine> = {}
    const machine = createMachine(
      {
        id: 'm',
        initial: 's',
        states: { s: { on: { go: 'deeper' } }, deeper: { invoke: { id: 'kid', src: 'self' } } },
      },
      { actors },
    )
    actors['self'] = machine
    const actor = createActor(tableLogic(machine)).start()
    actor.send({ type: 'go' })
    expect(actor.getSnapshot().children['kid']?.getSnapshot().status).toBe('active')
  })
})
