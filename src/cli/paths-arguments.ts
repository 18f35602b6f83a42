/**
 * Reads the command line of `paths`. It looks at words only.
 *
 * @module
 */
import type { Counts } from '../testing/lifecycle/remembered.ts'
import { UsageFault } from './fault.ts'
import { FLAG, Given, TEXT } from './given.ts'

/** `turnwise paths` as it was asked for. */
export interface PathsAsked {
  readonly command: 'paths'
  /** File whose default export is the model; undefined: the built-in one. */
  readonly model?: string
  /** Names of states and moves. */
  readonly only: readonly string[]
  readonly limit?: number
  readonly most?: Counts
  /** Lists the paths and runs none. */
  readonly list: boolean
  /** Goes on behind a counterexample. */
  readonly all: boolean
  readonly json: boolean
}

const OPTIONS = {
  model: TEXT,
  only: TEXT,
  limit: TEXT,
  most: TEXT,
  list: FLAG,
  all: FLAG,
  json: FLAG,
  help: { ...FLAG, short: 'h' },
} as const

/** Reads the words behind `paths`. @returns undefined where help is asked for. @throws UsageFault */
export function readPathsArguments(words: readonly string[]): PathsAsked | undefined {
  const given = new Given(OPTIONS, words)
  if (given.flag('help')) return undefined
  given.none()
  const model = given.text('model')
  const limit = limitOf(given)
  const most = mostOf(given)
  return {
    command: 'paths',
    ...(model !== undefined && { model }),
    only: namesOf(given),
    ...(limit !== undefined && { limit }),
    ...(most !== undefined && { most }),
    list: given.flag('list'),
    all: given.flag('all'),
    json: given.flag('json'),
  }
}

/** Names hold commas, so that semicolons separate them. */
function namesOf(given: Given): string[] {
  const names = (given.text('only') ?? '').split(';').map((name) => name.trim())
  return names.filter((name) => name !== '')
}

function limitOf(given: Given): number | undefined {
  const text = given.text('limit')
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageFault('--limit must be a whole number from 1 on')
  return Number(text)
}

function mostOf(given: Given): Counts | undefined {
  const text = given.text('most')
  if (text === undefined) return undefined
  const found = /^([1-9]),(\d),(\d)$/.exec(text)
  if (found === null) {
    throw new UsageFault('--most must be PROMPTS,STEERS,NOTES, each of one digit, such as 3,2,2')
  }
  const [, prompts, steers, notes] = found
  return { prompts: Number(prompts), steers: Number(steers), notes: Number(notes) }
}

/** Answer to `turnwise help paths`. */
export const PATHS_HELP = `turnwise paths: every path of a lifecycle model drives a real agent, whose log is the judge

Usage:
  turnwise paths [options]               the built-in model, which says what any agent may do
  turnwise paths --model FILE [options]  a model of yours: what "extendModel" of turnwise/testing made,
                                         as the default export of a module

Options:
  --only NAMES  only paths whose last move is one of these, or leads from or to one of these states;
                names are separated by ";"
  --limit N     at most N paths, the shortest
  --most P,S,N  most prompts, steers and notes that pend at a time; default: 2,1,1
  --list        print the paths and run none
  --all         go on behind a counterexample, and count them
  --json        print one line of JSON; with --list one path a line
  -h, --help

The first counterexample is printed move by move with what each added to the log, then as a test
that runs under "node --test". Progress goes to standard error. Models: docs/testing.md.

Exit codes:
  0    the agent did what the model says, on every path that was run; or the paths were listed
  1    it did not, or the model cannot be had: no such file, no model in it, a name that is not defined
  2    the command line makes no sense; nothing was run
  129, 130, 143  ended by SIGHUP, Ctrl-C or SIGTERM; what was found until then is printed
  141  the reader of the output went away
`
