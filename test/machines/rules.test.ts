/**
 * The three charts obey the rules, and each rule refuses a chart that breaks it.
 */
import { type AnyStateMachine, fromCallback, raise, setup } from 'xstate'
import { describe, expect, it } from 'vitest'
import { schemas } from '../../src/events/schemas.ts'
import { agentMachine } from '../../src/machines/agent.machine.ts'
import { stepMachine } from '../../src/machines/step.machine.ts'
import { turnMachine } from '../../src/machines/turn.machine.ts'
import { movesOf } from './chart-moves.ts'
import {
  missingWindows,
  plain,
  postsItsGate,
  recordsOrActs,
  restsWhereItStarts,
  type Rule,
  saysWhatItIs,
  speaksItsVocabulary,
  WINDOWS,
  windowsAnswer,
} from './chart-rules.ts'

const charts: AnyStateMachine[] = [agentMachine, turnMachine, stepMachine]
const durable = Object.keys(schemas)
const nothing = (): void => {}

/** Parts for bad charts, named as in the real ones. */
const kit = setup({
  actors: { resting: stepMachine, acting: fromCallback(nothing) },
  guards: { 'is so': () => true },
  actions: {
    'append a/fact': nothing,
    'note a/fact': nothing,
    'ask gate': nothing,
    'start work': nothing,
    'post gate.next': nothing,
    'go on': raise({ type: 'gate.next' }),
  },
})
const host = { input: {} as never }

const obeyed: readonly (readonly [name: string, rule: Rule])[] = [
  ['records or acts, never both in one transition', recordsOrActs],
  ['rests where it starts', restsWhereItStarts],
  ['answers the cancel in every window', windowsAnswer],
  ['says of every state what it is', saysWhatItIs],
  ['leaves every move to the mailbox', plain],
  ['posts its gate after a record', postsItsGate],
  ['speaks of commands, signals and gates', speaksItsVocabulary(durable)],
]

describe.each(charts.map((chart) => [chart.id, chart] as const))('the %s chart', (_, chart) => {
  it.each(obeyed)('%s', (_name, rule) => {
    expect(rule(chart)).toEqual([])
  })
})

it('every window from W05 to W23 is a state of some chart', () => {
  expect(WINDOWS).toHaveLength(19)
  expect(missingWindows(charts)).toEqual([])
})

it('the walk sees every transition that a chart defines', () => {
  const seen = new Set(movesOf(turnMachine).map(({ from, event }) => `${from.key} ${event}`))
  expect(seen).toContain('opening turn.abort')
  expect(seen).toContain('resting turn.open')
  const opens = movesOf(turnMachine).find(({ event }) => event === 'turn.open')
  expect(opens?.acts.map((act) => (act.kind === 'invoke' ? act.src : act.name))).toEqual([
    'step',
    'append turn/start',
    'post gate.claim',
  ])
})

interface Bad {
  readonly name: string
  readonly rule: Rule
  readonly chart: AnyStateMachine
  readonly finds: readonly string[]
}

const chartOf = (config: object): AnyStateMachine =>
  kit.createMachine({ id: 'turn', initial: 'a', ...config } as never) as unknown as AnyStateMachine

const inTwoStates = (a: object, b: object): AnyStateMachine => chartOf({ states: { a, b } })

