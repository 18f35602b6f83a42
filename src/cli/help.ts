/**
 * The help on each command.
 *
 * @module
 */
import { ACP_HELP } from './acp-arguments.ts'
import type { HelpTopic } from './arguments.ts'
import { CHAT_HELP } from './chat-arguments.ts'
import { INSPECT_HELP } from './inspect-arguments.ts'
import { PATHS_HELP } from './paths-arguments.ts'
import { SERVE_HELP } from './serve-arguments.ts'
import { EXPORT_HELP, MACHINES_HELP, REPLAY_HELP, TRACE_HELP } from './log-help.ts'
import { HELP, RUN_HELP } from './usage.ts'

const SESSIONS_HELP = `turnwise sessions: the stored sessions and where each stands

Usage:
  turnwise sessions [options]

Options:
  --log DIR  where sessions are kept; default: .turnwise in the current folder
  --json     print one session a line as JSON
  -h, --help

Exit codes:
  0  all of them can be read
  1  one of them is damaged; the others are listed
  2  the command line makes no sense
`

const RESUME_HELP = `turnwise resume: a stored session is repaired, opened, and its pending work may go on

Usage:
  turnwise resume --session ID [options]

Options:
  --wake                  run what is pending; without it, it is said what waits and why
  --dir DIR               the folder the agent may read; default: that of the session
  --model PROVIDER:MODEL  as for "turnwise run"
  --log DIR               where sessions are kept; default: .turnwise in the current folder
  --json                  with --wake one durable event a line, otherwise one line of JSON
  -h, --help

Exit codes:
  0    nothing was to be run, or the last turn completed
  1    the last turn did not complete, or the session cannot be opened
  2    the command line makes no sense; nothing was changed
  130, 141, 129, 143  as for "turnwise run"
`

const FORK_HELP = `turnwise fork: a new session that begins with a copy of another one

Usage:
  turnwise fork --session ID [options]

Options:
  --at SEQ         the last event that is copied; default: the last one
  --id ID          of the new session; default: a random one
  --inherit-inbox  the new session takes over a copy of the pending messages
  --close-open     inside a turn: what is open is closed as interrupted, in the copy only
  --log DIR        where sessions are kept; default: .turnwise in the current folder
  --json           print the header of the new session instead of its id
  -h, --help

Exit codes:
  0  the new session is stored; its id was printed
  1  it cannot be made (OPEN_TURN, INVALID_BOUNDARY, SESSION_NOT_FOUND, SESSION_ALREADY_EXISTS)
  2  the command line makes no sense; nothing was created
`

const DOCTOR_HELP = `turnwise doctor: is a stored log sound, and if not, which event broke which rule?

Usage:
  turnwise doctor LOG... [options]  log files, or folders of them

Options:
  --repair  append what closes a turn that a crash has left open, and cut a torn last line;
            nothing that is stored is ever changed
  --json    print one log a line as JSON
  -h, --help

Exit codes:
  0  every log is sound; a turn that is open at the end is sound, its process may be at work
  1  a log is not sound, cannot be read, or cannot be repaired
  2  the command line makes no sense
`

/** Answer to `turnwise help COMMAND`. */
export const HELP_ON: { readonly [topic in HelpTopic]: string } = {
  turnwise: HELP,
  run: RUN_HELP,
  chat: CHAT_HELP,
  sessions: SESSIONS_HELP,
  resume: RESUME_HELP,
  fork: FORK_HELP,
  doctor: DOCTOR_HELP,
  serve: SERVE_HELP,
  acp: ACP_HELP,
  paths: PATHS_HELP,
  inspect: INSPECT_HELP,
  trace: TRACE_HELP,
  replay: REPLAY_HELP,
  export: EXPORT_HELP,
  machines: MACHINES_HELP,
}
