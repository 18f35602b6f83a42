/**
 * `turnwise export`: a stored log in another form.
 *
 * @module
 */
import type { LogHeader, StoredEvent } from '../events/event.ts'
import { sessionMarkdown } from '../inspect/markdown.ts'
import { otlpTraces } from '../inspect/otel/otlp.ts'
import { escapedJson, printable } from '../projections/plain-text.ts'
import { traceOf } from '../projections/trace/trace.ts'
import type { ExportAsked } from './log-arguments.ts'
import { readStoredLog } from './stored-log.ts'
import type { Surroundings } from './surroundings.ts'
import { EXIT } from './usage.ts'
import type { ExitCode } from './usage.ts'

type Writer = (header: LogHeader, events: readonly StoredEvent[], reveal: boolean) => string

const WRITERS: { readonly [format in ExportAsked['format']]: Writer } = {
  jsonl: (header, events) => [header, ...events].map((line) => `${json(line)}\n`).join(''),
  markdown: sessionMarkdown,
  mermaid: (_, events, reveal) => `${traceOf(events, { format: 'mermaid', reveal })}\n`,
  'otel-json': (header, events, reveal) => `${json(otlpTraces(header, events, { reveal }))}\n`,
}

/** Says the same on a terminal, without moving its cursor. */
const json = (value: unknown): string => escapedJson(JSON.stringify(value))

/** Prints a log in the form that was asked for. */
export async function exportCommand(asked: ExportAsked, at: Surroundings): Promise<ExitCode> {
  const { header, events } = await readStoredLog(asked.log, at.cwd)
  at.stdout.write(printable(WRITERS[asked.format](header, events, asked.reveal)))
  return EXIT.ok
}
