/**
 * The command: reads the words, runs what they ask for, and turns every fault into a line and an exit code.
 *
 * @module
 */
import { TurnwiseError, causeChain } from '../errors.ts'
import type { ErrorCode } from '../errors.ts'
import { acpCommand } from './acp.command.ts'
import { type Asked, readArguments } from './arguments.ts'
import { chatCommand } from './chat.command.ts'
import { doctorCommand } from './doctor.command.ts'
import { exportCommand } from './export.command.ts'
import { SetupFault, UsageFault } from './fault.ts'
import { forkCommand } from './fork.command.ts'
import { HELP_ON } from './help.ts'
import { inspectCommand } from './inspect.command.ts'
import { printable } from './live/printable.ts'
import { machinesCommand } from './machines.command.ts'
import { pathsCommand } from './paths.command.ts'
import { replayCommand } from './replay.command.ts'
import { resumeCommand } from './resume.command.ts'
import { runCommand } from './run.command.ts'
import { Secrets } from './secrets.ts'
import { serveCommand } from './serve.command.ts'
import { sessionsCommand } from './sessions.command.ts'
import type { Surroundings } from './surroundings.ts'
import { traceCommand } from './trace.command.ts'
import { EXIT } from './usage.ts'
import type { ExitCode } from './usage.ts'
import { VERSION } from './version.ts'

/** An output whose reader went away must not end the process with a stack trace. */
const ignore = (): void => {}

/** Runs the command line behind `turnwise`. Never rejects. */
export async function turnwise(words: readonly string[], at: Surroundings): Promise<ExitCode> {
  at.stdout.on('error', ignore)
  at.stderr.on('error', ignore)
  try {
    const asked = readArguments(words)
    return await perform(asked, at)
  } catch (error) {
    at.stderr.write(`${printable(new Secrets(at.env).hide(lineOf(error)))}\n`)
    return error instanceof UsageFault || error instanceof SetupFault ? error.exitCode : EXIT.failed
  }
}

type Commands = {
  readonly [name in Asked['command']]: (
    asked: Extract<Asked, { readonly command: name }>,
    at: Surroundings,
  ) => Promise<ExitCode>
}

const say = async (text: string, at: Surroundings): Promise<ExitCode> => {
  at.stdout.write(text)
  return Promise.resolve(EXIT.ok)
}

const COMMANDS: Commands = {
  run: runCommand,
  chat: chatCommand,
  doctor: doctorCommand,
  resume: resumeCommand,
  fork: forkCommand,
  sessions: sessionsCommand,
  serve: serveCommand,
  acp: acpCommand,
  paths: pathsCommand,
  inspect: inspectCommand,
  trace: traceCommand,
  replay: replayCommand,
  export: exportCommand,
  machines: machinesCommand,
  help: ({ of }, at) => say(HELP_ON[of], at),
  version: (_asked, at) => say(`${VERSION}\n`, at),
}

const perform = (asked: Asked, at: Surroundings): Promise<ExitCode> =>
  COMMANDS[asked.command](asked as never, at)

/** What a person at a command line can do, where the library can only say what is wrong. */
const ADVICE: { readonly [code in ErrorCode]?: string } = {
  OPEN_TURN: '\nGive --close-open, or another --at.',
  SESSION_LIVE: '\nWait until the other process has ended, or use another --session.',
}

function lineOf(error: unknown): string {
  if (error instanceof UsageFault) return `turnwise: ${error.message}\nTry "turnwise help run".`
  if (error instanceof SetupFault) return `${error.code}: ${error.message}`
  if (error instanceof TurnwiseError)
    return `${error.code}: ${error.message}${ADVICE[error.code] ?? ''}`
  return causeChain(error)
}
