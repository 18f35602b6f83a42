/**
 * The calls of one step: which are started, which are committed, and what stops the rest.
 *
 * @module
 */
import type { StepAt } from '../events/event.ts'
import type { Outcome } from '../events/message.ts'
import { ABORTED_BEFORE_DISPATCH, ARGUMENTS_CUT } from './synthetic.ts'
import type { StreamedCall } from './streamed-blocks.ts'
import { ToolCall } from './tool-call.ts'

/** Refused synthetic answers after which the step is left to the closing of open brackets. */
const MAX_REFUSALS = 2

/** A plain record with the questions that several rooms ask of it. */
export class CallBatch {
  readonly at: StepAt
  readonly calls: readonly ToolCall[]
  /** The step was truncated: none may run. */
  readonly cut: boolean
  /** Index of the next call to start. */
  next = 0
  /** Index of the next call to commit. */
  committed = 0
  /** Bodies that run. */
  running = 0
  /** The running group is a parallel one. */
  parallel = false
  settledNow: ToolCall[] = []
  /** The head has waited in `toolPost` for more than a macrotask. */
  waits = false
  /** Something of the runtime failed: no further starts. */
  broken = false
  /** Outcome of every call, fixed by the repeat guard. */
  verdict: Outcome | undefined
  /** The call whose approval the machine waits for. */
  waitingFor: ToolCall | undefined
  /** Lets the machine go on once that approval is answered. */
  resume: (() => void) | undefined
  private refusals = 0

  constructor(at: StepAt, calls: readonly StreamedCall[], cut: boolean) {
    this.at = at
    this.calls = calls.map((call) => new ToolCall(call))
    this.cut = cut
  }

  /** What settles now may wait long for its turn: behind a slow `toolPost`, or behind an approval. */
  get isHeldUp(): boolean {
    return this.waits || this.waitingFor !== undefined
  }

  /** The call to commit next; undefined when all are committed. */
  get head(): ToolCall | undefined {
    return this.calls[this.committed]
  }

  /** No call may start any more, whatever the signal says. */
  get stopped(): boolean {
    return this.broken || this.cut || this.verdict !== undefined
  }

  /** What a call gets that will not run. */
  get syntheticOutcome(): Outcome {
    return this.verdict ?? (this.cut ? ARGUMENTS_CUT : ABORTED_BEFORE_DISPATCH)
  }

  /** The log refuses even the answers. */
  get gaveUp(): boolean {
    return this.refusals >= MAX_REFUSALS
  }

  refused(): void {
    this.refusals += 1
  }

  /** Is the outcome of an earlier call not known yet? */
  hasUnknownBefore(call: ToolCall): boolean {
    const before = this.calls.slice(this.committed, this.calls.indexOf(call))
    return before.some(({ outcome }) => outcome === undefined)
  }
}
