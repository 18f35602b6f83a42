/**
 * Recognises calls that repeat within a turn: a tail of the canonical calls that is one period over and over.
 *
 * @module
 */
import type { RepeatGuard } from './agent-options.ts'
import { canonical } from './request-config.ts'
import type { ToolCall } from './tool-call.ts'

/** Watches the calls of one turn after another. */
export class RepeatWatch {
  private readonly guard: Required<RepeatGuard> | undefined
  private turn = 0
  private seen: string[] = []

  constructor(guard: Required<RepeatGuard> | undefined) {
    this.guard = guard
  }

  /** Takes the calls of a step. @returns what is to be done where the turn's calls repeat now. */
  take(turn: number, calls: readonly ToolCall[]): Required<RepeatGuard>['action'] | undefined {
    if (this.guard === undefined) return undefined
    if (turn !== this.turn) {
      this.turn = turn
      this.seen = []
    }
    for (const { streamed, input } of calls) this.seen.push(`${streamed.name} ${canonical(input)}`)
    const { maxPeriod, repeats, action } = this.guard
    const longest = maxPeriod * repeats
    if (this.seen.length > longest) this.seen.splice(0, this.seen.length - longest)
    for (let period = 1; period <= maxPeriod; period += 1)
      if (this.isPeriodic(period, repeats)) return action
    return undefined
  }

  private isPeriodic(period: number, repeats: number): boolean {
    const { seen } = this
    const length = period * repeats
    if (seen.length < length) return false
    for (let i = seen.length - length; i < seen.length - period; i += 1) {
      if (seen[i] !== seen[i + period]) return false
    }
    return true
  }
}
