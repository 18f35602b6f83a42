/**
 * The run of one child: from its prompt to quiescence, and again whenever something sets it off.
 *
 * C1 What it comes to is a fold of its log behind what was settled before.
 * C2 The notice to the parent is accepted before the child counts as free, and before its result is known.
 * C3 An attached child hears of every cancel of its parent in the very call; a cancel of the child stays in the child.
 * C4 The result settles on every path and never rejects.
 * C5 What somebody sends it while its end is told is further work, with a result of its own.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import { runOutside } from '../../actors/initiator.ts'
import { doorOf } from '../../actors/service-door.ts'
import { AgentDisposedError } from '../../errors.ts'
import type { MessageId, MessageInput, Source } from '../../events/message.ts'
import {
  childWork,
  type ChildWork,
  restartWork,
  streamedText,
} from '../../projections/child-work.ts'
import type { OwnerScope, Registry } from '../registry-port.ts'
import { deliverBackground, type Delivery } from './background.ts'
import type { ChildResult, ChildRun } from './child-port.ts'
import { settlementOf } from './settlement.ts'
import type { Capture } from './structured-output.ts'

/** What a run is made of. */
export interface RunParts {
  readonly agent: Agent
  readonly parent: Agent
  readonly name: string
  readonly depth: number
  readonly detached: boolean
  readonly continuable: boolean
  readonly capture: Capture | undefined
  readonly registry: Registry
  readonly maxWakes: number
  /** Told when it has come to rest, after the parent and before whoever waits for the result. */
  readonly settled: (run: ChildRun, result: ChildResult) => void
}

const CAUSE = Object.freeze({ kind: 'parent' } as const)

/** One child. */
export class LocalChildRun implements ChildRun {
  readonly id: string
  readonly name: string
  readonly agent: Agent
  readonly parent: Agent
  readonly depth: number
  readonly detached: boolean
  readonly continuable: boolean
  state: ChildRun['state'] = 'running'
  last: ChildResult | null = null
  result: Promise<ChildResult>
  private readonly parts: RunParts
  private work: ChildWork = childWork.initial
  private live = { at: '', text: '' }
  private cancelled = false
  private resolve: (result: ChildResult) => void = () => {}
  /** Whom it tells; null once it belongs to nobody. */
  private owner: Agent | null
  private unfollow: () => void = () => {}
  private disposal: Promise<void> | undefined

  /** @param parts - the agent is not published yet. */
  constructor(parts: RunParts) {
    this.parts = parts
    this.id = parts.agent.id
    this.agent = parts.agent
    this.parent = parts.parent
    this.owner = parts.parent
    this.name = parts.name
    this.depth = parts.depth
    this.detached = parts.detached
    this.continuable = parts.continuable
    this.result = this.nextResult()
    this.follow()
  }

  private follow(): void {
    const { agent, parent } = this
    agent.subscribe({}, (event) => {
      this.work = childWork.evolve(this.work, event)
    })
    // What it was given to start with is not its own.
    this.work = restartWork(this.work)
    agent.listen((notice) => {
      if (notice.type === 'chunk')
        this.live = streamedText(this.live, notice, notice.attempt, notice.chunk)
      else if (notice.type === 'status' && notice.status === 'running') this.begin()
    })
    if (!this.detached)
      this.unfollow = doorOf(parent).onCancel(() => {
        this.cancel()
      })
    agent.onDispose(() => {
      this.unfollow()
      if (this.state === 'free') this.state = 'closed'
    })
  }

  /**
   * Gives it its prompt, unless it was told to stop before.
   *
   * @throws what the prompt is refused with.
   */
  start(prompt: MessageInput): void {
    try {
      if (!this.cancelled) this.agent.followup(prompt)
    } catch (error) {
      // Either somebody has ended it since its publication, or there was no start of which a parent is to be told.
      this.cancelled = true
      if (error instanceof AgentDisposedError) return
      this.owner = null
      throw error
    } finally {
      this.watch()
    }
  }

  private nextResult(): Promise<ChildResult> {
    return new Promise((resolve) => {
      this.resolve = resolve
    })
  }

  /** New work of a child that was free. */
  private begin(): void {
    if (this.state !== 'free') return
    this.state = 'running'
    this.result = this.nextResult()
    this.watch()
  }

  private watch(): void {
    const { agent } = this
    void runOutside(() => agent.whenIdle()).then(() => {
      // Who waited beside it may have set it off again.
      if (agent.status === 'disposed' || doorOf(agent).quiet) this.settle()
      else this.watch()
    })
  }

  private settle(): void {
    const { agent, parts, work, resolve } = this
    const settlement = settlementOf(work, {
      sessionId: this.id,
      cancelled: this.cancelled,
      liveText: this.live.text,
      capture: parts.capture === undefined ? undefined : { ...parts.capture },
    })
    this.restart()
    const notice = this.continuable ? this.tellSettled(settlement) : 'none'
    const result: ChildResult = Object.freeze({ ...settlement, notice })
    this.last = result
    this.state = agent.status === 'disposed' ? 'closed' : 'free'
    if (agent.status === 'running') this.begin()
    else this.cancelled = false
    parts.settled(this, result)
    resolve(result)
  }

  /** From here on everything belongs to further work. */
  private restart(): void {
    const { capture } = this.parts
    this.work = restartWork(this.work)
    this.live = { at: '', text: '' }
    this.cancelled = false
    if (capture !== undefined) Object.assign(capture, { value: undefined, captured: false })
  }

  private tellSettled({ stopReason, output, detail }: Omit<ChildResult, 'notice'>): Delivery {
    const how = detail === undefined ? stopReason : `${stopReason} (${detail})`
    return this.tell(`${this.name} has stopped: ${how}.\n\n${output}`.trimEnd(), 'settled')
  }

  report(content: string): Delivery {
    return this.tell(content, 'report')
  }

  private tell(content: string, event: 'settled' | 'report'): Delivery {
    const { owner, id, parts } = this
    if (owner === null) return 'undelivered'
    const source: Source = { kind: 'child', child: id, event }
    try {
      return deliverBackground(owner, { sender: `child:${id}`, content, source }, parts)
    } catch (error) {
      doorOf(owner).diagnose(error)
      return 'undelivered'
    }
  }

  cancel(): void {
    if (this.state === 'running') this.cancelled = true
    if (!doorOf(this.agent).disposing) this.agent.cancel(CAUSE)
  }

  send(message: MessageInput): MessageId {
    return this.agent.status === 'running'
      ? this.agent.steer(message)
      : this.agent.followup(message)
  }

  handOver(to?: Agent | OwnerScope): void {
    this.parts.registry.handOver(this.agent, to)
    this.unfollow()
    this.owner = to !== undefined && 'inbox' in to ? to : null
  }

  dispose(): Promise<void> {
    this.disposal ??= this.end()
    return this.disposal
  }

  private async end(): Promise<void> {
    this.cancel()
    const { result } = this
    await this.agent.dispose()
    await result
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose()
  }
}
