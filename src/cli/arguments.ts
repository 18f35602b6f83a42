/**
 * Reads a command line. It looks at words only: nothing is opened, created or asked.
 *
 * @module
 */
import { parseArgs } from 'node:util'
import { type AcpAsked, readAcpArguments } from './acp-arguments.ts'
import { type ChatAsked, readChatArguments } from './chat-arguments.ts'
import { UsageFault } from './fault.ts'
import { type InspectAsked, readInspectArguments } from './inspect-arguments.ts'
import { isLogCommand, readLogArguments } from './log-arguments.ts'
import type { LogAsked, LogCommand } from './log-arguments.ts'
import { type PathsAsked, readPathsArguments } from './paths-arguments.ts'
import { readServeArguments } from './serve-arguments.ts'
import type { ServeAsked } from './serve-arguments.ts'
import { isSessionCommand, readSessionArguments } from './session-arguments.ts'
import type { SessionAsked, SessionCommand } from './session-arguments.ts'

/** How a run is shown. `auto` is live on a terminal, otherwise the final response. */
export type Show = 'auto' | 'live' | 'json' | 'quiet'

/** `turnwise run` as it was asked for. */
export interface RunAsked {
  readonly command: 'run'
  /** Undefined and `-` mean standard input. */
  readonly prompt: string | undefined
  readonly dir: string
  readonly model?: string
  readonly session?: string
  readonly log: string
  readonly show: Show
  /** File with the agent, instead of the one that reads a folder. */
  readonly agent?: string
  /** File with the JSON Schema of the answer. */
  readonly outputSchema?: string
}

/** Commands whose words are read by functions of their own. */
const ALONE = {
  chat: readChatArguments,
  serve: readServeArguments,
  acp: readAcpArguments,
  paths: readPathsArguments,
  inspect: readInspectArguments,
} as const
const isAlone = (word: string | undefined): word is keyof typeof ALONE =>
  word !== undefined && Object.hasOwn(ALONE, word)

/** What there is help about. */
export type HelpTopic = 'turnwise' | 'run' | keyof typeof ALONE | SessionCommand | LogCommand

/** What a command line asks for. */
export type Asked =
  | RunAsked
  | ChatAsked
  | SessionAsked
  | ServeAsked
  | AcpAsked
  | PathsAsked
  | InspectAsked
  | LogAsked
  | { readonly command: 'help'; readonly of: HelpTopic }
  | { readonly command: 'version' }

const OPTIONS = {
  dir: { type: 'string' },
  model: { type: 'string' },
  session: { type: 'string' },
  log: { type: 'string' },
  agent: { type: 'string' },
  'output-schema': { type: 'string' },
  live: { type: 'boolean' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

/** Reads the words behind `turnwise`. @throws UsageFault */
export function readArguments(words: readonly string[]): Asked {
  const [first, ...behind] = words
  if (isAlone(first)) return ALONE[first](behind) ?? { command: 'help', of: first }
  if (isLogCommand(first)) return readLogArguments(first, behind) ?? { command: 'help', of: first }
  return isSessionCommand(first)
    ? (readSessionArguments(first, behind) ?? { command: 'help', of: first })
    : readRunArguments(words)
}

function readRunArguments(words: readonly string[]): Asked {
  const { values, positionals } = parsed(words)
  const [command, ...rest] = positionals
  if (values.version === true) return { command: 'version' }
  if (values.help === true || command === undefined || command === 'help') {
    return { command: 'help', of: helpOn(command === 'help' ? rest[0] : command) }
  }
  if (command !== 'run') throw new UsageFault(`there is no command ${JSON.stringify(command)}`)
  if (rest.length > 1) {
    throw new UsageFault(`one prompt was expected, found ${rest.length} words: put it in quotes`)
  }
  const [prompt] = rest
  return { command: 'run', prompt, show: showOf(values), ...placesOf(values) }
}

type Values = ReturnType<typeof parsed>['values']

function parsed(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (error) {
    // Node appends advice about "--" to some of these; the first sentence says what is wrong.
    throw new UsageFault(
      error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error),
    )
  }
}

function helpOn(command: string | undefined): HelpTopic {
  if (command === undefined) return 'turnwise'
  if (isAlone(command)) return command
  if (command === 'run' || isSessionCommand(command) || isLogCommand(command)) return command
  throw new UsageFault(`there is no command ${JSON.stringify(command)}`)
}

function showOf({ live, json, quiet }: Values): Show {
  const asked = (['live', 'json', 'quiet'] as const).filter(
    (_, i) => [live, json, quiet][i] === true,
  )
  if (asked.length > 1) {
    throw new UsageFault(`${asked.map((name) => `--${name}`).join(' and ')} exclude each other`)
  }
  return asked[0] ?? 'auto'
}

function placesOf(values: Values): Omit<RunAsked, 'command' | 'prompt' | 'show'> {
  const { dir = '.', log = '.turnwise', session } = values
  for (const [name, value] of Object.entries(values)) {
    if (value === '') throw new UsageFault(`--${name} needs a value`)
  }
  checkSession(session)
  return { dir, log, ...(session !== undefined && { session }), ...makingOf(values) }
}

/** What the agent is made of, and what it is to answer with. */
function makingOf(values: Values): Pick<RunAsked, 'model' | 'agent' | 'outputSchema'> {
  const { model, agent, 'output-schema': outputSchema } = values
  if (agent !== undefined && model !== undefined)
    throw new UsageFault('--agent and --model exclude each other')
  return {
    ...(model !== undefined && { model }),
    ...(agent !== undefined && { agent }),
    ...(outputSchema !== undefined && { outputSchema }),
  }
}

function checkSession(id: string | undefined): void {
  if (id === undefined || /^[A-Za-z0-9_-]{1,128}$/.test(id)) return
  throw new UsageFault('--session must be 1 to 128 of A-Z, a-z, 0-9, "_" and "-"')
}
