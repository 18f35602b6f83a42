/**
 * What can be wrong before a run begins, with the exit code it leads to.
 *
 * @module
 */
import { EXIT } from './usage.ts'
import type { ExitCode } from './usage.ts'

/** A command line that makes no sense. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault'
  readonly exitCode: ExitCode = EXIT.usage
}

/** Something that is needed is missing; `code` is printed before the message. */
export class SetupFault extends Error {
  override readonly name = 'SetupFault'
  readonly exitCode: ExitCode = EXIT.failed
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
