/**
 * Owned runs: an interval from the durable insertion of one message to quiescence.
 *
 * O1 Nothing of the result is attributed to the message: it may be replaced, removed, blocked or cut.
 * O2 Runs of one agent do not overlap: a second one waits for the first, or is refused.
 * O3 A timeout gives up waiting, not the work.
 *
 * @module
 */
import type { Agent, RunOptions, RunResult } from '../actors/agent-handle.ts'
import { systemClock } from '../actors/clock.ts'
import { TurnwiseError } from '../errors.ts'
import type { StoredEvent } from '../events/event.ts'
import type { MessageInput } from '../events/message.ts'
import { fold } from '../projections/projection.ts'
import { runInterval } from '../projections/run-interval.ts'

/** The runs of one agent, one after another. */
export class OwnedRuns {
  private readonly agent: Agent
  private readonly concurrentRuns: 'queue' | 'reject'
  private last: Promise<unknown> = Promise.resolve()
  private underWay = 0

  /** @param concurrentRuns - what a second run does, unless it says otherwise. */
  constructor(agent: Agent, concurrentRuns: 'queue' | 'reject') {
    this.agent = agent
    this.concurrentRuns = concurrentRuns
  }

  /** @throws nothing; rejects with RUN_IN_PROGRESS, RUN_TIMEOUT, or what the message was refused with. */
  run(message: MessageInput, options: RunOptions): Promise<RunResult> {
    const { underWay } = this
    if (underWay > 0 && (options.concurrentRuns ?? this.concurrentRuns) === 'reject') {
      return Promise.reject(
        new TurnwiseError(
          'RUN_IN_PROGRESS',
          `expected no other run on session ${this.agent.id}, found ${underWay}; nothing was written. Wait for it, or let runs queue.`,
        ),
      )
    }
    this.underWay += 1
    const start = (): Promise<RunResult> => this.interval(message, options)
    const result = underWay === 0 ? start() : this.last.then(start)
    const over = (): void => {
      this.underWay -= 1
    }
    // The next run starts when this one has settled, however it did.
    this.last = result.then(over, over)
    return options.timeoutMs === undefined ? result : this.limited(result, options.timeoutMs)
  }

  private async interval(message: MessageInput, { actor }: RunOptions): Promise<RunResult> {
    const { agent } = this
    const from = agent.log.length
    const messageId = agent.followup(message, actor === undefined ? {} : { actor })
    await agent.whenIdle()
    const isOwn = (event: StoredEvent): boolean =>
      event.type === 'inbox/inserted' && event.data.message.id === messageId
    const events = agent.log.read(from)
    const start = events.findIndex(isOwn)
    const interval = start === -1 ? [] : events.slice(start)
    const { turns, finalResponse, usage } = fold(runInterval(messageId), interval)
    return {
      sessionId: agent.id,
      messageId,
      finalResponse,
      events: Object.freeze(interval),
      turns: turns.toArray(),
      usage,
    }
  }

  private limited(result: Promise<RunResult>, timeoutMs: number): Promise<RunResult> {
    const { clock } = this.agent.options
    return new Promise((resolve, reject) => {
      const fire = (): void => {
        reject(
          new TurnwiseError(
            'RUN_TIMEOUT',
            `the run on session ${this.agent.id} took longer than ${timeoutMs} ms; the work goes on. Cancel it if it must not.`,
          ),
        )
      }
      const drop = (clock ?? systemClock).after(timeoutMs, fire)
      result.then(
        (value) => {
          drop()
          resolve(value)
        },
        (error: unknown) => {
          drop()
          reject(error)
        },
      )
    })
  }
}
