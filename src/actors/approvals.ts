/**
 * Open questions of a step, answered by a command: durable, keyed by call, closed by a cancel.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import type { NewEvent, StepAt } from '../events/event.ts'
import type { CallBatch } from './call-batch.ts'
import type { Core } from './core.ts'
import type { ToolCall } from './tool-call.ts'

/** Answer of a person or a policy. */
export interface ApprovalInput {
  readonly answer: 'allow' | 'deny'
  readonly by: string
  readonly reason: string
}

/** The event that asks about `call`. */
export function questionOf(at: StepAt, { streamed, input, pre }: ToolCall): NewEvent {
  const prompt = pre?.kind === 'ask' && pre.prompt !== undefined ? { prompt: pre.prompt } : {}
  const question = { tool: streamed.name, arguments: input, ...prompt }
  return { type: 'approval/asked', data: { ...at, call: streamed.call, question } }
}

/** The approvals of one agent. */
export class Approvals {
  private readonly core: Core
  private readonly batchOf: () => CallBatch

  constructor(core: Core, batchOf: () => CallBatch) {
    this.core = core
    this.batchOf = batchOf
  }

  /** Calls whose question is open. */
  get open(): readonly ToolCall[] {
    return this.batchOf().calls.filter((call) => call.asked && call.answer === undefined)
  }

  /** The open question of `id`: the key of a call, or the provider's id where only one open call has it. */
  private find(id: string): ToolCall {
    // A cancel, or an outcome, closes questions at once; their record as cancelled comes with the drain or the result.
    const open = this.core.aborted ? [] : this.open.filter((call) => call.outcome === undefined)
    const byKey = open.find((call) => call.streamed.call.key === id)
    const byProvider = open.filter((call) => call.streamed.call.providerId === id)
    const [only] = byProvider
    if (byKey !== undefined) return byKey
    if (only !== undefined && byProvider.length === 1) return only
    throw new TurnwiseError(
      'APPROVAL_CLOSED',
      `expected the call of an open question, found ${id}; nothing was recorded. The turn may have ended or the question been answered.`,
    )
  }

  /** Is there an open question for `id`? @throws TurnwiseError APPROVAL_CLOSED */
  check(id: string): void {
    this.find(id)
  }

  /** Records the answer. The machine goes on in a later microtask. @throws TurnwiseError APPROVAL_CLOSED */
  answer(id: string, { answer, by, reason }: ApprovalInput): void {
    const { core } = this
    const call = this.find(id)
    const batch = this.batchOf()
    core.append({
      type: 'approval/decided',
      data: {
        ...batch.at,
        call: call.streamed.call,
        answer,
        by,
        ...(reason === '' ? {} : { reason }),
      },
    })
    call.answer = { allow: answer === 'allow', by, reason: reason === '' ? 'not approved' : reason }
    if (batch.waitingFor !== call) return
    const { activity } = core
    queueMicrotask(() => {
      core.signal(() => {
        if (batch.waitingFor === call && !core.aborted) batch.resume?.()
      }, activity)
    })
  }

  /** Closes what is open as cancelled. */
  withdraw(at: StepAt): void {
    const { open, core } = this
    if (open.length === 0) return
    core.record(
      open.map(({ streamed }) => ({
        type: 'approval/decided' as const,
        data: { ...at, call: streamed.call, answer: 'cancelled' as const, by: 'turnwise' },
      })),
    )
    for (const call of open) call.answer = { allow: false, by: 'turnwise', reason: 'cancelled' }
  }
}
