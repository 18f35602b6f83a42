/**
 * Diagrams say what the machine says.
 */
import { describe, expect, it } from 'vitest'
import { createMachine, setup } from 'xstate'
import { machineMermaid } from '../../src/inspect/mermaid.ts'
import { agentMachine } from '../../src/machines/agent.machine.ts'

const door = setup({
  types: { tags: {} as 'loud' },
  guards: { 'has key': () => true },
}).createMachine({
  id: 'door',
  initial: 'closed',
  on: { 'door.break': '.broken' },
  states: {
    closed: {
      tags: 'loud',
      initial: 'locked',
      states: {
        locked: { on: { 'key.turned': [{ guard: 'has key', target: 'unlocked' }, {}] } },
        unlocked: { on: { 'key.turned': 'locked', 'door.open': '#door.open' } },
      },
    },
    open: { tags: 'loud', on: { 'door.close': 'closed', 'wind.blew': { target: 'closed' } } },
    broken: { type: 'final' },
  },
})

describe('a diagram', () => {
  it('has every state that a machine can rest in, and every way between two of them', () => {
    expect(machineMermaid(door, { mark: 'loud' })).toBe(
      `stateDiagram-v2
  state "closed.locked" as closed_locked
  state "closed.unlocked" as closed_unlocked
  state "open" as open
  state "broken" as broken
  [*] --> closed_locked
  closed_locked --> broken: door.break
  closed_unlocked --> broken: door.break
  open --> broken: door.break
  closed_locked --> closed_unlocked: key.turned [has key]
  closed_unlocked --> closed_locked: key.turned
  closed_unlocked --> open: door.open
  open --> closed_locked: door.close, wind.blew
  broken --> [*]
  classDef marked stroke-dasharray: 4 3
  class open marked`,
    )
  })

  it('draws the same choice of several states once', () => {
    const ways = [{ guard: 'is a', target: 'a' }, { guard: 'is b', target: 'b' }, { target: 'c' }]
    const sorting = createMachine({
      id: 'sorting',
      initial: 'a',
      states: { a: { on: { 'a.ended': ways } }, b: { on: { 'b.ended': ways } }, c: {} },
    })
    const drawn = machineMermaid(sorting).split('\n').slice(5)
    expect(drawn.map((line) => line.trim())).toEqual([
      'state choice1 <<choice>>',
      'a --> choice1: a.ended',
      'b --> choice1: b.ended',
      'choice1 --> a: is a',
      'choice1 --> b: is b',
      'choice1 --> c: otherwise',
    ])
  })

  it('marks nothing where no state has the tag', () => {
    expect(machineMermaid(agentMachine, { mark: 'nobody' })).not.toContain('classDef')
  })
})
