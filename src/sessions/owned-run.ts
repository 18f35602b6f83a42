/**
 * Owned runs: an interval from the durable insertion of one message to quiescence.
 *
 * O1 Nothing of the result is attributed to the message: it may be replaced, removed, blocked or cut.
 * O2 Runs of one agent do not overlap: a second one waits until the work of the first is over, or is refused.
 * O3 A timeout, and an observer that throws, give up waiting, not the work.
 * O4 What is recorded while an answer is judged belongs to the interval only if a repair goes on with it.
 *
 * @module
 */
import type { Agent } from '../actors/agent-handle.ts'
import { systemClock } from '../actors/clock.ts'
import type {
  AgentRun,
  OutputOptions,
  RunOptions,
  RunOutput,
  RunResult,
} from '../actors/run.port.ts'
import { isSchema } from '../actors/schema-issues.ts'
import { doorOf } from '../actors/service-door.ts'
import type { StandardSchema } from '../actors/tool.port.ts'
import { AgentDisposedError, TurnwiseError } from '../errors.ts'
import type { StoredEvent } from '../events/event.ts'
import type { MessageId, MessageInput } from '../events/message.ts'
import { fold } from '../projections/projection.ts'
import { runInterval } from '../projections/run-interval.ts'
import { OutputWish } from './run-output.ts'
import { RunStream } from './run-stream.ts'

type Options = RunOptions & Partial<OutputOptions<StandardSchema>>
/** With output where it was asked for. */
type Result = RunResult & RunOutput<never>

/** One run, as long as it lasts. */
interface Run {
  readonly message: MessageInput
  readonly options: Options
  readonly wish: OutputWish | undefined
  readonly stream: RunStream
  /** Rejects what the caller waits for; the work goes on. */
  readonly giveUp: (error: unknown) => void
}

/** Who hears of its events. */
interface Interval {
  readonly stream: RunStream
  readonly tell: (event: StoredEvent) => void
}

