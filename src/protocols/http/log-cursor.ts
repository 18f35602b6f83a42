/**
 * Reads one session from a position on, event by event, as fast as its reader takes them.
 *
 * C1 Events come from the log itself, so that a slow reader costs nothing but its position.
 * C2 Chunks that are recorded nowhere wait in a bounded list, in their place among the events; what does not fit is left
 *    out with the rest of its attempt, so that what was told is the beginning of what its message says.
 * C3 A wait ends with an event, with a notice, with a beat of the clock, or with the agent.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { Clock } from '../../actors/clock.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { LiveChunk } from '../../projections/narration/narration.ts'

/** Chunks that are held for a reader that is behind. */
const MAX_CHUNKS = 256
/** Events taken out of the log at once. */
const PAGE = 64

export class LogCursor {
  private readonly agent: Agent
  private readonly clock: Clock
  private readonly beatMs: number
  private position: number
  private page: StoredEvent[] = []
  /** Chunks, each with the length of the log when it came. */
  private chunks: { readonly after: number; readonly chunk: LiveChunk }[] = []
  /** The attempt of which something was left out. */
  private cut: LiveChunk | undefined
  private wake: () => void = () => {}
  private closed = false
  private readonly undos: (() => void)[]

  /** @param from - seq of the first event. */
  constructor(agent: Agent, from: number, clock: Clock, beatMs: number) {
    this.agent = agent
    this.clock = clock
    this.beatMs = beatMs
    this.position = from
    this.undos = [
      agent.subscribe({ from: agent.log.length }, () => {
        this.wake()
      }),
      agent.listen((notice) => {
        if (notice.type === 'chunk') this.hold(notice)
        else if (notice.type !== 'diagnostic') this.wake()
      }),
    ]
  }

  /** Nothing can come any more. */
  get ended(): boolean {
    return this.closed || this.agent.status === 'disposed'
  }

  /** The next event or chunk, if it is there. @param end - seq of the first event that is not taken. */
  take(end = Infinity): StoredEvent | LiveChunk | undefined {
    if (this.closed || this.position >= end) return undefined
    return this.chunk() ?? this.event()
  }

  private chunk(): LiveChunk | undefined {
    const [first] = this.chunks
    if (first === undefined || first.after > this.position) return undefined
    this.chunks.shift()
    return first.chunk
  }

  private event(): StoredEvent | undefined {
    if (this.page.length === 0 && this.position < this.agent.log.length)
      this.page = [...this.agent.log.read(this.position, this.position + PAGE)]
    const event = this.page.shift()
    if (event !== undefined) this.position = event.seq + 1
    return event
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    for (const undo of this.undos) undo()
    this.chunks = []
    this.wake()
  }

  private hold(chunk: LiveChunk): void {
    if (this.cut !== undefined && isSameAttempt(this.cut, chunk)) return
    this.cut = this.chunks.length < MAX_CHUNKS ? undefined : chunk
    if (this.cut === undefined) this.chunks.push({ after: this.agent.log.length, chunk })
    this.wake()
  }

  /** Waits until there may be more. @returns whether nothing came but the beat of the clock */
  wait(): Promise<boolean> {
    return new Promise((resolve) => {
      const over = (beat: boolean): void => {
        drop()
        this.wake = () => {}
        resolve(beat)
      }
      const drop = this.clock.after(this.beatMs, () => {
        over(true)
      })
      this.wake = () => {
        over(false)
      }
    })
  }

  /** Ends a wait. */
  poke(): void {
    this.wake()
  }
}

const isSameAttempt = (one: LiveChunk, other: LiveChunk): boolean =>
  one.turn === other.turn && one.step === other.step && one.attempt === other.attempt
