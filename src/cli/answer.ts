/**
 * What a piece of work came to, as the command tells it: its text or its data, its faults, and whether it succeeded.
 *
 * @module
 */
import type { RunResult } from '../actors/agent-handle.ts'
import type { OutputFault } from '../actors/run.port.ts'
import { faultOf } from './live/reasons.ts'

/** A RunResult, with data or the reason why there is none, where data was asked for. */
export type Answer = RunResult & {
  readonly output?: unknown
  readonly outputFault?: OutputFault | undefined
}

/** The data as one line of JSON; without data the final response. */
export const textOf = ({ output, finalResponse }: Answer): string =>
  output === undefined ? finalResponse : JSON.stringify(output)

/** `CODE: message` for everything that went wrong. */
export function faultsOf({ turns, outputFault }: Answer): readonly string[] {
  const faults = turns.flatMap(({ reason }) => faultOf(reason) ?? [])
  if (turns.length === 0) faults.push('NO_TURN: no turn ran')
  // What kept the last turn from completing has just been said.
  if (outputFault !== undefined && outputFault.code !== 'NOT_COMPLETED')
    faults.push(`${outputFault.code}: ${outputFault.message}`)
  return faults
}

/** Only the last turn counts, and the data: what came before was worked on further. */
export const succeeded = ({ turns, outputFault }: Answer): boolean =>
  turns.at(-1)?.reason.kind === 'completed' && outputFault === undefined
