/**
 * Reads the command lines of `doctor`, `resume`, `fork` and `sessions`. It looks at words only.
 *
 * @module
 */
import { UsageFault } from './fault.ts'
import { FLAG, Given, TEXT } from './given.ts'

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
    const at = given.seq('at')
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

/** Reads the words behind `command`. @returns undefined where help is asked for. @throws UsageFault */
export function readSessionArguments(
  command: SessionCommand,
  words: readonly string[],
): SessionAsked | undefined {
  const given = new Given(OPTIONS[command], words)
  return given.flag('help') ? undefined : READERS[command](given)
}
