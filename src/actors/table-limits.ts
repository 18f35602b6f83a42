/**
 * What the table does not run, refused by name when a machine is compiled.
 *
 * @module
 */
import type { Chart, ChartNode } from './table-xstate.ts'

/** Says what the table does not run. @throws Error always */
export function refuse(chart: Chart, node: ChartNode, what: string): never {
  throw new Error(
    `machine '${chart.id}' cannot run as a table: state '${node.id}' uses ${what}. ` +
      'Nothing was started. Run the stock machine, or change the chart.',
  )
}

/** Features of a state, and how each is called when it is refused. */
const FEATURES: readonly (readonly [name: string, used: (node: ChartNode) => boolean])[] = [
  ['parallel states', ({ type }) => type === 'parallel'],
  ['history states', ({ type }) => type === 'history'],
  ['eventless transitions (always)', ({ always }) => always !== undefined],
  ['delayed transitions (after)', ({ after }) => after.length > 0],
  ['routes', ({ config }) => config.route !== undefined],
  ['onSnapshot', ({ invoke }) => invoke.some(({ onSnapshot }) => onSnapshot !== undefined)],
  [
    'wildcard events',
    ({ transitions }) => [...transitions.keys()].some((type) => type.endsWith('*')),
  ],
]

/** @throws Error when `node` has a feature that the table does not run. */
export function refuseUnsupported(chart: Chart, node: ChartNode): void {
  for (const [name, used] of FEATURES) if (used(node)) refuse(chart, node, name)
}

/** @throws Error when a transition goes where the table would not follow XState. */
export function refuseTarget(
  chart: Chart,
  source: ChartNode,
  target: readonly ChartNode[],
  reenter: boolean,
): void {
  if (target.length > 1) refuse(chart, source, 'a transition with several targets')
  // XState enters the root again there without having left it.
  if (target[0] === chart.root && source !== chart.root && !reenter) {
    refuse(chart, source, 'a transition to the root that does not reenter it')
  }
}
