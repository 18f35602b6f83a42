/**
 * The runs of one client: at most one at a time on each session.
 *
 * @module
 */
import type { AgentStatus, RunResult } from '../../actors/agent-handle.ts'
import { systemClock } from '../../actors/clock.ts'
import { causeChain, TurnwiseError } from '../../errors.ts'
import type { ContentBlock, MessageId } from '../../events/message.ts'
import type { Notification } from '../json-rpc/notifications.ts'
import type { ParamsOf } from '../json-rpc/wire.ts'
import { SdkProtocolError } from './client-errors.ts'
import { Interval } from './interval.ts'
import type { Reader } from './subscription.ts'

export interface ClientRunOptions {
  /** Default: that of the client. */
  readonly concurrentRuns?: 'queue' | 'reject'
  /** Gives up waiting, not the work. */
  readonly timeoutMs?: number
  /** Sees what happens in the session and its descendants meanwhile. What it throws rejects the run. */
  readonly observer?: (notification: Notification) => void
  /** Default: a new one. */
  readonly messageId?: MessageId
  readonly actor?: string
}

/** What runs need of their client. */
export interface RunSource {
  start(): Promise<unknown>
  call(method: 'session/prompt', params: ParamsOf<'session/prompt'>): Promise<unknown>
  /** Hands on what concerns a session and its descendants. @returns ends it. */
  watch(reader: Reader, within: string): () => void
  statusOf(sessionId: string): AgentStatus | undefined
}

/** The runs. */
export class Runs {
  private readonly source: RunSource
  private readonly concurrentRuns: 'queue' | 'reject'
  /** Settles when the last run of a session has. */
  private readonly last = new Map<string, Promise<void>>()

  constructor(source: RunSource, concurrentRuns: 'queue' | 'reject') {
    this.source = source
    this.concurrentRuns = concurrentRuns
  }

  run(
    sessionId: string,
    input: string | readonly ContentBlock[],
    options: ClientRunOptions,
  ): Promise<RunResult> {
    const before = this.last.get(sessionId)
    const { concurrentRuns = this.concurrentRuns, timeoutMs } = options
    if (before !== undefined && concurrentRuns === 'reject') return Promise.reject(busy(sessionId))
    const start = (): Promise<RunResult> => this.interval(sessionId, input, options)
    const result = before === undefined ? start() : before.then(start)
    const over = (): void => {
      if (this.last.get(sessionId) === settled) this.last.delete(sessionId)
    }
    const settled: Promise<void> = result.then(over, over)
    this.last.set(sessionId, settled)
    return timeoutMs === undefined ? result : limited(result, sessionId, timeoutMs)
  }

  private interval(
    sessionId: string,
    input: string | readonly ContentBlock[],
    { observer, messageId, actor }: ClientRunOptions,
  ): Promise<RunResult> {
    const { source } = this
    // Whatever is asked in this tick and behind it is sent behind it.
    const started = source.start()
    const interval = new Interval(sessionId, source.statusOf(sessionId))
    const stops: (() => void)[] = []
    const settled = new Promise<RunResult>((resolve, reject) => {
      const look = (): void => {
        if (interval.result !== undefined) resolve(interval.result)
      }
      const hear = (notification: Notification): void => {
        try {
          observer?.(notification)
        } catch (error) {
          // Whoever threw is told nothing more.
          stop()
          reject(error)
          return
        }
        follow(() => interval.hear(notification))
        queueMicrotask(settle)
      }
      const follow = (step: () => void): void => {
        try {
          step()
        } catch (error) {
          reject(odd(error))
        }
      }
      const settle = (): void => {
        follow(() => {
          interval.settle()
          look()
        })
      }
      const fail = (error: Error): void => {
        // What was over before stays so.
        settle()
        reject(error)
      }
      const stop = source.watch({ hear, fail }, sessionId)
      stops.push(stop)
      const receive = (answer: unknown): void => {
        const received = idOf(answer)
        follow(() => interval.receive(received))
        settle()
      }
      const prompt = {
        sessionId,
        contentBlocks: typeof input === 'string' ? [{ type: 'text' as const, text: input }] : input,
        ...(messageId !== undefined && { messageId }),
        ...(actor !== undefined && { actor }),
      }
      started.catch(reject)
      source.call('session/prompt', prompt).then(receive).catch(reject)
    })
    return settled.finally(() => {
      for (const stop of stops) stop()
    })
  }
}

/** What was told passed as far as it was looked at, and turned out wrong further inside. */
const odd = (error: unknown): SdkProtocolError =>
  new SdkProtocolError(
    `expected events that can be read, but ${causeChain(error)}; the run was given up.`,
    { cause: error },
  )

function idOf(answer: unknown): MessageId {
  const id = (answer as { readonly messageId?: unknown } | null | undefined)?.messageId
  if (typeof id === 'string' && id !== '') return id
  throw new SdkProtocolError('expected a receipt with the id of the message, found none.')
}

const busy = (sessionId: string): TurnwiseError =>
  new TurnwiseError(
    'RUN_IN_PROGRESS',
    `expected no other run on session ${sessionId}, found one; nothing was sent. Wait for it, or let runs queue.`,
  )

function limited(
  result: Promise<RunResult>,
  sessionId: string,
  timeoutMs: number,
): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const drop = systemClock.after(timeoutMs, () => {
      reject(
        new TurnwiseError(
          'RUN_TIMEOUT',
          `the run on session ${sessionId} took longer than ${timeoutMs} ms; the work goes on. Cancel it if it must not.`,
        ),
      )
    })
    result.finally(drop).then(resolve, reject)
  })
}
