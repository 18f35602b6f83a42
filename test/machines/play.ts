/**
 * Plays a chart without running it: XState's pure `transition`, with a host that only says words.
 *
 * Posted gates are delivered one after another, as the mailbox would, until the chart waits for somebody else or stands
 * in the state that the play is to stop at.
 *
 * @module
 */
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  initialTransition,
  transition,
} from 'xstate'

/** What the host says, by the name of its method; a list is said one after another, its last word for ever. */
export type Said = Readonly<Record<string, string | readonly string[]>>

interface Executable {
  readonly type: string
  readonly params?: unknown
  readonly info?: unknown
  readonly exec?: unknown
}

/** The path of the state in which a chart rests. */
export const leafOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value as object)
        .map(([key, inner]) => `${key}.${leafOf(inner)}`)
        .join('')

function printed({ type, params }: Executable): string {
  const { event, src } = (params ?? {}) as { event?: { type: string }; src?: string }
  if (type === 'xstate.sendTo') return `send ${event?.type ?? '?'}`
  if (type === 'xstate.spawnChild') return `invoke ${src ?? '?'}`
  return type === 'xstate.stopChild' ? 'stop child' : type
}

/** A chart whose reports to its parent are only named: there is nobody to take them. */
const withoutParent = (machine: AnyStateMachine): AnyStateMachine =>
  machine.provide({
    actions: Object.fromEntries(
      Object.keys(machine.implementations.actions)
        .filter((name) => name.startsWith('report '))
        .map((name) => [name, () => {}]),
    ),
  } as never)

/** Moves that one event may set off. */
const MOVES = 30

/** A chart being played. */
export class Play {
  /** One line for each move: the state it led to and what it did. */
  trace: string[] = []
  private snapshot: AnyMachineSnapshot
  private readonly posted: (() => { type: string })[] = []
  private readonly machine: AnyStateMachine
  private readonly said: Map<string, readonly string[]>

  constructor(machine: AnyStateMachine, said: Said) {
    this.machine = withoutParent(machine)
    this.said = new Map(Object.entries(said).map(([method, words]) => [method, [words].flat()]))
    const [snapshot] = initialTransition(this.machine, { host: this.host() })
    this.snapshot = snapshot as AnyMachineSnapshot
  }

  get state(): string {
    return leafOf(this.snapshot.value)
  }

  get over(): boolean {
    return this.snapshot.status === 'done'
  }

  /** Sends one event, and the gates that follow from it. @param stopAt - the state in which no gate is delivered. */
  send(type: string, { next, stopAt }: { next?: string; stopAt?: string } = {}): this {
    this.posted.push(() => (next === undefined ? { type } : { type, next }))
    return this.go(stopAt)
  }

  /** Delivers what is posted. */
  go(stopAt?: string): this {
    for (let moves = 0; this.state !== stopAt; moves += 1) {
      if (moves === MOVES) throw new Error(`${this.state}: the words lead round in a circle`)
      const make = this.posted.shift()
      if (make === undefined) break
      this.move(make())
    }
    return this
  }

  /** Sends an event that goes before everything posted, as a command does. */
  interrupt(type: string): this {
    this.posted.unshift(() => ({ type }))
    return this.go()
  }

  private move(event: { type: string }): void {
    const [snapshot, actions] = transition(this.machine, this.snapshot, event)
    this.snapshot = snapshot as AnyMachineSnapshot
    const done = actions as readonly Executable[]
    this.trace.push(`${this.state}: ${done.map(printed).join(', ')}`)
    for (const { type, exec, info, params } of done) {
      if (typeof exec === 'function' && !type.startsWith('xstate.')) exec(info, params)
    }
  }

  private word(method: string): string {
    const words = this.said.get(method)
    const [word, ...rest] = words ?? []
    if (word === undefined) throw new Error(`${this.state}: the host is asked for ${method}`)
    if (rest.length > 0) this.said.set(method, rest)
    return word
  }

  private host(): object {
    const answer = (method: string, args: readonly unknown[]): unknown => {
      if (method.endsWith('Next')) return this.word(method)
      const make = args[1]
      if (typeof make === 'function') this.posted.push(make as () => { type: string })
      return undefined
    }
    const part = (): object =>
      new Proxy(
        {},
        {
          get: (_, name: string) =>
            name.endsWith('Host') ||
            [
              'admission',
              'continuation',
              'closing',
              'request',
              'recovery',
              'commit',
              'calls',
            ].includes(name)
              ? part()
              : (...args: readonly unknown[]) => answer(name, args),
        },
      )
    return part()
  }
}
