/**
 * Reads the command line of `acp`. It looks at words only.
 *
 * @module
 */
import { UsageFault } from './fault.ts'
import { FLAG, Given, TEXT } from './given.ts'

/** `turnwise acp` as it was asked for. */
export interface AcpAsked {
  readonly command: 'acp'
  readonly log: string
  readonly model?: string
  /** File with the agent, instead of the one that reads a folder. */
  readonly agent?: string
  readonly v2: boolean
  /** What is shown beside text and images. */
  readonly show: { readonly tools: boolean; readonly usage: boolean }
}

const OPTIONS = {
  log: TEXT,
  model: TEXT,
  agent: TEXT,
  v2: FLAG,
  tools: FLAG,
  usage: FLAG,
  help: { ...FLAG, short: 'h' },
} as const

/** Reads the words behind `acp`. @returns undefined where help is asked for. @throws UsageFault */
export function readAcpArguments(words: readonly string[]): AcpAsked | undefined {
  const given = new Given(OPTIONS, words)
  if (given.flag('help')) return undefined
  given.none()
  const model = given.text('model')
  const agent = given.text('agent')
  if (model !== undefined && agent !== undefined)
    throw new UsageFault('--agent and --model exclude each other')
  return {
    command: 'acp',
    log: given.text('log') ?? '.turnwise',
    v2: given.flag('v2'),
    show: { tools: given.flag('tools'), usage: given.flag('usage') },
    ...(model !== undefined && { model }),
    ...(agent !== undefined && { agent }),
  }
}

/** Answer to `turnwise help acp`. */
export const ACP_HELP = `turnwise acp: an editor drives agents by the Agent Client Protocol

Usage:
  turnwise acp [options]  one editor, over standard input and output

Options:
  --model PROVIDER:MODEL  as in "turnwise run"
  --agent FILE            an agent of your own, as in "turnwise run"; dir is the folder of the session
  --log DIR               where sessions are kept; default: .turnwise in the current folder
  --tools                 show tool calls and their outcomes
  --usage                 show how full the context window is, where its size is known
  --v2                    offer the draft of version 2 of the protocol as well
  -h, --help

The editor names the folder of each session. It needs the package @agentclientprotocol/sdk.
What is mapped to what, and how to set up an editor: docs/acp.md.

Exit codes:
  0  the editor went away; what ran was cancelled, and sessions can be loaded again
  1  a session could not be written, or something is missing
  2  the command line makes no sense
  129, 130, 143  ended by SIGHUP, SIGINT or SIGTERM
`
