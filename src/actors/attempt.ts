/**
 * One streamed request. It appends every chunk itself and reports only its end; chunks never reach a machine.
 *
 * P1 A chunk is appended before it is folded, after a look at the signal.
 * P2 Once it is over (ended, abandoned, timed out) nothing of the stream is recorded any more.
 * P3 Chunks of the policy `live` are told and folded, and recorded nowhere; held ones are recorded before the stream counts
 *    as over.
 * P4 Silence is measured between asking for a chunk and getting it: time in observers and tools does not count.
 *
 * @module
 */
import type { Chunk, FinishReason } from '../events/chunk.ts'
import type { StepAt } from '../events/event.ts'
import type { Failure, Usage } from '../events/message.ts'
import { parseChunk } from '../events/parse-chunk.ts'
import { CancelSignal } from './cancel-signal.ts'
import { ChunkSieve } from './chunk-sieve.ts'
import type { Core } from './core.ts'
import { failureOf } from './failures.ts'
import type { Model, ModelContext, ModelRequest } from './model.port.ts'
import { StreamedBlocks } from './streamed-blocks.ts'

/** The reason with which an attempt aborts its own signal. */
const timeoutReason = (ms: number): Error & { code: string } =>
  Object.assign(new Error(`the stream was silent for ${ms} ms`), { code: 'TIMEOUT' })

/** Failures of a provider that says no more than that it failed. */
const SILENT_FAILURES: { readonly [reason in FinishReason]?: Failure } = {
  error: { code: 'UNKNOWN', message: 'the provider failed without saying why' },
  aborted: { code: 'ABORTED', message: 'provider stopped' },
}

/** Half a call must never run. */
const BROKEN_CALL: Failure = {
  code: 'TRANSPORT',
  message: 'the stream ended in the middle of a call',
}

/** Where a request stands; its signal is an own property, made when somebody looks. */
class LazyContext implements ModelContext {
  static readonly #signal: PropertyDescriptor & ThisType<LazyContext> = {
    enumerable: true,
    get() {
      return this.#cancel.signal
    },
  }

  declare readonly signal: AbortSignal
  readonly agent: string
  readonly turn: number
  readonly step: number
  readonly attempt: number
  readonly #cancel: CancelSignal

  constructor(agent: string, { turn, step }: StepAt, attempt: number, cancel: CancelSignal) {
    this.agent = agent
    this.turn = turn
    this.step = step
    this.attempt = attempt
    this.#cancel = cancel
    Object.defineProperty(this, 'signal', LazyContext.#signal)
  }
}

/** One attempt of a step. */
export class Attempt {
  readonly number: number
  readonly blocks = new StreamedBlocks()
  /** Seqs of its chunks. */
  readonly cites: number[] = []
  usage: Usage | undefined
  finish: FinishReason | undefined
  failure: Failure | undefined
  /** What the log refused a chunk with: a failure of the turn, which nobody may recover from. */
  refusal: { readonly error: unknown } | undefined
  over = false
  private readonly core: Core
  private readonly at: StepAt
  private readonly cancel: CancelSignal
  private readonly ended: () => void
  private readonly sieve: ChunkSieve
  private waitingSince = 0
  private dropTimer: (() => void) | undefined
  private iterator: AsyncIterator<Chunk> | undefined

  /** @param ended - told once, inside the mailbox, when the stream is over by itself or by its silence. */
  constructor(core: Core, at: StepAt, number: number, ended: () => void) {
    this.core = core
    this.at = at
    this.number = number
    this.ended = ended
    this.cancel = new CancelSignal(core.cancel)
    const { chunks } = core.settings
    this.sieve = new ChunkSieve(
      chunks,
      (chunk) => {
        this.keep(chunk)
      },
      (ms, fire) => core.after(ms, fire),
    )
  }

