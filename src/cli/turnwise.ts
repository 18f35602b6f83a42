/**
 * The command: reads the words, runs what they ask for, and turns every fault into a line and an exit code.
 *
 * @module
 */
import { TurnwiseError, causeChain } from '../errors.ts'
import type { ErrorCode } from '../errors.ts'
import { readArguments } from './arguments.ts'
import { SetupFault, UsageFault } from './fault.ts'
import { printable } from './live/printable.ts'
import { runCommand } from './run.command.ts'
import { Secrets } from './secrets.ts'
import type { Surroundings } from './surroundings.ts'
import { EXIT, HELP, RUN_HELP } from './usage.ts'
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
    if (asked.command === 'run') return await runCommand(asked, at)
    at.stdout.write(
      asked.command === 'version' ? `${VERSION}\n` : asked.of === 'run' ? RUN_HELP : HELP,
    )
    return EXIT.ok
  } catch (error) {
    at.stderr.write(`${printable(new Secrets(at.env).hide(lineOf(error)))}\n`)
    return error instanceof UsageFault || error instanceof SetupFault ? error.exitCode : EXIT.failed
  }
}

/** What a person at a command line can do, where the library can only say what is wrong. */
const ADVICE: { readonly [code in ErrorCode]?: string } = {
  OPEN_TURN:
    '\nThat session ended in the middle of a turn, and this command cannot repair it. Begin another one: leave --session out, or name a new one.',
  SESSION_LIVE: '\nWait until the other process has ended, or use another --session.',
}

function lineOf(error: unknown): string {
  if (error instanceof UsageFault) return `turnwise: ${error.message}\nTry "turnwise help run".`
  if (error instanceof SetupFault) return `${error.code}: ${error.message}`
  if (error instanceof TurnwiseError)
    return `${error.code}: ${error.message}${ADVICE[error.code] ?? ''}`
  return causeChain(error)
}
