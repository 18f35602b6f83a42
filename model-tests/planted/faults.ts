/**
 * The planted faults: what has gone wrong in agent runtimes, made here on purpose, so that it is known which way of
 * exploring would notice it.
 *
 * @module
 */
import type { Fault } from './fault.ts'
import { MACHINES, MAILBOX } from './faults-charts.ts'
import { STEPS } from './faults-steps.ts'
import { CANCELS, LIVES, TURNS } from './faults-turns.ts'
import { FORGOTTEN_WINDOWS } from './windows.ts'

/** Every planted fault. */
export const FAULTS: readonly Fault[] = [
  ...MAILBOX,
  ...MACHINES,
  ...FORGOTTEN_WINDOWS,
  ...CANCELS,
  ...TURNS,
  ...STEPS,
  ...LIVES,
]
