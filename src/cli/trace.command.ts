/**
 * `turnwise trace`: what happened in a run, as a timeline or a sequence diagram.
 *
 * @module
 */
import { entriesOf, traceOf } from '../projections/trace/trace.ts'
import type { TraceAsked } from './log-arguments.ts'
import { readStoredLog, upTo } from './stored-log.ts'
import type { Surroundings } from './surroundings.ts'
import { EXIT } from './usage.ts'
import type { ExitCode } from './usage.ts'

/** Prints the trace of a log, or its entries as JSON, one a line. */
export async function traceCommand(asked: TraceAsked, at: Surroundings): Promise<ExitCode> {
  const { format, reveal, from, json } = asked
  const events = upTo((await readStoredLog(asked.log, at.cwd)).events, asked.to)
  const options = { format, reveal, ...(from !== undefined && { from }) }
  const text = json
    ? entriesOf(events, options)
        .map((entry) => JSON.stringify(entry))
        .join('\n')
    : traceOf(events, options)
  if (text !== '') at.stdout.write(`${text}\n`)
  return EXIT.ok
}
