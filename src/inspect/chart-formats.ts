/**
 * The charts of an agent in the forms that other tools read.
 *
 * @module
 */
import { machineDefinition, machineModule } from './definition.ts'
import { machineDot } from './dot.ts'
import { lifecycleMachines } from './lifecycle-machines.ts'
import { machineMermaid, machinesMermaid } from './mermaid.ts'

/** `json`: XState's definitions; `js`: a module for Stately Studio; `mermaid` and `dot`: diagrams. */
export const CHART_FORMATS = ['json', 'js', 'mermaid', 'dot'] as const
export type ChartFormat = (typeof CHART_FORMATS)[number]
export const CHART_NAMES = ['agent', 'turn', 'step'] as const
export type ChartName = (typeof CHART_NAMES)[number]

type Machine = (typeof lifecycleMachines)[number]

const ONE: { readonly [format in ChartFormat]: (machine: Machine) => string } = {
  json: (machine) => JSON.stringify(machineDefinition(machine), null, 2),
  js: (machine) => machineModule([machine]),
  mermaid: (machine) => machineMermaid(machine),
  dot: (machine) => machineDot(machine),
}

const ALL: { readonly [format in ChartFormat]: () => string } = {
  json: () =>
    JSON.stringify(
      Object.fromEntries(lifecycleMachines.map((each) => [each.id, machineDefinition(each)])),
      null,
      2,
    ),
  js: () => machineModule(lifecycleMachines),
  mermaid: () => machinesMermaid(lifecycleMachines),
  // A file may hold several graphs.
  dot: () => lifecycleMachines.map((machine) => machineDot(machine)).join('\n\n'),
}

/** One chart, or all three. */
export function chartText(format: ChartFormat, name?: ChartName): string {
  const machine = lifecycleMachines.find(({ id }) => id === name)
  return machine === undefined ? ALL[format]() : ONE[format](machine)
}
