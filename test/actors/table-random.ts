/**
 * Random descriptions of charts; `table-maker.ts` makes machines of them.
 *
 * @module
 */
import { array, boolean, constant, constantFrom, letrec, nat, oneof, record } from 'fast-check'
import type { Arbitrary } from 'fast-check'

/** Events that are sent from outside, and those the two machines send each other. */
export const EVENTS = ['e0', 'e1', 'e2', 'hello', 'ask'] as const

export interface TransitionSpec {
  readonly event: (typeof EVENTS)[number]
  readonly guard: number
  /** Which of all states; beyond them: no target. */
  readonly target: number
  readonly reenter: boolean
  readonly actions: readonly number[]
}
export interface StateSpec {
  readonly final: boolean
  readonly invokes: boolean
  readonly tags: readonly string[]
  readonly entry: readonly number[]
  readonly exit: readonly number[]
  readonly initialActions: readonly number[]
  readonly on: readonly TransitionSpec[]
  readonly done: readonly TransitionSpec[]
  readonly inner: readonly StateSpec[]
}
export interface ChartSpec {
  readonly invokes: boolean
  readonly root: readonly StateSpec[]
  readonly on: readonly TransitionSpec[]
  readonly entry: readonly number[]
  readonly exit: readonly number[]
}

const actions = array(nat(99), { maxLength: 3 })
const transition: Arbitrary<TransitionSpec> = record({
  event: constantFrom(...EVENTS),
  guard: nat(99),
  target: nat(30),
  reenter: boolean(),
  actions,
})
const { state } = letrec<{ state: StateSpec }>((tie) => ({
  state: record({
    final: boolean(),
    invokes: boolean(),
    tags: array(constantFrom('t1', 't2'), { maxLength: 2 }),
    entry: actions,
    exit: actions,
    initialActions: actions,
    on: array(transition, { maxLength: 4 }),
    done: array(transition, { maxLength: 2 }),
    inner: oneof(
      { maxDepth: 2, depthIdentifier: 'state' },
      constant([]),
      array(tie('state'), { maxLength: 3, depthIdentifier: 'state' }),
    ),
  }),
}))
export const randomChart: Arbitrary<ChartSpec> = record({
  invokes: boolean(),
  root: array(state, { minLength: 1, maxLength: 4 }),
  on: array(transition, { maxLength: 3 }),
  entry: actions,
  exit: actions,
})
