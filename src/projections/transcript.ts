/**
 * Everything that was said, in the order in which it was recorded.
 *
 * N1 The transcript only grows. A summary adds an entry and flags those it replaces; they stay where they are.
 * N2 Empty messages, cut calls and interrupted prefixes are part of it.
 *
 * @module
 */
import type { SeqRange, StepAt, StoredEvent } from '../events/event.ts'
import type { AssistantMessage, CallRef, Message, Outcome } from '../events/message.ts'
import { AppendList } from './append-list.ts'
import { calledName } from './history.ts'
import { byType, type Projection } from './projection.ts'

/** One thing said. `step` is null outside a step, `turn` outside a turn. */
export type TranscriptEntry = {
  readonly seq: number
  readonly time: number
  readonly turn: number | null
  readonly step: number | null
} & (
  | { readonly kind: 'user' | 'context'; readonly message: Message }
  | {
      readonly kind: 'assistant'
      readonly message: AssistantMessage
      readonly interrupted: boolean
      readonly transformedBy: string | null
    }
  | {
      readonly kind: 'tool'
      readonly call: CallRef
      readonly name: string
      readonly outcome: Outcome
      /** Seq of the message of its step; a summary replaces both together. Null if that step has none. */
      readonly unit: number | null
    }
  | { readonly kind: 'summary'; readonly message: Message; readonly range: SeqRange }
)

/** An entry as a reader is shown it. */
export type ShownEntry = TranscriptEntry & {
  /** The model is shown a summary instead. */
  readonly replaced: boolean
}

/** What a summary replaces: whole messages with their outcomes, or one outcome alone. */
interface Replaced extends SeqRange {
  readonly outcomeOnly: boolean
}

export interface Transcript {
  readonly entries: AppendList<TranscriptEntry>
  readonly length: number
  readonly replaced: readonly Replaced[]
  /** Names of the calls recorded in the last step. */
  readonly called: readonly { readonly key: string; readonly name: string }[]
}

const covers = ({ from, to }: SeqRange, seq: number): boolean => from <= seq && seq <= to

function isReplaced(replaced: readonly Replaced[], entry: TranscriptEntry): boolean {
  const unit = entry.kind === 'tool' ? (entry.unit ?? entry.seq) : entry.seq
  return replaced.some((range) => covers(range, range.outcomeOnly ? entry.seq : unit))
}

/** Entries from `from` up to, not including, `to`; default: all. Reading a page costs its length. */
export function transcriptPage(
  { entries, replaced }: Transcript,
  from = 0,
  to = entries.length,
): ShownEntry[] {
  const page: ShownEntry[] = []
  for (let index = from; index < to; index += 1) {
    const entry = entries.at(index)
    if (entry === undefined) break
    page.push({ ...entry, replaced: isReplaced(replaced, entry) })
  }
  return page
}

function append(state: Transcript, entry: TranscriptEntry): Transcript {
  const entries = state.entries.push(Object.freeze(entry))
  return { ...state, entries, length: entries.length }
}

/** The message of a step. Only what repair adds to an earlier step is looked for beyond the tail. */
function messageOf({ entries }: Transcript, at: StepAt) {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries.at(index)
    if (entry?.kind !== 'assistant') continue
    if (entry.turn === at.turn && entry.step === at.step) return entry
  }
  return undefined
}

function onResult(state: Transcript, { seq, time, data }: StoredEvent<'tool/result'>): Transcript {
  const { turn, step, call, outcome } = data
  const of = messageOf(state, data)
  const known = state.called.find(({ key }) => key === call.key)?.name
  const name = known ?? (of === undefined ? undefined : calledName(of.message, call)) ?? ''
  const unit = of?.seq ?? null
  return append(state, { seq, time, turn, step, kind: 'tool', call, name, outcome, unit })
}

function onAssistant(
  state: Transcript,
  { seq, time, data }: StoredEvent<'assistant/message'>,
): Transcript {
  const { turn, step, message, interrupted = false, transformedBy = null } = data
  return append(state, {
    seq,
    time,
    turn,
    step,
    kind: 'assistant',
    message,
    interrupted,
    transformedBy,
  })
}

/** Index of the first entry at or behind `seq`; entries stand in the order of their seqs. */
function indexFrom({ entries }: Transcript, seq: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries.at(middle)?.seq ?? seq) < seq) low = middle + 1
    else high = middle
  }
  return low
}

function isOutcomeOnly(state: Transcript, range: SeqRange): boolean {
  const first = indexFrom(state, range.from)
  const behind = state.entries.at(first + 1)
  return state.entries.at(first)?.kind === 'tool' && (behind === undefined || behind.seq > range.to)
}

/** Ranges inside the new one say nothing more, so that the list does not grow with each summary of summaries. */
function onSummary(
  state: Transcript,
  { seq, time, data }: StoredEvent<'compaction/summary'>,
): Transcript {
  const { turn, message, range } = data
  const added = { ...range, outcomeOnly: isOutcomeOnly(state, range) }
  const others = state.replaced.filter(
    (known) => added.outcomeOnly || !(covers(range, known.from) && covers(range, known.to)),
  )
  const next = append(state, { seq, time, turn, step: null, kind: 'summary', message, range })
  return { ...next, replaced: [...others, added] }
}

/** Everything that was said. */
export const transcript: Projection<Transcript> = {
  name: 'transcript',
  initial: { entries: AppendList.of(), length: 0, replaced: [], called: [] },
  evolve: byType<Transcript>({
    'step/start': (state) => (state.called.length === 0 ? state : { ...state, called: [] }),
    'user/message': (state, { seq, time, data: { turn, step, message } }) =>
      append(state, { seq, time, turn, step, kind: 'user', message }),
    'context/message': (state, { seq, time, data: { turn, message } }) =>
      append(state, { seq, time, turn, step: null, kind: 'context', message }),
    'assistant/message': onAssistant,
    'tool/call': (state, { data: { call, name } }) => ({
      ...state,
      called: [...state.called, { key: call.key, name }],
    }),
    'tool/result': onResult,
    'compaction/summary': onSummary,
  }),
}
