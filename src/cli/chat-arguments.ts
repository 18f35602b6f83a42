/**
 * Reads the command line of `chat`. It looks at words only.
 *
 * @module
 */
import { SLASH_HELP } from './chat/slash.ts'
import { UsageFault } from './fault.ts'
import { FLAG, Given, TEXT } from './given.ts'

/** `turnwise chat` as it was asked for. */
export interface ChatAsked {
  readonly command: 'chat'
  /** Default: that of the session, and the current one for a new session. */
  readonly dir?: string
  readonly model?: string
  /** File with the agent, instead of the one that reads a folder. */
  readonly agent?: string
  readonly session?: string
  /** The session that was written last. */
  readonly latest: boolean
  /** Pending work of a stored session starts by itself. */
  readonly wake: boolean
  readonly log: string
}

const OPTIONS = {
  dir: TEXT,
  model: TEXT,
  agent: TEXT,
  session: TEXT,
  continue: FLAG,
  wake: FLAG,
  log: TEXT,
  help: { ...FLAG, short: 'h' },
} as const

/** Reads the words behind `chat`. @returns undefined where help is asked for. @throws UsageFault */
export function readChatArguments(words: readonly string[]): ChatAsked | undefined {
  const given = new Given(OPTIONS, words)
  if (given.flag('help')) return undefined
  given.none()
  const log = given.text('log') ?? '.turnwise'
  return { command: 'chat', wake: given.flag('wake'), log, ...whichOf(given), ...makingOf(given) }
}

function whichOf(given: Given): Pick<ChatAsked, 'session' | 'latest'> {
  const session = given.session('session')
  const latest = given.flag('continue')
  if (session !== undefined && latest)
    throw new UsageFault('--session and --continue exclude each other')
  return { latest, ...(session !== undefined && { session }) }
}

function makingOf(given: Given): Pick<ChatAsked, 'dir' | 'model' | 'agent'> {
  const dir = given.text('dir')
  const model = given.text('model')
  const agent = given.text('agent')
  if (model !== undefined && agent !== undefined)
    throw new UsageFault('--agent and --model exclude each other')
  return {
    ...(dir !== undefined && { dir }),
    ...(model !== undefined && { model }),
    ...(agent !== undefined && { agent }),
  }
}

/** Answer to `turnwise help chat`. */
export const CHAT_HELP = `turnwise chat: a session with an agent in the terminal, which listens while it works

Usage:
  turnwise chat [options]

Options:
  --session ID            go on with this session, or begin one of this name; default: a new one
  --continue              go on with the session that was written last
  --wake                  what waits in the session starts by itself
  --dir DIR               the folder the agent may read; default: that of the session, or the current one
  --model PROVIDER:MODEL  as in "turnwise run"
  --agent FILE            an agent of your own, as in "turnwise run"
  --log DIR               where sessions are kept; default: .turnwise in the current folder
  -h, --help

A line is said to the agent: it opens a turn, or joins the next step of the one that runs.
Lines that begin with a slash are commands:

${SLASH_HELP}
Ctrl-C is /cancel while something runs; a second one, or Ctrl-D, is /quit.

Without a terminal, or with TERM=dumb, there are plain lines only; at the end of piped input what
runs is finished first.

Exit codes:
  0    left by /quit, by Ctrl-D, or at the end of the input
  1    the session cannot be opened or written, something is missing, or the last turn did not
       complete when piped input ended
  2    the command line makes no sense; nothing was created
  130  left by Ctrl-C
  141  the reader of the output went away
  129, 143  ended by SIGHUP or SIGTERM
`
