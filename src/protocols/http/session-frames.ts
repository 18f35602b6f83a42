/**
 * A session as frames for whoever follows it: every event with its seq, and between them the status and what is streamed.
 *
 * F1 `event` carries a durable event and its seq as id: `Last-Event-ID` goes on behind it.
 * F2 `delta` carries a chunk: transient, since the message of its step says it again. One that is recorded has its id.
 * F3 `status` is told when everything before it was.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { LiveChunk } from '../../projections/narration/narration.ts'
import type { LogCursor } from './log-cursor.ts'
import type { Frame, FrameSource } from './sse.ts'

export class SessionFrames implements FrameSource {
  private readonly agent: Agent
  private readonly cursor: LogCursor
  private readonly deltas: boolean
  private told = ''

  /** @param deltas - chunks are sent as well. */
  constructor(agent: Agent, cursor: LogCursor, deltas: boolean) {
    this.agent = agent
    this.cursor = cursor
    this.deltas = deltas
  }

  async next(): Promise<Frame | 'beat' | undefined> {
    for (;;) {
      const frame = this.there()
      if (frame !== undefined) return frame
      if (this.cursor.ended) return undefined
      if (await this.cursor.wait()) return 'beat'
    }
  }

  close(): void {
    this.cursor.close()
  }

  /** The next frame, if it can be made now. */
  private there(): Frame | undefined {
    for (;;) {
      const found = this.cursor.take()
      if (found === undefined) return this.status()
      const frame = this.frameOf(found)
      if (frame !== undefined) return frame
    }
  }

  private frameOf(found: StoredEvent | LiveChunk): Frame | undefined {
    if (!('seq' in found))
      return this.deltas ? { event: 'delta', data: JSON.stringify(found) } : undefined
    const { type, seq } = found
    if (type !== 'assistant/chunk') return { event: 'event', id: seq, data: JSON.stringify(found) }
    return this.deltas ? { event: 'delta', id: seq, data: JSON.stringify(found) } : undefined
  }

  private status(): Frame | undefined {
    const { status, activity, parked } = this.agent
    const data = JSON.stringify({ status, activity, parked })
    if (data === this.told) return undefined
    this.told = data
    return { event: 'status', data }
  }
}
