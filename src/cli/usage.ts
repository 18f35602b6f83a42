/**
 * What the command says of itself, and its exit codes.
 *
 * @module
 */

/** Exit codes of the command; documented in the help and in `docs/cli.md`. */
export const EXIT = {
  /** The last turn completed. */
  ok: 0,
  /** The last turn did not complete, or nothing could be started. */
  failed: 1,
  /** The command line makes no sense; nothing was created. */
  usage: 2,
  /** Ended because the terminal went away. */
  hungUp: 129,
  /** Ended by Ctrl-C. */
  interrupted: 130,
  /** The reader of the output went away. */
  pipeClosed: 141,
  /** Ended by SIGTERM. */
  terminated: 143,
} as const

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Answer to `turnwise --help`. */
export const HELP = `turnwise: an event-sourced lifecycle for LLM agents

Usage:
  turnwise run "PROMPT" [options]         ask an agent about a folder
  turnwise chat [options]                 a session in the terminal; the agent listens while it works
  turnwise sessions [options]             list the stored sessions
  turnwise resume --session ID [options]  repair and open a session; --wake runs what is pending
  turnwise fork --session ID [options]    begin a session with a copy of another one
  turnwise doctor LOG... [options]        is a stored log sound, and if not, what is wrong?
  turnwise inspect [LOG | DIR] [options]  a page that shows what agents do, or did
  turnwise trace LOG [options]            what happened, as a timeline or a sequence diagram
  turnwise replay LOG [options]           play a stored log in its tempo
  turnwise export LOG --format FORMAT     a stored log in another form
  turnwise machines [options]             the three charts, for Stately Studio and other tools
  turnwise serve --stdio [options]        other programs drive agents by JSON-RPC
  turnwise acp [options]                  an editor drives agents by the Agent Client Protocol
  turnwise paths [options]                every path of a lifecycle model drives a real agent
  turnwise help [COMMAND]                 this text, or that of a command
  turnwise --version

"turnwise help COMMAND" lists the options and the exit codes.
`

/** Answer to `turnwise help run`. */
export const RUN_HELP = `turnwise run: an agent that reads a folder, and nothing else, answers a prompt

Usage:
  turnwise run "PROMPT" [options]
  turnwise run - [options]          the prompt comes from standard input (also without PROMPT in a pipe)

Options:
  --dir DIR               the folder the agent may read; default: the current one
  --model PROVIDER:MODEL  openai, anthropic, deepseek, openai-compatible, or "offline"
  --session ID            go on with this session, or begin one of this name
  --log DIR               where sessions are kept; default: .turnwise in the current folder
  --agent FILE            an agent of your own: a module whose default export is options of
                          createAgent, or a function of { dir, env, agent } that makes them
  --output-schema FILE    the answer must be JSON that fits this JSON Schema; it is printed as one line
  --live                  show the run as it happens (the default on a terminal)
  --json                  print one durable event a line
  --quiet                 print the final response only
  -h, --help

Without --model:
  OPENAI_BASE_URL                      any compatible server, with OPENAI_API_KEY if it wants one
  OPENAI_API_KEY                       OpenAI
  ANTHROPIC_API_KEY                    Anthropic
  DEEPSEEK_API_KEY                     DeepSeek
  none of these                        the built-in offline planner, which is no language model
  TURNWISE_MODEL                       the model's name; each provider has a default

Output: on a terminal the live view; otherwise the final response on standard output and errors on
standard error. NO_COLOR is honoured. Ctrl-C cancels the turn, a second one ends the program.

Exit codes:
  0    the last turn completed
  1    it did not (error, limit, blocked, cut, aborted), no turn ran, the answer does not fit its
       schema, or nothing could be started
  2    the command line makes no sense; nothing was created
  130  cancelled by Ctrl-C
  141  the reader of the output went away
  129, 143  ended by SIGHUP or SIGTERM; pending input is kept
`
