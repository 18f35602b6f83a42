/**
 * A run as the UI message stream of the AI SDK (versions 5 to 7), part by part: what `useChat` reads.
 *
 * One running interval is one message, however many turns it has. `reset-step`, which takes back the parts of a failed
 * attempt, is known to version 7 alone.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import type { Json } from '../../events/json.ts'
import type { FileBlock, Outcome, TurnReason } from '../../events/message.ts'
import { type LiveChunk, Narration } from './narration.ts'
import { tell, type Telling } from './told.ts'
import { argumentsOf, outcomeText, outcomeValue, troubleOf } from './words-of.ts'

/** One part of the stream, as it is sent. */
export interface UiPart {
  readonly type: string
  readonly [field: string]: Json | undefined
}

export interface UiMessageOptions {
  /** Take back the parts of failed attempts; needs version 7 of the AI SDK. Default false. */
  readonly resetSteps?: boolean
}

/** How the last turn ended, in the words of the AI SDK. */
const FINISH = {
  completed: 'stop',
  'max-tokens': 'length',
  blocked: 'other',
  aborted: 'other',
  error: 'error',
  limit: 'length',
  interrupted: 'other',
} as const

/** Turns the events of one interval into parts. */
export class UiMessageStream {
  private readonly narration = new Narration()
  private readonly resetSteps: boolean
  private finish: (typeof FINISH)[keyof typeof FINISH] = 'stop'
  /** How the last turn ended, if not of itself. Said at the end: a reader takes nothing behind an error. */
  private trouble: readonly UiPart[] = []

  constructor({ resetSteps = false }: UiMessageOptions = {}) {
    this.resetSteps = resetSteps
  }

  /** The first part. @param messageId - of the message that is built on the other side. */
  start(messageId: string): UiPart {
    return { type: 'start', messageId }
  }

  take(event: StoredEvent | LiveChunk): readonly UiPart[] {
    return this.narration.take(event).flatMap((told) => tell(this.parts, told))
  }

  /** The last parts. */
  end(): readonly UiPart[] {
    return [...this.trouble, { type: 'finish', finishReason: this.finish }]
  }

  private readonly parts: Telling<UiPart> = {
    'turn-start': () => [],
    'step-start': () => [{ type: 'start-step' }],
    'block-start': (told) =>
      told.type === 'tool-call'
        ? [{ type: 'tool-input-start', toolCallId: told.call, toolName: told.name, dynamic: true }]
        : [{ type: `${told.type}-start`, id: told.id }],
    delta: (told) =>
      told.type === 'tool-call'
        ? [{ type: 'tool-input-delta', toolCallId: told.call, inputTextDelta: told.text }]
        : [{ type: `${told.type}-delta`, id: told.id, delta: told.text }],
    // The input is whole when its call is there; a call of an attempt that is cut never existed.
    'block-end': ({ type, id }) => (type === 'tool-call' ? [] : [{ type: `${type}-end`, id }]),
    file: ({ file }) => [{ type: 'file', mediaType: file.mediaType, url: urlOf(file) }],
    failed: () => (this.resetSteps ? [{ type: 'reset-step' }] : []),
    call: ({ call, name, text }) => [
      {
        type: 'tool-input-available',
        toolCallId: call,
        toolName: name,
        input: argumentsOf(text),
        dynamic: true,
      },
    ],
    asked: ({ call }) => [{ type: 'tool-approval-request', approvalId: call, toolCallId: call }],
    answered: () => [],
    outcome: ({ call, outcome }) => [outcomePart(call, outcome)],
    'step-end': () => [{ type: 'finish-step' }],
    'turn-end': ({ reason }) => {
      this.finish = FINISH[reason.kind]
      this.trouble = troublePart(reason)
      return []
    },
  }
}

function troublePart(reason: TurnReason): readonly UiPart[] {
  if (reason.kind === 'aborted') return [{ type: 'abort', reason: reason.cause.kind }]
  const trouble = troubleOf(reason)
  return trouble === undefined ? [] : [{ type: 'error', errorText: trouble }]
}

const urlOf = ({ url, data = '', mediaType }: FileBlock): string =>
  url ?? `data:${mediaType};base64,${data}`

function outcomePart(toolCallId: string, outcome: Outcome): UiPart {
  if (outcome.kind === 'denied') return { type: 'tool-output-denied', toolCallId }
  return outcome.kind === 'ok'
    ? { type: 'tool-output-available', toolCallId, output: outcomeValue(outcome), dynamic: true }
    : { type: 'tool-output-error', toolCallId, errorText: outcomeText(outcome), dynamic: true }
}
