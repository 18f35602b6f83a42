/**
 * A run as events of AG-UI 1.0, as `@ag-ui/client` reads them.
 *
 * A running interval is one run: `RUN_STARTED` first, then what happens, `RUN_FINISHED` or `RUN_ERROR` last. Attempts that
 * failed leave their text behind; a message of its own begins with each attempt, and so does a call: one that was begun
 * before gets an id of its own. `call` in the custom events is the key that answers to approvals name.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import type { Json } from '../../events/json.ts'
import type { TurnReason } from '../../events/message.ts'
import { type LiveChunk, Narration } from './narration.ts'
import { tell, type Telling } from './told.ts'
import { outcomeText, troubleOf } from './words-of.ts'

/** One event of AG-UI, as it is sent. */
export interface AgUiEvent {
  readonly type: string
  readonly [field: string]: Json | undefined
}

/** Turns the events of one interval into events of AG-UI. */
export class AgUiStream {
  private readonly narration = new Narration()
  private readonly threadId: string
  private readonly runId: string
  /** Calls of the present attempt that were streamed. */
  private readonly begun = new Set<string>()
  /** Under which id each call was told last. */
  private readonly ids = new Map<string, string>()
  private last: TurnReason = { kind: 'completed' }

  /** @param threadId - the session. */
  constructor(threadId: string, runId: string) {
    this.threadId = threadId
    this.runId = runId
  }

  start(): AgUiEvent {
    return { type: 'RUN_STARTED', threadId: this.threadId, runId: this.runId }
  }

  take(event: StoredEvent | LiveChunk): readonly AgUiEvent[] {
    return this.narration.take(event).flatMap((told) => tell(this.events, told))
  }

  /** How the run ended: by an error where its last turn did. */
  end(): AgUiEvent {
    const { threadId, runId, last } = this
    if (last.kind === 'error') return { type: 'RUN_ERROR', message: last.message, code: last.code }
    return {
      type: 'RUN_FINISHED',
      threadId,
      runId,
      result: { reason: last.kind, note: troubleOf(last) ?? '' },
    }
  }

  /** Begins a call. @param other - its id, where its key was told before. */
  private opened(call: string, other: string, toolCallName: string): AgUiEvent {
    const toolCallId = this.ids.has(call) ? other : call
    this.ids.set(call, toolCallId)
    return { type: 'TOOL_CALL_START', toolCallId, toolCallName }
  }

  private idOf(call: string): string {
    return this.ids.get(call) ?? call
  }

  private readonly events: Telling<AgUiEvent> = {
    'turn-start': () => [],
    'step-start': (told) => [{ type: 'STEP_STARTED', stepName: nameOf(told) }],
    'block-start': (told) => {
      if (told.type !== 'tool-call') {
        const [type, role] = START[told.type]
        return [{ type, messageId: told.id, role }]
      }
      this.begun.add(told.call)
      return [this.opened(told.call, told.id, told.name)]
    },
    delta: (told) => [
      told.type === 'tool-call'
        ? { type: 'TOOL_CALL_ARGS', toolCallId: this.idOf(told.call), delta: told.text }
        : { type: CONTENT[told.type], messageId: told.id, delta: told.text },
    ],
    'block-end': (told) => [
      told.type === 'tool-call'
        ? { type: 'TOOL_CALL_END', toolCallId: this.idOf(told.call) }
        : { type: END[told.type], messageId: told.id },
    ],
    file: () => [],
    failed: ({ message }) => {
      this.begun.clear()
      return [{ type: 'CUSTOM', name: 'turnwise/attempt-failed', value: { message } }]
    },
    // A call that was not streamed is told whole.
    call: ({ call, name, text }) => {
      if (this.begun.delete(call)) return []
      const start = this.opened(call, `${call}.whole`, name)
      const toolCallId = this.idOf(call)
      const whole = text === '' ? [] : [{ type: 'TOOL_CALL_ARGS', toolCallId, delta: text }]
      return [start, ...whole, { type: 'TOOL_CALL_END', toolCallId }]
    },
    asked: ({ call }) => [
      {
        type: 'CUSTOM',
        name: 'turnwise/approval-asked',
        value: { call, toolCallId: this.idOf(call) },
      },
    ],
    answered: ({ call, answer }) => [
      {
        type: 'CUSTOM',
        name: 'turnwise/approval-decided',
        value: { call, toolCallId: this.idOf(call), answer },
      },
    ],
    outcome: ({ call, outcome }) => [
      {
        type: 'TOOL_CALL_RESULT',
        messageId: `result.${call}`,
        toolCallId: this.idOf(call),
        content: outcomeText(outcome),
        role: 'tool',
      },
    ],
    'step-end': (told) => [{ type: 'STEP_FINISHED', stepName: nameOf(told) }],
    'turn-end': ({ reason }) => {
      this.last = reason
      return []
    },
  }
}

const START = {
  text: ['TEXT_MESSAGE_START', 'assistant'],
  reasoning: ['REASONING_MESSAGE_START', 'reasoning'],
} as const
const CONTENT = {
  text: 'TEXT_MESSAGE_CONTENT',
  reasoning: 'REASONING_MESSAGE_CONTENT',
} as const
const END = { text: 'TEXT_MESSAGE_END', reasoning: 'REASONING_MESSAGE_END' } as const

const nameOf = ({ turn, step }: { readonly turn: number; readonly step: number }): string =>
  `${turn}.${step}`