  /** Starts the stream; never rejects. */
  start(model: Model, request: ModelRequest): void {
    const { core, cancel } = this
    const context = new LazyContext(core.id, this.at, this.number, cancel)
    this.watchSilence(core.settings.streamIdleMs)
    void core
      .call('model', () => this.consume(model.stream(request, context)))
      .catch((error: unknown) => {
        if (!cancel.aborted) this.failure ??= failureOf(error)
      })
      .then(() => {
        this.end()
      })
  }

  /** The stream is left behind: what is held back is recorded, what comes later nowhere. Only inside the mailbox. */
  abandon(): void {
    if (this.over) return
    this.sieve.flush()
    this.settle()
    this.closeStream()
  }

  private async consume(stream: AsyncIterable<Chunk>): Promise<void> {
    const iterator = stream[Symbol.asyncIterator]()
    this.iterator = iterator
    let chunk!: Chunk
    const keep = (): void => {
      this.sieve.take(chunk)
    }
    const { clock } = this.core.settings
    for (;;) {
      this.waitingSince = clock.now()
      const next = await iterator.next()
      this.waitingSince = Infinity
      if (this.over || this.cancel.aborted) {
        this.closeStream()
        return
      }
      if (next.done === true) break
      chunk = parseChunk(next.value)
      this.core.mailbox.now(keep)
      if (this.finish !== undefined || this.refusal !== undefined) {
        this.closeStream()
        return
      }
    }
    this.failure ??= { code: 'TRANSPORT', message: 'the stream ended without a finish' }
  }

  private keep(chunk: Chunk): void {
    if (!this.told(chunk)) return
    if (chunk.kind === 'usage') this.usage = chunk.usage
    else if (chunk.kind === 'finish') this.close(chunk)
    else this.blocks.add(chunk)
  }

  /** @returns false when the log refused the chunk. */
  private told(chunk: Chunk): boolean {
    const { core } = this
    const { turn, step } = this.at
    const data = { turn, step, attempt: this.number, chunk }
    if (core.settings.chunks.policy === 'live') {
      core.notify({ type: 'chunk', ...data })
      return true
    }
    const stored = core.record({ type: 'assistant/chunk', data })
    if (stored === undefined) this.refusal = { error: core.refusal }
    else this.cites.push(stored.seq)
    return stored !== undefined
  }

  private close(chunk: Chunk & { kind: 'finish' }): void {
    this.finish = chunk.reason
    this.failure = chunk.failure ?? SILENT_FAILURES[chunk.reason]
    if (this.failure !== undefined || chunk.reason === 'max-tokens') return
    if (this.blocks.hasOpenCall) this.failure = BROKEN_CALL
  }

  /** The end reaches the machine also after an abort: the drain waits for it. */
  private end(): void {
    if (this.over) return
    this.core.mailbox.now(() => {
      this.sieve.flush()
    })
    this.settle()
    this.core.signal(this.ended)
  }

  /** No more comes of it; its signal goes on following that of the turn. */
  private settle(): void {
    this.over = true
    this.dropTimer?.()
    this.dropTimer = undefined
  }

  /** Ends the iteration without waiting for it. */
  private closeStream(): void {
    const { iterator } = this
    this.iterator = undefined
    if (iterator?.return === undefined) return
    void (async () => iterator.return?.())().catch(() => {
      // A stream that fails while it is closed has nothing left to say.
    })
  }

  private watchSilence(idleMs: number): void {
    if (idleMs === 0) return
    const { clock } = this.core.settings
    const look = (): void => {
      const silent = clock.now() - this.waitingSince
      if (silent >= idleMs) this.fallSilent(idleMs)
      else this.dropTimer = this.core.after(idleMs - Math.max(silent, 0), look)
    }
    this.dropTimer = this.core.after(idleMs, look)
  }

  private fallSilent(idleMs: number): void {
    if (this.over || this.cancel.aborted) return
    const reason = timeoutReason(idleMs)
    this.failure = { code: 'TIMEOUT', message: reason.message }
    this.cancel.abort(reason)
    this.closeStream()
    this.end()
  }
}
