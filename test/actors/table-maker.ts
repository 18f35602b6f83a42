/**
 * Makes machines of random descriptions.
 *
 * @module
 */
import { assign, sendParent, sendTo, setup } from 'xstate'
import type { AnyStateMachine } from 'xstate'
import type { ChartSpec, StateSpec, TransitionSpec } from './table-random.ts'
import type { MakeMachine } from './table-trace.ts'

/** Sends and starts of one run: a family that never comes to rest is cut off in both alike. */
const MOST_SENDS = 60

/** The machine of a chart whose states invoke the machine of another one. */
export const randomFamily =
  (outer: ChartSpec, inner: ChartSpec): MakeMachine =>
  (say) =>
    new Maker('m', new Maker('k', undefined, inner).machine(say), outer).machine(say)

interface Noted {
  readonly context: { readonly n: number }
}

class Maker {
  readonly #id: string
  readonly #kid: AnyStateMachine | undefined
  readonly #chart: ChartSpec
  /** Ids of all states, the root first. */
  readonly #ids: readonly string[]

  #sends = 0

  constructor(id: string, kid: AnyStateMachine | undefined, chart: ChartSpec) {
    this.#id = id
    this.#kid = kid
    this.#chart = chart
    this.#ids = [id, ...idsOf(chart.root, id)]
  }

  machine(say: (...what: unknown[]) => void): AnyStateMachine {
    const { root, on, entry, exit, invokes } = this.#chart
    const alive = invokes && this.#kid !== undefined
    const config = {
      id: this.#id,
      context: ({ input }: { input: { n?: number } }) => ({ n: input.n ?? 0 }),
      options: { maxIterations: 20 },
      ...(alive && { invoke: this.#invoke(on, entry, this.#id) }),
      initial: 's0',
      entry: this.#actions(entry, alive),
      exit: this.#actions(exit, alive),
      on: this.#on(on, alive, this.#id),
      output: ({ context, event }: { context: object; event: object }) => ({ context, event }),
      states: this.#states(root, this.#id, alive),
    }
    const actors: Record<string, AnyStateMachine> =
      this.#kid === undefined ? {} : { kid: this.#kid }
    const message = (type: string) => (): { type: string } => {
      this.#spend()
      return { type }
    }
    return implemented(this.#id, actors, say, message).createMachine(config as never) as never
  }

  #spend(): void {
    if (++this.#sends > MOST_SENDS) throw new Error('never rests')
  }

  #states(states: readonly StateSpec[], path: string, alive: boolean): object {
    return Object.fromEntries(
      states.map((each, i) => [`s${i}`, this.#state(each, `${path}.s${i}`, alive)]),
    )
  }

  #state(each: StateSpec, id: string, outerAlive: boolean): object {
    const { tags, inner } = each
    const final = each.final && inner.length === 0
    const invokes = each.invokes && this.#kid !== undefined && !outerAlive
    const alive = outerAlive || invokes
    const entry = this.#actions(each.entry, alive)
    const exit = this.#actions(each.exit, alive)
    const invoke = invokes ? { invoke: this.#invoke(each.done, each.entry, id) } : {}
    if (final) {
      const output = ({ context }: Noted): object => ({ [id]: context })
      return { type: 'final', id, tags, entry, exit, output }
    }
    const on = this.#on(each.on, alive, id)
    if (inner.length === 0) return { id, tags, entry, exit, on, ...invoke }
    const initial = { target: 's0', actions: this.#actions(each.initialActions, alive) }
    const onDone = this.#transitions(each.done, alive, id)
    const states = this.#states(inner, id, alive)
    return { id, tags, entry, exit, on, ...invoke, initial, onDone, states }
  }

  #invoke(done: readonly TransitionSpec[], entry: readonly number[], id: string): object {
    const next = this.#transitions(done, true, id)
    const input = ({ context }: Noted): object => {
      this.#spend()
      return { n: context.n }
    }
    return {
      id: 'kid',
      src: 'kid',
      input,
      onDone: next,
      ...(entry.length > 1 && { onError: next }),
    }
  }

  #on(list: readonly TransitionSpec[], alive: boolean, source: string): object {
    const events = [...new Set(list.map(({ event }) => event))]
    return Object.fromEntries(
      events.map((event) => [
        event,
        this.#transitions(
          list.filter((each) => each.event === event),
          alive,
          source,
        ),
      ]),
    )
  }

  #transitions(list: readonly TransitionSpec[], alive: boolean, source: string): object[] {
    return list.map((each) => {
      const target = this.#ids[each.target]
      return {
        ...(target !== undefined && { target: `#${target}` }),
        guard: guardOf(each.guard),
        // Other transitions to the root are refused by the table.
        reenter: each.reenter || (target === this.#id && source !== this.#id),
        actions: this.#actions(each.actions, alive),
      }
    })
  }

  #actions(numbers: readonly number[], alive: boolean): unknown[] {
    return numbers.map((n) => {
      if (n < 30) return ACTIONS[Math.ceil(n / 10)]
      if (n < 40 && alive) return 'tell kid'
      if (n < 50 && this.#kid === undefined) return 'tell parent'
      return { type: 'note', params: n < 75 ? { n } : ({ context }: Noted) => ({ at: context.n }) }
    })
  }
}

/** Most runs must not break: only a zero does. */
const ACTIONS = ['break', 'count', 'count', 'set']

function guardOf(n: number): unknown {
  if (n === 0) return 'fails'
  if (n < 20) return 'even'
  return n < 35 ? { type: 'below', params: { limit: n % 5 } } : undefined
}

const idsOf = (states: readonly StateSpec[], prefix: string): string[] =>
  states.flatMap(({ inner }, i) => [`${prefix}.s${i}`, ...idsOf(inner, `${prefix}.s${i}`)])

function implemented(
  id: string,
  actors: Record<string, AnyStateMachine>,
  say: (...what: unknown[]) => void,
  message: (type: string) => () => { type: string },
) {
  const types = {} as { context: { n: number; set?: string }; events: { type: string } }
  return setup({
    types,
    actors,
    guards: {
      even: ({ context }) => context.n % 2 === 0,
      below: ({ context }, { limit }: { limit: number }) => context.n < limit,
      fails: () => {
        throw new Error('guard broke')
      },
    },
    actions: {
      note: ({ context, event }, params: unknown) => {
        say(id, 'note', context, event, params)
      },
      count: assign({ n: ({ context }) => context.n + 1 }),
      set: assign(({ event }) => ({ set: event.type })),
      break: () => {
        throw new Error('action broke')
      },
      'tell kid': sendTo('kid', message('ask')),
      'tell parent': sendParent(message('hello')),
    },
  })
}
