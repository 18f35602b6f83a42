/**
 * Reads the command line of `serve`. It looks at words only.
 *
 * @module
 */
import { UsageFault } from './fault.ts'
import { FLAG, Given, TEXT } from './given.ts'

/** `turnwise serve` as it was asked for. */
export interface ServeAsked {
  readonly command: 'serve'
  readonly at:
    | { readonly kind: 'stdio' }
    | { readonly kind: 'socket'; readonly path: string }
    | { readonly kind: 'tcp'; readonly port: number }
  readonly log: string
}

const OPTIONS = {
  stdio: FLAG,
  socket: TEXT,
  tcp: TEXT,
  log: TEXT,
  help: { ...FLAG, short: 'h' },
} as const

/** Reads the words behind `serve`. @returns undefined where help is asked for. @throws UsageFault */
export function readServeArguments(words: readonly string[]): ServeAsked | undefined {
  const given = new Given(OPTIONS, words)
  if (given.flag('help')) return undefined
  given.none()
  return { command: 'serve', at: placeOf(given), log: given.text('log') ?? '.turnwise' }
}

function placeOf(given: Given): ServeAsked['at'] {
  const path = given.text('socket')
  const port = given.port('tcp')
  const asked = [
    ...(given.flag('stdio') ? [{ kind: 'stdio' } as const] : []),
    ...(path === undefined ? [] : [{ kind: 'socket', path } as const]),
    ...(port === undefined ? [] : [{ kind: 'tcp', port } as const]),
  ]
  const [only] = asked
  if (only !== undefined && asked.length === 1) return only
  throw new UsageFault('one of --stdio, --socket PATH and --tcp PORT is needed')
}

/** Answer to `turnwise help serve`. */
export const SERVE_HELP = `turnwise serve: other programs drive agents by JSON-RPC, one line a message

Usage:
  turnwise serve --stdio [options]        one program, over standard input and output
  turnwise serve --socket PATH [options]  programs of this user, over a Unix socket (mode 0600)
  turnwise serve --tcp PORT [options]     programs of this machine, over 127.0.0.1, with a token

Options:
  --log DIR  where sessions are kept; default: .turnwise in the current folder
  -h, --help

The client names folder, provider and model in "initialize": openai, anthropic, deepseek or
openai-compatible, with the keys of "turnwise run", or "offline". Methods: docs/json-rpc.md.

With --socket and --tcp a line of JSON on standard output says where it listens. The token of --tcp
is TURNWISE_TOKEN; where that is not set, one is made and stands in that line.

Exit codes:
  0  "shutdown" was answered; or standard input ended, and what waits is kept
  1  a session could not be written, or the place to listen at cannot be had
  2  the command line makes no sense
  129, 130, 143  ended by SIGHUP, SIGINT or SIGTERM; what waits is kept
`
