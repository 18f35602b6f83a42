/**
 * The definition of a machine as plain data: what Stately Studio, and every other reader of XState's JSON, takes.
 *
 * Names of actions, guards and actors stay; what is behind them is code and stays here. States keep their order: readers
 * lay a chart out in it.
 *
 * @module
 */
import type { AnyStateMachine } from 'xstate'
import type { Json } from '../events/json.ts'

/** The definition without code. */
export function machineDefinition(machine: AnyStateMachine): { readonly [key: string]: Json } {
  // Functions fall away: contexts, inputs and outputs that are computed.
  return JSON.parse(JSON.stringify(machine.config)) as { [key: string]: Json }
}

/** Definitions as a module: Stately Studio imports calls of `createMachine`. */
export function machineModule(machines: readonly AnyStateMachine[]): string {
  const calls = machines.map(
    (machine) =>
      `export const ${machine.id}Machine = createMachine(${JSON.stringify(machineDefinition(machine), null, 2)})`,
  )
  return ["import { createMachine } from 'xstate'", ...calls].join('\n\n')
}
