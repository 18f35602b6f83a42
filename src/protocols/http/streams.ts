/**
 * Counts the streams that are open, and refuses one too many.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import { systemClock } from '../../actors/clock.ts'
import { LogCursor } from './log-cursor.ts'
import type { HttpOptions } from './options.ts'
import { overloaded } from './refusal.ts'
import type { FrameSource } from './sse.ts'

export class Streams {
  private readonly options: HttpOptions
  private open = 0

  constructor(options: HttpOptions) {
    this.options = options
  }

  /** A cursor for one more stream. @throws HttpRefusal 503 */
  cursor(agent: Agent, from: number): LogCursor {
    const { clock = systemClock, heartbeatMs = 15_000, maxStreams = 1000 } = this.options
    if (this.open >= maxStreams) throw overloaded(`${maxStreams} open streams`)
    return new LogCursor(agent, from, clock, heartbeatMs)
  }

  /** The same source, counted until it is closed. */
  counted(source: FrameSource): FrameSource {
    this.open += 1
    let open = true
    return {
      next: () => source.next(),
      close: () => {
        if (!open) return
        open = false
        this.open -= 1
        source.close()
      },
    }
  }
}
