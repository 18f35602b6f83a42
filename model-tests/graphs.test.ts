/**
 * Each chart by itself, every event with every word from every state: all is reachable, nothing is a dead end, and every
 * window lets a cancel in.
 */
import { agentMachine } from '../src/machines/agent.machine.ts'
import { stepMachine } from '../src/machines/step.machine.ts'
import { turnMachine } from '../src/machines/turn.machine.ts'
import { describe, expect, it } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import { nameOf, nodesOf, refName, restingStates } from '../test/machines/chart-moves.ts'
import { agentWords, eventsOf, stepWords, turnWords } from '../test/machines/words.ts'
import { type Graph, graphOf, type Sent, strandedFrom } from './graph.ts'

const charts: readonly (readonly [AnyStateMachine, Graph, home: string])[] = [
  [agentMachine, graphOf(agentMachine, eventsOf(agentWords)), 'idle'],
  [turnMachine, graphOf(turnMachine, eventsOf(turnWords)), 'open.resting'],
  [stepMachine, graphOf(stepMachine, eventsOf(stepWords)), 'ended'],
]

describe.each(charts.map(([chart, graph, home]) => ({ id: chart.id, chart, graph, home })))(
  'the $id chart',
  ({ chart, graph, home }) => {
    it('reaches every state', () => {
      expect(graph.states.toSorted()).toEqual(restingStates(chart).toSorted())
    })

    it(`comes back to ${home} from everywhere but its end`, () => {
      const leaving = ['disposing', 'flushing', 'leaving', 'disposed']
      expect(strandedFrom(graph, home)).toEqual(chart.id === 'agent' ? leaving : [])
    })

    it('takes every transition that it defines', () => {
      const taken = new Set(graph.edges.map(({ from, event }) => `${from} ${event.type}`))
      const defined = nodesOf(chart)
        .filter((node) => Object.keys(node.states).length === 0)
        .flatMap((node) => [...node.transitions.keys()].map((type) => `${nameOf(node)} ${type}`))
      // Windows whose outcome is sealed know the cancel and do nothing.
      const idle = ['open.sealing turn.abort', 'closing step.abort']
      expect(defined.filter((each) => !taken.has(each) && !idle.includes(each))).toEqual([])
    })
  },
)

type Guard = (args: { event: Sent }) => boolean

/** Ways of a transition list that no word leads to. */
function deadWays(chart: AnyStateMachine, events: readonly Sent[]): string[] {
  const guards = chart.implementations.guards as unknown as Readonly<Record<string, Guard>>
  return nodesOf(chart).flatMap((node) =>
    [...node.transitions].flatMap(([type, list]) => {
      const said = events.filter((event) => event.type === type)
      const taken = new Set(
        said.map((event) =>
          list.findIndex(({ guard }) => {
            const name = refName(guard)
            return name === '' || guards[name]?.({ event }) === true
          }),
        ),
      )
      return list
        .filter((_, i) => !taken.has(i))
        .map(({ guard }) => `${nameOf(node)} on ${type} [${refName(guard) || 'otherwise'}]`)
    }),
  )
}

it.each([
  [agentMachine.id, agentMachine, eventsOf(agentWords)],
  [turnMachine.id, turnMachine, eventsOf(turnWords)],
  [stepMachine.id, stepMachine, eventsOf(stepWords)],
] as const)('every way of the %s chart is taken for some word', (_, chart, events) => {
  expect(deadWays(chart, events)).toEqual([])
})

it('ends of the agent can be reached from everywhere', () => {
  const [, graph] = charts[0] as (typeof charts)[number]
  expect(strandedFrom(graph, 'disposed')).toEqual([])
})

/** Where a cancel leads from each window, along a shortest way to it. */
function cancels(chart: AnyStateMachine, graph: Graph): Record<string, string> {
  const abort: Sent = { type: `${chart.id}.abort` }
  const windows = nodesOf(chart).filter((node) => node.tags.includes('cancel-window'))
  return Object.fromEntries(
    windows.map((node) => {
      const state = nameOf(node)
      expect(graph.paths.has(state)).toBe(true)
      const edge = graph.edges.find(
        ({ from, event }) => from === state && event.type === abort.type,
      )
      return [`${node.description?.slice(0, 3)} ${state}`, edge?.to ?? state]
    }),
  )
}

describe('a cancel on a shortest way to each window', () => {
  it('of a turn leads to its convergence, unless the outcome is sealed', () => {
    expect(cancels(turnMachine, charts[1]?.[1] as Graph)).toEqual({
      'W05 open.opening': 'open.converging',
      'W06 open.claiming': 'open.converging',
      'W07 open.yielding': 'open.converging',
      'W08 open.assembling': 'open.converging',
      'W09 open.securing': 'open.converging',
      'W09 open.gating': 'open.converging',
      'W20 open.continuing': 'open.converging',
      'W21 open.deciding': 'open.converging',
      'W21 open.decided': 'open.converging',
      'W22 open.stopping': 'open.converging',
      'W23 open.sealing': 'open.sealing',
    })
  })

  it('of a step leads to the least that must still be done', () => {
    expect(cancels(stepMachine, charts[2]?.[1] as Graph)).toEqual({
      'W10 opening': 'converging',
      'W11 composing': 'converging',
      'W11 heading': 'converging',
      'W11 securing': 'converging',
      'W12 streaming': 'cutting',
      'W13 recovering': 'conceding',
      'W14 noting': 'converging',
      'W14 backingOff': 'converging',
      'W15 transforming': 'discarding',
      'W16 committing': 'draining.waiting',
      'W17 calling.announcing': 'draining.waiting',
      'W17 calling.admitting': 'draining.waiting',
      'W17 calling.questioning': 'draining.waiting',
      'W17 calling.approving': 'draining.waiting',
      'W17 calling.flushing': 'draining.waiting',
      'W17 calling.withdrawing': 'draining.waiting',
      'W18 calling.running': 'draining.waiting',
      'W19 calling.accounting': 'draining.accounting',
      'W19 calling.recording': 'draining.waiting',
      'W19 calling.answering': 'draining.waiting',
      'W16 answering': 'draining.waiting',
      'W20 closing': 'closing',
    })
  })
})
