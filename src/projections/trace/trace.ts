/**
 * The trace of a run: a timeline or a sequence diagram, from the events alone.
 *
 * @module
 */
import { TurnwiseError } from '../../errors.ts'
import type { StoredEvent } from '../../events/event.ts'
import { traceEntries } from './trace-entries.ts'
import type { TraceEntry } from './trace-entry.ts'
import { traceMermaid } from './trace-mermaid.ts'
import { traceText } from './trace-text.ts'

export interface TraceOptions {
  /** `text`: a timeline, one line a fact. `mermaid`: a sequence diagram. Default `text`. */
  readonly format?: 'text' | 'mermaid'
  /** What people, models and tools said is shown too, cut to 200 characters each. Default false. */
  readonly reveal?: boolean
  /** Seq of the first event that is shown. Default: the first of the log. */
  readonly from?: number
  /** Seq of the last event that is shown, inclusive. Default: the last of the log. */
  readonly to?: number
}

/**
 * Draws a trace. Give it the whole log, also for a range of it: later events are told with names from earlier ones.
 *
 * @throws TurnwiseError INVALID_OPTION
 */
export function traceOf(events: Iterable<StoredEvent>, options: TraceOptions = {}): string {
  const entries = entriesOf(events, options)
  return options.format === 'mermaid' ? traceMermaid(entries) : traceText(entries)
}

/** The entries of a range. @throws TurnwiseError INVALID_OPTION */
export function entriesOf(events: Iterable<StoredEvent>, options: TraceOptions): TraceEntry[] {
  const { format = 'text', from = 0, to = Number.MAX_SAFE_INTEGER } = options
  if (!FORMATS.includes(format)) throw invalid('format', FORMATS.join(' or '), format)
  if (!isSeq(from)) throw invalid('from', 'the seq of an event', from)
  if (!isSeq(to)) throw invalid('to', 'the seq of an event', to)
  return traceEntries(events, options).filter(({ seq }) => from <= seq && seq <= to)
}

const FORMATS = ['text', 'mermaid'] as const

const isSeq = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

const invalid = (name: string, expected: string, found: unknown): TurnwiseError =>
  new TurnwiseError(
    'INVALID_OPTION',
    `option ${name} should be ${expected}, found ${String(found)}; nothing was drawn.`,
  )
