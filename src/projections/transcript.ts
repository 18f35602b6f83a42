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
import { calledName, isEmpty } from './history.ts'
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
      /** Seq of the message that holds the call, of which it is a part; null for a cut call. */
      readonly unit: number | null
    }
  | {
      readonly kind: 'summary'
      readonly message: Message
      readonly range: SeqRange
      /** The one outcome that now says this; null if the summary stands for itself. */
      readonly of: { readonly seq: number; readonly unit: number } | null
    }
)

/** An entry as a reader is shown it. */
export type ShownEntry = TranscriptEntry & {
  /** The model is shown a summary instead. */
  readonly replaced: boolean
}

/** What a summary replaces: whole messages with their outcomes, or what one outcome says. */
interface Replaced extends SeqRange {
  /** Seq of the summary. */
  readonly by: number
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

/** The outcome whose text an entry is, or is a part of. */
const outcomeOf = (entry: TranscriptEntry) => {
  if (entry.kind === 'tool') return { seq: entry.seq, unit: entry.unit ?? entry.seq }
  return entry.kind === 'summary' ? entry.of : null
}

/** Has a summary taken the place of the whole message? */
function isGone(replaced: readonly Replaced[], entry: TranscriptEntry): boolean {
  const unit = outcomeOf(entry)?.unit ?? entry.seq
  return replaced.some((range) => !range.outcomeOnly && covers(range, unit))
}

/** Does an outcome say something else since? */
function isRewritten(replaced: readonly Replaced[], entry: TranscriptEntry): boolean {
  const seq = outcomeOf(entry)?.seq
  if (seq === undefined) return false
  return replaced.some((range) => range.outcomeOnly && covers(range, seq) && entry.seq < range.by)
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
    page.push({ ...entry, replaced: isGone(replaced, entry) || isRewritten(replaced, entry) })
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
  const named = of === undefined ? undefined : calledName(of.message, call)
  const name = named ?? state.called.find(({ key }) => key === call.key)?.name ?? ''
  const unit = named === undefined ? null : (of?.seq ?? null)
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

/** Does the history have an entry for it now? */
function isPlaced({ replaced }: Transcript, entry: TranscriptEntry): boolean {
  if (entry.kind === 'assistant' && isEmpty(entry.message)) return false
  if (entry.kind === 'tool' && entry.unit === null) return false
  return !(entry.kind === 'summary' && entry.of !== null) && !isGone(replaced, entry)
}

/** The outcome that is all a range holds of the history. */
function onlyOutcome(state: Transcript, range: SeqRange): { seq: number; unit: number } | null {
  let found: TranscriptEntry | undefined
  for (let index = indexFrom(state, range.from); index < state.length; index += 1) {
    const entry = state.entries.at(index)
    if (entry === undefined || entry.seq > range.to) break
    if (!isPlaced(state, entry)) continue
    if (found !== undefined) return null
    found = entry
  }
  return found?.kind === 'tool' ? outcomeOf(found) : null
}

/** Ranges inside the new one say nothing more, so that the list does not grow with each summary of summaries. */
function onSummary(
  state: Transcript,
  { seq, time, data }: StoredEvent<'compaction/summary'>,
): Transcript {
  const { turn, message, range } = data
  const of = onlyOutcome(state, range)
  const inside = (known: Replaced) => covers(range, known.from) && covers(range, known.to)
  const others = state.replaced.filter(
    (known) => of !== null || known.outcomeOnly || !inside(known),
  )
  const next = append(state, { seq, time, turn, step: null, kind: 'summary', message, range, of })
  return { ...next, replaced: [...others, { ...range, by: seq, outcomeOnly: of !== null }] }
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
