/**
 * Open questions of a step, answered by a command or by the clock: durable, keyed by call, closed by a cancel.
 *
 * Q1 A question closes once: the first answer counts, and a later one is refused with nothing recorded.
 * Q2 Anything but an explicit allow denies, also that nobody answers in time.
 * Q3 Answers that are given together are recorded together, or not at all.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import type { ApprovalAnswer, NewEvent, StepAt } from '../events/event.ts'
import { approvals as approvalsFold } from '../projections/approvals.ts'
import type { CallAnswer } from './approval.port.ts'
import type { CallBatch } from './call-batch.ts'
import type { Core } from './core.ts'
import type { ToolCall } from './tool-call.ts'

/** Who closes a question that nobody has answered. */
const RUNTIME = 'turnwise'
const EXPIRED = 'nobody answered in time'

/** The event that asks about `call`. */
function questionOf(at: StepAt, { streamed, input, pre }: ToolCall, now: number): NewEvent {
  const { prompt, expiresMs }: { prompt?: string; expiresMs?: number } =
    pre?.kind === 'ask' ? pre : {}
  const question = {
    tool: streamed.name,
    arguments: input,
    ...(prompt !== undefined && { prompt }),
    ...(expiresMs !== undefined && { expiresAt: Math.ceil(now + expiresMs) }),
  }
  return { type: 'approval/asked', data: { ...at, call: streamed.call, question } }
}

/** Does the log know all that came of it? */
const isNoted = ({ outcome, noted, contexts }: ToolCall): boolean =>
  outcome !== undefined && noted && contexts.length === 0

const closed = (id: string, found: string): TurnwiseError =>
  new TurnwiseError(
    'APPROVAL_CLOSED',
    `expected the call of an open question, found ${id}${found}; nothing was recorded. The turn may have ended or the question been answered.`,
  )

/** The approvals of one agent. */
export class Approvals {
  private readonly core: Core
  private readonly batchOf: () => CallBatch
  private readonly timers = new Map<ToolCall, () => void>()
  private known = approvalsFold.initial
  private read = 0

  constructor(core: Core, batchOf: () => CallBatch) {
    this.core = core
    this.batchOf = batchOf
  }

  /** Calls whose question is open. */
  get open(): readonly ToolCall[] {
    return this.batchOf().calls.filter((call) => call.asked && call.answer === undefined)
  }

  /** Those that may still be answered: a cancel, or an outcome, closes questions at once; its record comes later. */
  get answerable(): readonly ToolCall[] {
    return this.core.aborted ? [] : this.open.filter((call) => call.outcome === undefined)
  }

  /**
   * Does the turn do nothing but wait for answers? Then it may be left as it is: what else was called has an outcome that
   * the log knows, and nothing that only this process knows.
   */
  get standsStill(): boolean {
    const { calls, committed, running } = this.batchOf()
    const { answerable } = this
    const owed = calls.slice(committed).filter((call) => call.seq !== undefined)
    return (
      running === 0 &&
      answerable.length > 0 &&
      owed.every((call) => isNoted(call) || answerable.includes(call))
    )
  }

  /** Was a call of this tool allowed in this session? */
  hasAllowed(tool: string): boolean {
    const { log } = this.core
    for (const event of log.read(this.read)) this.known = approvalsFold.evolve(this.known, event)
    this.read = log.length
    return this.known.allowed.includes(tool)
  }

  /** The open question of `id`: the key of a call, or the provider's id where only one open call has it. */
  private find(id: string): ToolCall {
    const open = this.answerable
    const byKey = open.find((call) => call.streamed.call.key === id)
    const byProvider = open.filter((call) => call.streamed.call.providerId === id)
    const [only] = byProvider
    if (byKey !== undefined) return byKey
    if (only !== undefined && byProvider.length === 1) return only
    throw closed(id, byProvider.length > 1 ? ', which several have: name one by its key' : '')
  }

