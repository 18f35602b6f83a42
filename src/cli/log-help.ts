/**
 * The help on the commands that look at logs and charts.
 *
 * @module
 */

const LOG = 'LOG is a log file, or a folder: the log in it that was written last.'

/** Answer to `turnwise help trace`. */
export const TRACE_HELP = `turnwise trace: what happened in a run, from its log alone

Usage:
  turnwise trace LOG [options]

${LOG}

Options:
  --format FORMAT  text, a timeline (the default), or mermaid, a sequence diagram
  --reveal         show what people, models and tools said too, cut to 200 characters each
  --from SEQ       the first event that is shown; default: the first one
  --to SEQ         the last event that is shown; default: the last one
  --json           print one fact a line as JSON
  -h, --help

Exit codes:
  0  the trace was printed
  1  the log cannot be read, or has no such event
  2  the command line makes no sense
`

/** Answer to `turnwise help replay`. */
export const REPLAY_HELP = `turnwise replay: a stored log, played as if it happened now

Usage:
  turnwise replay LOG [options]

${LOG}

Options:
  --to SEQ     stop behind this event; default: the last one
  --speed N    times as fast as it was, such as 4 or 0.5; 0 is at once; default: 1.
               Pauses are cut to 2 seconds. Off a terminal everything comes at once.
  --json       print one event a line instead, as in the log
  -h, --help

Exit codes:
  0    it was played
  1    the log cannot be read, or has no such event
  2    the command line makes no sense
  130  stopped by Ctrl-C
  141  the reader of the output went away
  129, 143  ended by SIGHUP or SIGTERM
`

/** Answer to `turnwise help export`. */
export const EXPORT_HELP = `turnwise export: a stored log in another form

Usage:
  turnwise export LOG --format FORMAT [options]

${LOG}

Options:
  --format FORMAT  jsonl      the log itself: events of older versions lifted, a torn last line left out
                   markdown   what was said, turn by turn
                   mermaid    a sequence diagram
                   otel-json  OpenTelemetry spans by the GenAI conventions, as OTLP/JSON
  --reveal         mermaid and otel-json hold what was said too; jsonl and markdown always do
  -h, --help

Exit codes:
  0  it was printed
  1  the log cannot be read
  2  the command line makes no sense
`

/** Answer to `turnwise help machines`. */
export const MACHINES_HELP = `turnwise machines: the three charts as data or as diagrams, from the machines as they run

Usage:
  turnwise machines [options]

Options:
  --format FORMAT  json     XState's definitions (the default); states keep their order
                   js       calls of createMachine, which Stately Studio imports
                   mermaid  a state diagram; cancel windows have a dashed border
                   dot      the same for Graphviz
  --machine NAME   agent, turn or step; default: all three
  -h, --help

Exit codes:
  0  it was printed
  2  the command line makes no sense
`
