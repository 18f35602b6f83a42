/**
 * Reads the command line of `inspect`. It looks at words only.
 *
 * @module
 */
import { UsageFault } from './fault.ts'
import { FLAG, Given, TEXT } from './given.ts'

/** `turnwise inspect` as it was asked for. */
export interface InspectAsked {
  readonly command: 'inspect'
  /** A log file, or a folder of them. */
  readonly place: string
  /** 0: any that is free. */
  readonly port: number
  readonly control: boolean
  /** With control: the folder the agent may read; default: that of the session. */
  readonly dir?: string
  readonly model?: string
  readonly json: boolean
  readonly open: boolean
}

const OPTIONS = {
  port: TEXT,
  control: FLAG,
  dir: TEXT,
  model: TEXT,
  json: FLAG,
  open: FLAG,
  help: { ...FLAG, short: 'h' },
} as const

/** Reads the words behind `inspect`. @returns undefined where help is asked for. @throws UsageFault */
export function readInspectArguments(words: readonly string[]): InspectAsked | undefined {
  const given = new Given(OPTIONS, words)
  if (given.flag('help')) return undefined
  return {
    command: 'inspect',
    place: placeOf(given),
    port: given.port('port') ?? 0,
    ...controlOf(given),
    json: given.flag('json'),
    open: given.flag('open'),
  }
}

function placeOf({ rest }: Given): string {
  const [place = '.turnwise', ...more] = rest
  if (place === '') throw new UsageFault('expected a log file or a folder of logs')
  if (more.length > 0)
    throw new UsageFault(`one log or one folder was expected, found ${rest.length}`)
  return place
}

function controlOf(given: Given): Pick<InspectAsked, 'control' | 'dir' | 'model'> {
  const control = given.flag('control')
  const dir = given.text('dir')
  const model = given.text('model')
  if (!control && (dir !== undefined || model !== undefined))
    throw new UsageFault('--dir and --model need --control: without it nothing runs')
  return {
    control,
    ...(dir !== undefined && { dir }),
    ...(model !== undefined && { model }),
  }
}

/** Answer to `turnwise help inspect`. */
export const INSPECT_HELP = `turnwise inspect: a page that shows what agents do, or did, from their logs

Usage:
  turnwise inspect [LOG | DIR] [options]  a log, or a folder of them; default: .turnwise

Options:
  --port N                the port on 127.0.0.1; default: any that is free
  --open                  open the page in the browser of this machine
  --control               the page may send, steer, inject, cancel and approve: a session that is
                          commanded is repaired and opened here, with the agent of "turnwise run"
  --dir DIR               with --control: the folder the agent may read; default: that of the session
  --model PROVIDER:MODEL  with --control: as for "turnwise run"
  --json                  print the address as a line of JSON
  -h, --help

It prints the address and serves until Ctrl-C. Logs are followed while they grow, and never changed
without --control. The page needs no internet. With --control its address holds a token: whoever has
it may command. Whoever can open connections on this machine can read what is shown.

Exit codes:
  0    ended by Ctrl-C
  1    there is no such log or folder, or the port cannot be had
  2    the command line makes no sense
  129, 143  ended by SIGHUP or SIGTERM
`
