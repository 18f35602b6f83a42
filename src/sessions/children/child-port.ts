/**
 * What children are: sessions that work for another one, with a result, a budget and an owner.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { AgentOptions } from '../../actors/agent-options.ts'
import type { AnyTool, StandardSchema } from '../../actors/tool.port.ts'
import type { Json } from '../../events/json.ts'
import type { MessageId, MessageInput, TurnReason, Usage } from '../../events/message.ts'
import type { ForkOptions } from '../fork.ts'
import type { OwnerScope, Registry, StartOptions } from '../registry-port.ts'
import type { BackgroundOptions, Delivery } from './background.ts'

/** Why a child stopped. */
export type StopReason = 'completed' | 'max-tokens' | 'limit' | 'aborted' | 'refusal' | 'error'

/** What a child came to, from its start, or from when it was free, to quiescence. */
export interface ChildResult {
  readonly sessionId: string
  readonly stopReason: StopReason
  /** Last committed text that is not empty, else what was streamed; empty if there is neither. */
  readonly output: string
  /** The captured value, where the child was started with `output`. */
  readonly structured?: unknown
  /** Why it stopped, in words, where it did not complete. */
  readonly detail?: string
  /** How the turn ended that accounts for the work; null if none did. */
  readonly reason: TurnReason | null
  readonly turns: readonly { readonly turn: number; readonly reason: TurnReason }[]
  /** Sum over all attempts. */
  readonly usage: Usage
  /** What became of the settlement notice; `none` where the parent waits by itself. */
  readonly notice: Delivery | 'none'
}

/** Limits of everything below one root. */
export interface TreeBudget {
  /** Model requests with their tools. */
  readonly steps?: number
  /** Input and output tokens. */
  readonly tokens?: number
  readonly turns?: number
  /** Children that are started, ended ones included. */
  readonly children?: number
}

export interface ChildrenOptions extends BackgroundOptions {
  /** Where the parents live, and the children will. Default: a registry of its own, without a store. */
  readonly registry?: Registry
  /** Depth of the deepest child; a child of a root has 1. Default 3. */
  readonly maxDepth?: number
  readonly budget?: TreeBudget
  /** Does a child that ran into its token limit count as `ok` in {@link ChildFinished}? Default false. */
  readonly maxTokensIsOk?: boolean
}

export interface SpawnOptions {
  /** Default: the agent in whose gate or tool this is called. */
  readonly parent?: Agent
  readonly prompt: MessageInput
  /** Options of the child; they win over what it takes over from its parent: model, route, budgets, clock. */
  readonly agent?: AgentOptions
  /** Session id. Default: a random one. */
  readonly id?: string
  /** What people call it. */
  readonly name?: string
  /** Does a cancel of the parent not reach it? Default false. */
  readonly detached?: boolean
  /** Does it stay for further messages, and tell the parent whenever it has come to rest? Default false. */
  readonly continuable?: boolean
  /** Cancels; before the child is published it gives the start up. */
  readonly signal?: AbortSignal
  /** Starts on a copy of the parent's session; needs a store. */
  readonly fork?: ForkOptions | true
  /** Starts on this stored session. */
  readonly session?: string
  /** The value that the child has to hand in: it gets a tool for it, which ends its turn. */
  readonly output?: StandardSchema
  /** JSON Schema of that value, where `output` cannot export its own. */
  readonly outputParameters?: Json
  readonly setup?: StartOptions['setup']
}

/** A child, from its publication on. */
export interface ChildRun {
  readonly id: string
  readonly name: string
  readonly agent: Agent
  readonly parent: Agent
  readonly depth: number
  readonly detached: boolean
  readonly continuable: boolean
  /** `free`: it has come to rest and takes further messages. */
  readonly state: 'running' | 'free' | 'closed'
  /** What it comes to. Never rejects. Of a continuable child: of the present work, or of the last. */
  readonly result: Promise<ChildResult>
  /** What it has come to last; null before the first time. */
  readonly last: ChildResult | null
  /** Cancels it with cause `parent`. The parent is not affected. */
  cancel(): void
  /** Sends it a further message: steers it at work, sets off new work otherwise. */
  send(message: MessageInput): MessageId
  /** Tells the parent something on behalf of the child. No later notice overtakes it. */
  report(content: string): Delivery
  /** Makes it belong to another owner, by default to nobody but the registry: it outlives its parent. */
  handOver(to?: Agent | OwnerScope): void
  /** Cancels it, and waits until its session is gone. The result settles. @throws what its log could not write. */
  dispose(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** What a child has come to, for those who follow a whole service. */
export interface ChildFinished {
  /** Provider of the route that the child last used; empty if it never made a request. */
  readonly provider: string
  /** The name of the child. */
  readonly agentId: string
  readonly parent: string
  readonly child: string
  readonly status: 'ok' | 'error'
  readonly stopReason: StopReason
  readonly lastAssistantMessage?: string
}

/** A service for children. */
export interface Children {
  readonly registry: Registry
  /**
   * Starts a child. Limits, options and route are captured at the call.
   *
   * @returns its run, once it is published and has its prompt.
   * @throws TurnwiseError CHILD_LIMIT, INVALID_OPTION, INVALID_MESSAGE; what creating throws; the reason of `signal`.
   *   Nothing is published then.
   */
  spawn(options: SpawnOptions): Promise<ChildRun>
  /** Lets an agent that no registry made be a parent. */
  adopt(parent: Agent): void
  /** The run of a live child. */
  get(id: string): ChildRun | undefined
  /** Runs of live children, of any depth below `id`. Default: all. */
  list(id?: string): readonly ChildRun[]
  /** Tells of every child that has come to rest; may be handed on without its service. @returns ends it */
  readonly onFinished: (listener: (finished: ChildFinished) => void) => () => void
  /** `spawn_child`, `send_to_child` and `stop_child`, for parents. */
  readonly tools: readonly AnyTool[]
}
