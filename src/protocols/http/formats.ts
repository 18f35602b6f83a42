/**
 * The formats an interval can be sent in.
 *
 * @module
 */
import { AgUiStream } from '../../projections/narration/ag-ui.ts'
import { UiMessageStream } from '../../projections/narration/ui-message.ts'
import type { Format } from './interval-frames.ts'

/** Parts of the UI message stream of the AI SDK. */
export function uiMessageFormat(messageId: string): Format {
  const stream = new UiMessageStream()
  return {
    first: [stream.start(messageId)],
    take: (event) => stream.take(event),
    last: () => [...stream.end(), '[DONE]'],
  }
}

/** Says which protocol the stream follows; `useChat` looks at it. */
export const UI_MESSAGE_HEADERS = { 'x-vercel-ai-ui-message-stream': 'v1' } as const

/** Events of AG-UI. */
export function agUiFormat(threadId: string, runId: string): Format {
  const stream = new AgUiStream(threadId, runId)
  return {
    first: [stream.start()],
    take: (event) => stream.take(event),
    last: () => [stream.end()],
  }
}
