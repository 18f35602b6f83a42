/**
 * Reads the command lines of `doctor`, `resume`, `fork` and `sessions`. It looks at words only.
 *
 * @module
 */
import { parseArgs } from 'node:util'
import { UsageFault } from './fault.ts'

/** `turnwise doctor` as it was asked for. */
export interface DoctorAsked {
  readonly command: 'doctor'
  /** Log files, or folders of them. */
  readonly logs: readonly string[]
  readonly repair: boolean
  readonly json: boolean
}

/** `turnwise resume` as it was asked for. */
export interface ResumeAsked {
  readonly command: 'resume'
  readonly session: string
  readonly wake: boolean
  readonly dir?: string
  readonly model?: string
  readonly log: string
  readonly json: boolean
}

/** `turnwise fork` as it was asked for. */
export interface ForkAsked {
  readonly command: 'fork'
  readonly session: string
  readonly at?: number
  readonly id?: string
  readonly inheritInbox: boolean
  readonly closeOpen: boolean
  readonly log: string
  readonly json: boolean
}

/** `turnwise sessions` as it was asked for. */
export interface SessionsAsked {
  readonly command: 'sessions'
  readonly log: string
  readonly json: boolean
}

/** What one of these commands asks for. */
export type SessionAsked = DoctorAsked | ResumeAsked | ForkAsked | SessionsAsked

/** The names of these commands. */
export const SESSION_COMMANDS = ['doctor', 'resume', 'fork', 'sessions'] as const
export type SessionCommand = (typeof SESSION_COMMANDS)[number]

/** Is it one of these commands? */
export const isSessionCommand = (word: string | undefined): word is SessionCommand =>
  SESSION_COMMANDS.some((name) => name === word)

const TEXT = { type: 'string' } as const
const FLAG = { type: 'boolean' } as const
const COMMON = { json: FLAG, help: { ...FLAG, short: 'h' } } as const
const OPTIONS = {
  doctor: { ...COMMON, repair: FLAG },
  resume: { ...COMMON, session: TEXT, wake: FLAG, dir: TEXT, model: TEXT, log: TEXT },
  fork: {
    ...COMMON,
    session: TEXT,
    at: TEXT,
    id: TEXT,
    'inherit-inbox': FLAG,
    'close-open': FLAG,
    log: TEXT,
  },
  sessions: { ...COMMON, log: TEXT },
} as const

/** The values of a command line, by the names of their options. */
class Given {
  private readonly values: Readonly<Record<string, string | boolean | undefined>>
  readonly rest: readonly string[]

  constructor(command: SessionCommand, words: readonly string[]) {
    try {
      const parsed = parseArgs({
        args: [...words],
        options: OPTIONS[command],
        allowPositionals: true,
      })
      this.values = parsed.values as Given['values']
      this.rest = parsed.positionals
    } catch (error) {
      // Node appends advice about "--" to some of these; the first sentence says what is wrong.
      throw new UsageFault(
        error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error),
      )
    }
  }

  flag(name: string): boolean {
    return this.values[name] === true
  }

  text(name: string): string | undefined {
    const value = this.values[name]
    if (value === '') throw new UsageFault(`--${name} needs a value`)
    return typeof value === 'string' ? value : undefined
  }

  /** An id of a session. */
  session(name: string): string | undefined {
    const id = this.text(name)
    if (id === undefined || /^[A-Za-z0-9_-]{1,128}$/.test(id)) return id
    throw new UsageFault(`--${name} must be 1 to 128 of A-Z, a-z, 0-9, "_" and "-"`)
  }

  none(): void {
    if (this.rest.length > 0)
      throw new UsageFault(
        `nothing was expected behind the options, found ${JSON.stringify(this.rest[0])}`,
      )
  }
}

type Reader = (given: Given) => SessionAsked

const READERS: { readonly [command in SessionCommand]: Reader } = {
  doctor: (given) => {
    if (given.rest.length === 0) throw new UsageFault('expected a log file or a folder of them')
    return {
      command: 'doctor',
      logs: given.rest,
      repair: given.flag('repair'),
      json: given.flag('json'),
    }
  },
  resume: (given) => {
    given.none()
    const dir = given.text('dir')
    const model = given.text('model')
    return {
      command: 'resume',
      session: sessionOf(given),
      wake: given.flag('wake'),
      ...(dir !== undefined && { dir }),
      ...(model !== undefined && { model }),
      ...placeOf(given),
    }
  },
  fork: (given) => {
    given.none()
    const at = positionOf(given)
    const id = given.session('id')
    return {
      command: 'fork',
      session: sessionOf(given),
      ...(at !== undefined && { at }),
      ...(id !== undefined && { id }),
      inheritInbox: given.flag('inherit-inbox'),
      closeOpen: given.flag('close-open'),
      ...placeOf(given),
    }
  },
  sessions: (given) => {
    given.none()
    return { command: 'sessions', ...placeOf(given) }
  },
}

const placeOf = (given: Given): { readonly log: string; readonly json: boolean } => ({
  log: given.text('log') ?? '.turnwise',
  json: given.flag('json'),
})

function sessionOf(given: Given): string {
  const id = given.session('session')
  if (id === undefined) throw new UsageFault('--session is needed')
  return id
}

function positionOf(given: Given): number | undefined {
  const text = given.text('at')
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new UsageFault('--at must be the seq of an event')
  return Number(text)
}

/** Reads the words behind `command`. @returns undefined where help is asked for. @throws UsageFault */
export function readSessionArguments(
  command: SessionCommand,
  words: readonly string[],
): SessionAsked | undefined {
  const given = new Given(command, words)
  return given.flag('help') ? undefined : READERS[command](given)
}
