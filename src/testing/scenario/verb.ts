/**
 * Commands of a scenario, as something to perform.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { AgentRun, World } from './world.ts'

/** What a command may use. */
export interface Ctx {
  readonly world: World
  readonly run: AgentRun
  readonly agent: Agent
}

export type Act = (ctx: Ctx) => unknown

/**
 * How a command is performed: `now`, synchronously; `awaits`, then waits for the promise it answered, moving the
 * clock where nothing else moves; `drives`, moves the clock itself.
 */
export type Mode = 'now' | 'awaits' | 'drives'

export interface Verb {
  readonly text: string
  /** The same for phrases that mean the same: `cancel user`, `cancels`. */
  readonly key: string
  readonly session: string
  readonly mode: Mode
  readonly act: Act
  /** Stated behind `->`. */
  readonly answer?: string
  /** Name under which the answer is kept: `w = whenIdle()`. */
  readonly name?: string
}

/** What a rule of the grammar makes of a phrase. */
export interface Reading {
  readonly act: Act
  readonly mode?: Mode
  readonly key?: string
}

export type VerbRule = readonly [RegExp, (hit: RegExpExecArray) => Reading | undefined]
