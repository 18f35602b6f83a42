/**
 * What the model is shown: a fold of the log that no request can differ from.
 *
 * H1 Entries stand in log order, each once: user and context messages, assistant messages that hold something, and the
 *    outcomes of calls.
 * H2 An outcome stands behind the message that holds its call, after the outcomes already there; one without such a
 *    message (a cut call, a replaced message) is left out.
 * H3 A summary replaces the entries of its range. A message and its outcomes are replaced together or not at all; a
 *    range of one outcome alone replaces what it says and keeps its call.
 * H4 Appending is O(1). Placing a late outcome and replacing a range cost the length of the history, and are rare.
 *
 * @module
 */
import type { SeqRange, StoredEvent } from '../events/event.ts'
import type { HistoryEntry, ToolEntry } from '../events/history-entry.ts'
import type { AssistantMessage, CallRef, Message, Outcome } from '../events/message.ts'
import { AppendList } from './append-list.ts'
import { byType, type Projection } from './projection.ts'

/** The state of the fold; read it with {@link historyView}. */
export interface History {
  readonly entries: AppendList<HistoryEntry>
  /** Of each entry the seq of its event. */
  readonly seqs: AppendList<number>
  readonly length: number
  /** The message at the tail, with nothing but its own outcomes behind it. */
  readonly tail: AssistantMessage | null
}

/** The messages of a request made now: a frozen array, made once per state. */
export const historyView = (state: History): readonly HistoryEntry[] => state.entries.toArray()

/** The name of the tool of `call`, if `message` holds it. */
export const calledName = (message: AssistantMessage, call: CallRef): string | undefined => {
  for (const block of message.content) {
    if (block.type === 'tool-call' && block.call.key === call.key) return block.name
  }
  return undefined
}

/** Does a message hold nothing that a model could be shown? */
export const isEmpty = ({ content }: AssistantMessage): boolean =>
  content.every(
    (block) =>
      (block.type === 'text' || block.type === 'reasoning') &&
      block.text === '' &&
      block.replay === undefined,
  )

function append(state: History, seq: number, entry: HistoryEntry): History {
  const entries = state.entries.push(entry)
  const tail = entry.role === 'assistant' ? entry : entry.role === 'tool' ? state.tail : null
  return { entries, seqs: state.seqs.push(seq), length: entries.length, tail }
}

/** An entry with the seq of its event. */
type Placed = readonly [seq: number, entry: HistoryEntry]

const placedOf = (state: History): Placed[] => {
  const seqs = state.seqs.toArray()
  return historyView(state).map((entry, index) => [seqs[index] ?? -1, entry])
}

function rebuild(items: readonly Placed[]): History {
  const last = items.findLast(([, entry]) => entry.role !== 'tool')?.[1]
  return {
    entries: AppendList.of(items.map(([, entry]) => entry)),
    seqs: AppendList.of(items.map(([seq]) => seq)),
    length: items.length,
    tail: last?.role === 'assistant' ? last : null,
  }
}

const toolEntry = (name: string, call: CallRef, outcome: Outcome): ToolEntry =>
  Object.freeze({ role: 'tool', call, name, outcome })

/** Index behind the outcomes that follow the entry at `index`. */
function unitEnd(items: readonly Placed[], index: number): number {
  let end = index + 1
  while (items[end]?.[1].role === 'tool') end += 1
  return end
}

/** An outcome that repair found for a message further up. */
function placeLate(state: History, { seq, data }: StoredEvent<'tool/result'>): History {
  const items = placedOf(state)
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const entry = items[index]?.[1]
    const name = entry?.role === 'assistant' ? calledName(entry, data.call) : undefined
    if (name === undefined) continue
    const late: Placed = [seq, toolEntry(name, data.call, data.outcome)]
    return rebuild(items.toSpliced(unitEnd(items, index), 0, late))
  }
  return state
}

function onResult(state: History, event: StoredEvent<'tool/result'>): History {
  const { call, outcome } = event.data
  const name = state.tail === null ? undefined : calledName(state.tail, call)
  if (name !== undefined) return append(state, event.seq, toolEntry(name, call, outcome))
  return placeLate(state, event)
}

/** The outcome says `content` instead; a structured value would contradict it and goes. */
function rewrite({ call, name, outcome }: ToolEntry, content: Message['content']): ToolEntry {
  if (outcome.kind !== 'ok') return toolEntry(name, call, Object.freeze({ ...outcome, content }))
  const { concludes } = outcome
  const said: Outcome =
    concludes === undefined ? { kind: 'ok', content } : { kind: 'ok', content, concludes }
  return toolEntry(name, call, Object.freeze(said))
}

const within = (range: SeqRange, [seq]: Placed): boolean => range.from <= seq && seq <= range.to

function onSummary(state: History, { seq, data }: StoredEvent<'compaction/summary'>): History {
  const { range, message } = data
  const items = placedOf(state)
  const hit = items.filter((item) => within(range, item))
  const only = hit.length === 1 ? hit[0]?.[1] : undefined
  if (only?.role !== 'tool') return rebuild(replaceUnits(items, range, [seq, message]))
  const said = rewrite(only, message.content)
  return rebuild(items.map((item) => (item[1] === only ? [item[0], said] : item)))
}

/** What a summary of `range` would replace, in the order of the history. */
export function entriesWithin(
  state: History,
  range: SeqRange,
): { readonly seq: number; readonly entry: HistoryEntry }[] {
  const items = placedOf(state)
  const hit = items.filter((item) => within(range, item))
  const single = hit.length === 1 && hit[0]?.[1].role === 'tool'
  const replaced = single ? hit : unitsWithin(items, range)
  return replaced.map(([seq, entry]) => ({ seq, entry }))
}

/** The units whose heads lie in the range. */
function unitsWithin(items: readonly Placed[], range: SeqRange): Placed[] {
  let out = false
  return items.filter((item) => {
    if (item[1].role !== 'tool') out = within(range, item)
    return out
  })
}

/** Takes out the units whose heads lie in the range; the summary stands where the first of them stood. */
function replaceUnits(items: readonly Placed[], range: SeqRange, summary: Placed): Placed[] {
  const kept: Placed[] = []
  let at = -1
  let out = false
  for (const item of items) {
    if (item[1].role !== 'tool') out = within(range, item)
    if (!out) kept.push(item)
    else if (at === -1) at = kept.length
  }
  return at === -1 ? [...kept, summary] : kept.toSpliced(at, 0, summary)
}

/** What the model is shown. */
export const history: Projection<History> = {
  name: 'history',
  initial: { entries: AppendList.of(), seqs: AppendList.of(), length: 0, tail: null },
  evolve: byType<History>({
    'user/message': (state, { seq, data }) => append(state, seq, data.message),
    'context/message': (state, { seq, data }) => append(state, seq, data.message),
    'assistant/message': (state, { seq, data }) =>
      isEmpty(data.message) ? state : append(state, seq, data.message),
    'tool/result': onResult,
    'compaction/summary': onSummary,
  }),
}