const bad: readonly Bad[] = [
  {
    name: 'a transition that records and asks',
    rule: recordsOrActs,
    chart: inTwoStates(
      { on: { 'gate.next': { target: 'b', actions: 'append a/fact' } } },
      { entry: 'ask gate' },
    ),
    finds: ["a on gate.next: 'append a/fact' and 'ask gate' in one transition"],
  },
  {
    name: 'an exit that records before an entry starts something further down',
    rule: recordsOrActs,
    chart: inTwoStates(
      { exit: 'note a/fact', on: { 'gate.next': 'b' } },
      { initial: 'inner', states: { inner: { entry: 'start work' } } },
    ),
    finds: ["a on gate.next: 'note a/fact' and 'start work' in one transition"],
  },
  {
    name: 'a record in the same transition as a child that acts',
    rule: recordsOrActs,
    chart: inTwoStates(
      { on: { 'gate.next': 'b' } },
      { entry: 'append a/fact', invoke: { src: 'acting' } },
    ),
    finds: ["a on gate.next: 'append a/fact' and 'invoke acting' in one transition"],
  },
  {
    name: 'a transition of a parent that records and asks',
    rule: recordsOrActs,
    chart: chartOf({
      on: { 'gate.next': { target: '.b', actions: 'append a/fact' } },
      states: { a: {}, b: { entry: 'ask gate' } },
    }),
    finds: [
      "a on gate.next: 'append a/fact' and 'ask gate' in one transition",
      "b on gate.next: 'append a/fact' and 'ask gate' in one transition",
    ],
  },
  {
    name: 'a child in the initial configuration',
    rule: restsWhereItStarts,
    chart: inTwoStates(
      { initial: 'inner', states: { inner: { invoke: { src: 'resting', ...host } } } },
      {},
    ),
    finds: ["the initial configuration has 'invoke resting'"],
  },
  {
    name: 'a window that does not answer the cancel',
    rule: windowsAnswer,
    chart: inTwoStates({ tags: 'cancel-window', description: 'W05: opening.' }, {}),
    finds: ['a has no transition for turn.abort'],
  },
  {
    name: 'a window without its number, and one without its tag',
    rule: windowsAnswer,
    chart: inTwoStates(
      { tags: 'cancel-window', description: 'W24: later.', on: { 'turn.abort': {} } },
      { description: 'W06: claimed.' },
    ),
    finds: ['a does not say which window it is', 'b is W06 without its tag'],
  },
  {
    name: 'a state that does not say what it is',
    rule: saysWhatItIs,
    chart: inTwoStates({ description: 'The first.' }, { description: '' }),
    finds: ['b does not say what it is'],
  },
  {
    name: 'always, after and parallel states',
    rule: plain,
    chart: inTwoStates(
      { always: { target: 'b', guard: 'is so' }, after: { 10: 'b' } },
      { type: 'parallel', states: { one: {} } },
    ),
    finds: [
      'a uses always',
      'a uses after',
      'a uses xstate.raise in place',
      'a uses xstate.cancel in place',
      'b is parallel',
    ],
  },
  {
    name: 'unnamed actions and guards, also hidden ones',
    rule: plain,
    chart: inTwoStates(
      { entry: nothing, on: { 'gate.next': { target: 'b', guard: () => true } } },
      { entry: ['go on', 'unknown'], exit: raise({ type: 'gate.next' }) },
    ),
    finds: [
      'a has an action without a name',
      'a has a guard without a name',
      "b hides xstate.raise behind 'go on'",
      "b names 'unknown', which is not implemented",
      'b uses xstate.raise in place',
    ],
  },
  {
    name: 'an entry that records and leads nowhere, or posts too early',
    rule: postsItsGate,
    chart: inTwoStates({ entry: 'append a/fact' }, { entry: ['post gate.next', 'append a/fact'] }),
    finds: [
      'a records on entry and does not post its gate last',
      'b records on entry and does not post its gate last',
    ],
  },
  {
    name: 'events of other vocabularies',
    rule: speaksItsVocabulary(durable),
    chart: inTwoStates({ on: { 'turn/start': 'b', NEXT: 'b', 'model.ends': 'b' } }, {}),
    finds: [
      'turn/start is a durable event',
      'NEXT is neither command, signal nor gate',
      'model.ends is neither command, signal nor gate',
    ],
  },
]

describe('a rule finds', () => {
  it.each(bad)('$name', ({ rule, chart, finds }) => {
    expect(rule(chart)).toEqual(finds)
  })

  it('a window that no state stands for', () => {
    expect(missingWindows([agentMachine, turnMachine])).toEqual(
      Array.from({ length: 10 }, (_, i) => `W${10 + i}`),
    )
  })
})
