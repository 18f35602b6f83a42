/**
 * `turnwise machines`: the three charts as data, as a module, or as diagrams.
 *
 * @module
 */
import { chartText } from '../inspect/chart-formats.ts'
import type { MachinesAsked } from './log-arguments.ts'
import type { Surroundings } from './surroundings.ts'
import { EXIT } from './usage.ts'
import type { ExitCode } from './usage.ts'

/** Prints one machine, or all three. */
export async function machinesCommand(
  { format, machine }: MachinesAsked,
  at: Surroundings,
): Promise<ExitCode> {
  at.stdout.write(`${chartText(format, machine)}\n`)
  return Promise.resolve(EXIT.ok)
}
