/**
 * One running interval as frames in the format of somebody else: from the insertion of a message to quiescence. What comes
 * after that is no part of it, also where its reader is behind.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { LiveChunk } from '../../projections/narration/narration.ts'
import type { LogCursor } from './log-cursor.ts'
import type { Frame, FrameSource } from './sse.ts'

/** A format: what it makes of each event, and what stands around them. */
export interface Format {
  readonly first: readonly object[]
  readonly take: (event: StoredEvent | LiveChunk) => readonly object[]
  readonly last: () => readonly (object | string)[]
}

export class IntervalFrames implements FrameSource {
  private readonly cursor: LogCursor
  private readonly format: Format
  private waiting: (object | string)[]
  /** Length of the log at quiescence. */
  private end: number | undefined
  private over = false

  /** Made in the tick of the insertion, so that quiescence is not seen before it. */
  constructor(agent: Agent, cursor: LogCursor, format: Format) {
    this.cursor = cursor
    this.format = format
    this.waiting = [...format.first]
    const rested = (): void => {
      this.end = agent.log.length
      cursor.poke()
    }
    // A tool that asks for its own agent cannot wait for it, so its interval is over at once.
    agent.whenIdle().then(rested, rested)
  }

  async next(): Promise<Frame | 'beat' | undefined> {
    for (;;) {
      const part = this.part()
      if (part !== undefined)
        return { data: typeof part === 'string' ? part : JSON.stringify(part) }
      if (this.over) return undefined
      if (await this.cursor.wait()) return 'beat'
    }
  }

  close(): void {
    this.cursor.close()
  }

  private part(): object | string | undefined {
    while (this.waiting.length === 0) {
      const found = this.cursor.take(this.end)
      if (found !== undefined) this.waiting = [...this.format.take(found)]
      else if (this.over || !(this.end !== undefined || this.cursor.ended)) return undefined
      else {
        this.over = true
        this.waiting = [...this.format.last()]
      }
    }
    return this.waiting.shift()
  }
}