  /** Are these open questions, each named once? @throws TurnwiseError APPROVAL_CLOSED */
  check(answers: readonly CallAnswer[]): readonly ToolCall[] {
    const calls = answers.map(({ call }) => this.find(call))
    const twice = answers.find((_, at) => calls.indexOf(calls[at] as ToolCall) < at)
    if (twice !== undefined) throw closed(twice.call, ', which is named twice')
    return calls
  }

  /** Records answers. The machine goes on in a later microtask. @throws TurnwiseError APPROVAL_CLOSED */
  answer(answers: readonly CallAnswer[]): void {
    const calls = this.check(answers)
    const events = answers.map(({ answer, by, reason }, at) =>
      this.decided(calls[at] as ToolCall, answer, by ?? 'user', reason ?? ''),
    )
    if (events.length === 0) return
    this.core.append(events)
    for (const [at, { answer, by, reason }] of answers.entries())
      this.close(calls[at] as ToolCall, answer === 'allow', by ?? 'user', reason ?? '')
    this.goOn()
  }

  private decided(call: ToolCall, answer: ApprovalAnswer, by: string, reason: string): NewEvent {
    const { at } = this.batchOf()
    const why = reason === '' ? {} : { reason }
    return {
      type: 'approval/decided',
      data: { ...at, call: call.streamed.call, answer, by, ...why },
    }
  }

  private close(call: ToolCall, allow: boolean, by: string, reason: string): void {
    call.answer = { allow, by, reason: reason === '' ? 'not approved' : reason }
    this.timers.get(call)?.()
    this.timers.delete(call)
  }

  /** Lets the machine go on, where it waits for one that is answered. */
  private goOn(): void {
    const { core } = this
    const batch = this.batchOf()
    const waited = batch.waitingFor
    if (waited?.answer === undefined) return
    const { activity } = core
    queueMicrotask(() => {
      core.signal(() => {
        if (batch.waitingFor === waited && !core.aborted) batch.resume?.()
      }, activity)
    })
  }

  /** Asks about `calls`. Whoever sees the record of a question may answer it there and then. @returns did the log take it? */
  ask(calls: readonly ToolCall[]): boolean {
    const { core } = this
    const { at } = this.batchOf()
    const events = calls.map((call) => questionOf(at, call, core.now()))
    for (const call of calls) call.asked = true
    if (core.record(events) === undefined) {
      for (const call of calls) call.asked = false
      return false
    }
    for (const call of calls) this.watchNew(call)
    return true
  }

  private watchNew(call: ToolCall): void {
    const { pre, answer } = call
    if (answer === undefined && pre?.kind === 'ask' && pre.expiresMs !== undefined)
      this.watch(call, Math.ceil(this.core.now() + pre.expiresMs))
  }

  /** From here on the clock may close the question of `call`. */
  watch(call: ToolCall, expiresAt: number): void {
    const { core } = this
    const { activity } = core
    const expire = (): void => {
      if (core.activity !== activity || !this.answerable.includes(call)) return
      // A clock may not wait as long as that.
      if (core.now() < expiresAt) this.watch(call, expiresAt)
      else this.expire(call)
    }
    this.timers.set(call, core.after(Math.max(0, expiresAt - core.now()), expire))
  }

  /** A log that refuses the record leaves the call denied all the same. */
  private expire(call: ToolCall): void {
    this.core.record(this.decided(call, 'expired', RUNTIME, EXPIRED))
    this.close(call, false, RUNTIME, EXPIRED)
    this.goOn()
  }

  /** Nobody waits any more: the clock closes nothing. */
  unwatch(): void {
    for (const drop of this.timers.values()) drop()
    this.timers.clear()
  }

  /** Closes what is open as cancelled. */
  withdraw(): void {
    const { open, core } = this
    core.record(open.map((call) => this.decided(call, 'cancelled', RUNTIME, '')))
    for (const call of open) this.close(call, false, RUNTIME, 'cancelled')
  }
}
