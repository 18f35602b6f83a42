/**
 * A lifecycle model as an XState machine: to be drawn, and walked by tools such as `@xstate/graph`.
 *
 * @module
 */
import { type AnyStateMachine, assign, createMachine } from 'xstate'
import type { Branch, LifecycleModel, ModelState, Way } from './model.ts'
import type { Remembered } from './remembered.ts'
import { branchesOf, changesOf } from './standing.ts'

/**
 * Makes the machine. Its context is what the model remembers, its events are the moves; conditions and changes have the
 * names of their functions. What moves answer and announce is not in it.
 */
export function chartOf<State extends string, Event extends string, Memory extends Remembered>(
  model: LifecycleModel<State, Event, Memory>,
): AnyStateMachine {
  const guards = new Named<(known: Memory) => boolean>('condition')
  const actions = new Named<(known: Memory) => Partial<Memory>>('change')
  const transition = (branch: Branch<State, Memory>): object => ({
    ...(branch.to !== undefined && { target: `#${model.name}.${branch.to}` }),
    ...(branch.if !== undefined && { guard: guards.nameOf(branch.if) }),
    actions: changesOf(branch).map((change) => actions.nameOf(change)),
  })
  const stateOf = ({ phase, on }: ModelState<State, Event, Memory>): object => ({
    description: phase,
    on: mapped(on as Record<string, Way<State, Memory>>, (way) => branchesOf(way).map(transition)),
  })
  const config = {
    id: model.name,
    context: { ...model.remembers },
    initial: model.initial,
    states: mapped(model.states, stateOf),
  }
  return createMachine(
    config as never,
    {
      guards: guards.as(
        (holds) =>
          ({ context }: { context: Memory }) =>
            holds(context),
      ),
      actions: actions.as((change) =>
        assign(({ context }) => change(context as unknown as Memory) as object),
      ),
    } as never,
  )
}

const mapped = <T>(record: Readonly<Record<string, T>>, map: (each: T) => unknown): object =>
  Object.fromEntries(Object.entries(record).map(([name, each]) => [name, map(each)]))

/** Functions by their names; those without one are numbered. */
class Named<F extends (known: never) => unknown> {
  readonly #names = new Map<F, string>()
  readonly #kind: string

  constructor(kind: string) {
    this.#kind = kind
  }

  nameOf(each: F): string {
    let name = this.#names.get(each)
    if (name === undefined) {
      const taken = [...this.#names.values()].includes(each.name)
      name = each.name === '' || taken ? `${this.#kind} ${this.#names.size + 1}` : each.name
      this.#names.set(each, name)
    }
    return name
  }

  as(make: (each: F) => unknown): Record<string, unknown> {
    return Object.fromEntries([...this.#names].map(([each, name]) => [name, make(each)]))
  }
}
