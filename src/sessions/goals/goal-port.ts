/**
 * What a goal service is: durable goals, and rounds that go on by themselves while a process is armed.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { AnyTool } from '../../actors/tool.port.ts'
import type { ContentBlock } from '../../events/message.ts'
import type { GoalState } from '../../projections/goal.ts'

export interface GoalOptions {
  /** Rounds of one goal, positive integer. Default: no limit. */
  readonly maxGoalRounds?: number
  /** Says what the model is told in a round. Default: the objective, and how to end. */
  readonly prompt?: (goal: GoalState, round: number) => string | readonly ContentBlock[]
}

/** Options of a change. */
export interface GoalChangeOptions {
  /** Revision that the change was decided on; another one refuses it. Default: whichever is there. */
  readonly expect?: number
  /** Why, for people. */
  readonly reason?: string
}

/** Why a process does not go on by itself. */
export type Disarmed =
  | 'never armed'
  | 'asked'
  | 'phase'
  | 'aborted'
  | 'error'
  | 'max-tokens'
  | 'limit'
  | 'interrupted'
  | 'checkpoint'
  | 'stale'
  | 'disposed'
  | 'unloaded'

/** The answer of a change: the goal as it is now, or `queued` inside a callback, applied after the current move. */
export type GoalAnswer = GoalState | 'queued'

/**
 * The goal of one agent.
 *
 * Every change throws GOAL_CONFLICT where the revision is another than `expect`, and where the phase does not allow it;
 * AgentDisposedError; what the log refuses with. Nothing has changed then.
 */
export interface AgentGoal {
  readonly agent: Agent
  /** Null where no goal was set. */
  readonly state: GoalState | null
  /** Do rounds go on by themselves in this process? */
  readonly armed: boolean
  /** Why not; null while armed. */
  readonly disarmed: Disarmed | null
  /** Sets another goal, active and not armed. */
  set(objective: string, options?: Pick<GoalChangeOptions, 'expect'> & { id?: string }): GoalAnswer
  /** Says the objective anew. Rounds that are reserved for the old revision are rejected. */
  edit(objective: string, options?: Pick<GoalChangeOptions, 'expect'>): GoalAnswer
  /** Lets rounds of an active goal go on by themselves, at quiescence. */
  arm(): void
  /** Starts no more rounds; the one that runs ends as it likes. The phase stays. */
  disarm(): void
  /** Makes a paused or blocked goal active, and arms. */
  resume(options?: GoalChangeOptions): GoalAnswer
  pause(options?: GoalChangeOptions): GoalAnswer
  block(options?: GoalChangeOptions): GoalAnswer
  complete(options?: GoalChangeOptions): GoalAnswer
  /**
   * Takes the service out of the agent: no round starts or enters a step any more, the one that runs is cancelled. The
   * phase stays.
   *
   * @returns resolves when that round has ended. @throws TurnwiseError SELF_WAIT in a gate or tool of the agent, which
   *   would wait for itself; it is taken out all the same.
   */
  unload(): Promise<void>
}

/** A goal service. */
export interface Goals {
  /** `complete_goal` and `block_goal`, by which the model ends the goal of the agent that it works for. */
  readonly tools: readonly AnyTool[]
  /**
   * The goal of an agent, from now on watched; the same again for one that is attached.
   *
   * @throws TurnwiseError INVALID_OPTION while another service is attached to the agent.
   */
  attach(agent: Agent): AgentGoal
  /** The goal of the attached agent with this id. */
  of(id: string): AgentGoal | undefined
  /** Unloads all. */
  unload(): Promise<void>
}
