/**
 * What a lifecycle model is: plain data, and pure functions in it.
 *
 * It says where an agent can stand, which moves are possible there, and what each leads to. It never touches an agent:
 * a stage makes the moves, and the log of the real agent is the judge.
 *
 * @module
 */
import type { Agent, AgentStatus } from '../../actors/agent-handle.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { Facts, Phase } from './facts.ts'
import type { Change, Condition, Remembered } from './remembered.ts'
import type { Stage } from './stage.ts'

/** One thing that a move may lead to. */
export interface Branch<State extends string, Memory = Remembered> {
  /** Default: always. A move none of whose branches apply is not possible. */
  readonly if?: Condition<Memory>
  /** Default: the agent stays where it is. */
  readonly to?: State
  /** Changes, one after another. Default: none. */
  readonly do?: Change<Memory> | readonly Change<Memory>[]
  /** What the move answers to who makes it. Default: nothing. */
  readonly says?: string | ((remembered: Memory) => string)
  /** Statuses that are announced before those of the new state. Default: none. */
  readonly tells?: readonly AgentStatus[]
}

/** Where a move leads: a state, a branch, or the first branch of several whose condition holds. */
export type Way<State extends string, Memory = Remembered> =
  | State
  | Branch<State, Memory>
  | readonly Branch<State, Memory>[]

/** Where moves lead, by move. */
export type Ways<State extends string, Event extends string, Memory = Remembered> = {
  readonly [Name in Event]?: Way<State, Memory>
}

/** A place where an agent can stand. */
export interface ModelState<State extends string, Event extends string, Memory = Remembered> {
  readonly phase: Phase
  /** The moves that are possible here. */
  readonly on: Ways<State, Event, Memory>
  /** Is this where the log, and what waits outside, put the agent? Asked in this phase only. */
  readonly seen: (facts: Facts) => boolean
  /** What waits outside for a move; see `Stage.hold`. Default: nothing. */
  readonly waits?: string | readonly string[]
  /** The caller has not let a microtask pass yet: the move that does, which also ends each path that ends here. */
  readonly unsettled?: Event
}

/** Makes one move on the real agent. @returns what the caller was answered, if anything. */
export type Move = (stage: Stage) => string | void | Promise<string | void>

/** Judges a whole run, besides what holds for every log. @returns what is wrong, or throws it. */
export type Check = (run: {
  readonly log: readonly StoredEvent[]
  readonly stage: Stage
}) => void | string | readonly string[]

/** A lifecycle model. Make one with `extendModel`. */
export interface LifecycleModel<
  State extends string = string,
  Event extends string = string,
  Memory extends Remembered = Remembered,
> {
  readonly name: string
  /** Where an agent stands that was just made. */
  readonly initial: State
  /** What is remembered of it then. */
  readonly remembers: Memory
  /** In the order in which `seen` is asked: the first that answers true is where the agent stands. */
  readonly states: { readonly [Name in State]: ModelState<State, Event, Memory> }
  readonly moves: { readonly [Name in Event]: Move }
  /** Moves that a caller makes: a state that is `like` another takes over what they lead to. */
  readonly commands: readonly string[]
  /** Makes the agent of one path. */
  readonly agent: (stage: Stage) => Agent
  readonly checks: readonly Check[]
}
