/**
 * A body of server-sent events that its reader pulls.
 *
 * S1 Nothing is produced while the reader has not taken what was sent: a slow reader holds one frame, and never the agent.
 * S2 Frames are made one after another, from a cursor; where the reader went away the cursor is closed once.
 *
 * @module
 */

/** One frame, without its end. */
export interface Frame {
  /** Name of the event; left out for formats that have none. */
  readonly event?: string
  readonly id?: number
  readonly data: string
}

/** Where frames come from. */
export interface FrameSource {
  /** The next frame; undefined when there is none any more. Waits while there is nothing yet. */
  next(): Promise<Frame | 'beat' | undefined>
  /** The reader has gone, or the source has ended. */
  close(): void
}

const CODER = new TextEncoder()

const textOf = ({ event, id, data }: Frame): string => {
  const name = event === undefined ? '' : `event: ${event}\n`
  const number = id === undefined ? '' : `id: ${id}\n`
  return `${name}${number}data: ${data}\n\n`
}

/** Frames as a body. A source that throws ends it; its reader comes back with the id of the last frame it saw. */
export function bodyOf(source: FrameSource, report: (error: unknown) => void): ReadableStream {
  let over = false
  const close = (): void => {
    if (over) return
    over = true
    source.close()
  }
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const frame = await source.next()
          if (over) return
          if (frame !== undefined) {
            controller.enqueue(CODER.encode(frame === 'beat' ? ': \n\n' : textOf(frame)))
            return
          }
          close()
          controller.close()
        } catch (error) {
          close()
          report(error)
          controller.error(error)
        }
      },
      cancel: close,
    },
    // Nothing is made ahead of its reader.
    { highWaterMark: 0 },
  )
}

/** An answer that streams `source`. */
export const streamOf = (
  source: FrameSource,
  report: (error: unknown) => void,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(bodyOf(source, report), {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-content-type-options': 'nosniff',
      // Proxies that buffer would hold the events back.
      'x-accel-buffering': 'no',
      ...headers,
    },
  })