/** Tells the observer of a run, until it throws. */
function tellerOf({ options, giveUp }: Run): Interval['tell'] {
  let { observer } = options
  return (event) => {
    try {
      observer?.(event)
    } catch (error) {
      observer = undefined
      giveUp(error)
    }
  }
}

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

  /**
   * @param refusal - rejects, where the caller may not wait.
   * @throws nothing; rejects with RUN_IN_PROGRESS, RUN_TIMEOUT, INVALID_OPTION, or what the message was refused with.
   */
  run(message: MessageInput, options: Options, refusal?: Promise<never>): AgentRun<Result> {
    const stream = new RunStream(this.agent.log)
    refusal?.catch((error: unknown) => {
      stream.fail(error)
    })
    const result = refusal ?? this.settled(message, options, stream)
    const events = (): AsyncGenerator<StoredEvent, void, undefined> => {
      // Whoever reads the events is told of the rejection there.
      result.catch(() => {})
      return stream.events()
    }
    return Object.assign(result, { events })
  }

  /** What the caller waits for. Its events end with it. */
  private settled(message: MessageInput, options: Options, stream: RunStream): Promise<Result> {
    return new Promise((resolve, reject) => {
      const giveUp = (error: unknown): void => {
        stream.fail(error)
        reject(error)
      }
      const arrive = (result: Result): void => {
        stream.finish()
        resolve(result)
      }
      try {
        this.begin({ message, options, stream, giveUp, arrive })
      } catch (error) {
        giveUp(error)
      }
    })
  }

  /** @throws TurnwiseError RUN_IN_PROGRESS, INVALID_OPTION; nothing was written then. */
  private begin({
    arrive,
    ...run
  }: Omit<Run, 'wish'> & { arrive: (result: Result) => void }): void {
    const { options, giveUp } = run
    checkOptions(options)
    const { output, outputJsonSchema, timeoutMs } = options
    const wish = output === undefined ? undefined : new OutputWish(output, outputJsonSchema)
    const work = this.queued({ ...run, wish })
    const drop = timeoutMs === undefined ? undefined : this.limit(timeoutMs, giveUp)
    void work.then(arrive, giveUp).then(drop)
  }

  /** The work itself, which no impatience ends. */
  private queued(run: Run): Promise<Result> {
    const { underWay } = this
    if (underWay > 0 && (run.options.concurrentRuns ?? this.concurrentRuns) === 'reject') {
      throw new TurnwiseError(
        'RUN_IN_PROGRESS',
        `expected no other run on session ${this.agent.id}, found ${underWay}; nothing was written. Wait for it, or let runs queue.`,
      )
    }
    this.underWay += 1
    const start = (): Promise<Result> => this.interval(run)
    const work = underWay === 0 ? start() : this.last.then(start)
    const over = (): void => {
      this.underWay -= 1
    }
    // The next run starts when this one is over, however it went.
    this.last = work.then(over, over)
    return work
  }

  private limit(timeoutMs: number, reject: (error: unknown) => void): () => void {
    const { clock } = this.agent.options
    return (clock ?? systemClock).after(timeoutMs, () => {
      reject(
        new TurnwiseError(
          'RUN_TIMEOUT',
          `the run on session ${this.agent.id} took longer than ${timeoutMs} ms; the work goes on. Cancel it if it must not.`,
        ),
      )
    })
  }

  private async interval(run: Run): Promise<Result> {
    const { message, options, wish, stream } = run
    const { agent } = this
    const by = options.actor === undefined ? {} : { actor: options.actor }
    const from = agent.log.length
    const messageId = agent.followup(wish?.within(message) ?? message, by)
    const interval = { stream, tell: tellerOf(run) }
    const result = await this.atRest(interval, from, messageId)
    if (wish === undefined) return result as Result
    const next = agent.log.length
    const { output, repair } = await wish.judge(result)
    if (repair === undefined || !this.isSent(repair, by))
      return { ...result, ...(output as RunOutput<never>) }
    const repaired = await this.atRest(interval, from, messageId, next)
    const judged = await wish.judge(repaired)
    return { ...repaired, ...(judged.output as RunOutput<never>) }
  }

  /** Follows the work from `next` on until it has come to rest. @returns the result of the whole interval so far. */
  private async atRest(
    { stream, tell }: Interval,
    from: number,
    messageId: MessageId,
    next = from,
  ): Promise<RunResult> {
    const { agent } = this
    stream.goOn()
    const leave = agent.subscribe({ from: next }, (event) => {
      if (!stream.begun && !isInsertion(event, messageId)) return
      if (!stream.begun) stream.begin(event.seq)
      stream.look()
      tell(event)
    })
    await agent.whenIdle()
    leave()
    stream.rest()
    return this.resultOf(from, messageId)
  }

  /** A repair that is refused leaves the answer what it is. */
  private isSent(repair: MessageInput, by: Pick<RunOptions, 'actor'>): boolean {
    try {
      this.agent.followup(repair, by)
      return true
    } catch (error) {
      if (!(error instanceof AgentDisposedError)) doorOf(this.agent).diagnose(error)
      return false
    }
  }

  /** What happened from the insertion on; all that came before is passed over. */
  private resultOf(from: number, messageId: MessageId): RunResult {
    const { agent } = this
    const events = agent.log.read(from)
    const start = events.findIndex((event) => isInsertion(event, messageId))
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
}

const isInsertion = (event: StoredEvent, id: MessageId): boolean =>
  event.type === 'inbox/inserted' && event.data.message.id === id

const CHECKS: readonly (readonly [keyof Options, string, (value: unknown) => boolean])[] = [
  ['timeoutMs', 'a positive number of ms', (ms) => typeof ms === 'number' && ms > 0],
  ['concurrentRuns', 'queue or reject', (word) => word === 'queue' || word === 'reject'],
  ['output', 'a schema of Standard Schema', isSchema],
  ['observer', 'a function', (observer) => typeof observer === 'function'],
]

function checkOptions(options: Options): void {
  for (const [name, expected, fits] of CHECKS) {
    const value = options[name]
    if (value === undefined || fits(value)) continue
    throw new TurnwiseError(
      'INVALID_OPTION',
      `option ${name} of run() should be ${expected}; nothing was written.`,
    )
  }
}
