/**
 * The ways between the states of a chart, and the lines that are drawn for them.
 *
 * @module
 */
import type { Chart, ChartState, ChartTransition } from '../../../src/inspect/viewer/wire.ts'
import { BOX_HEIGHT, BOX_WIDTH, type Placed } from './chart-layout.ts'

/** A way between two states that hold no others, with the events that lead along it. */
export interface Edge {
  readonly from: string
  readonly to: string
  readonly events: readonly string[]
}

/** Where entering a state ends. */
function restingIn(states: readonly ChartState[], path: string): string {
  const state = states.find((one) => one.path === path)
  if (state?.compound !== true) return path
  const first = states.find(
    (one) =>
      one.initial && one.path.startsWith(`${path}.`) && !nameIn(one.path, path).includes('.'),
  )
  return first === undefined ? path : restingIn(states, first.path)
}

const nameIn = (path: string, outer: string): string => path.slice(outer.length + 1)

const leavesIn = (states: readonly ChartState[], path: string): string[] =>
  states
    .filter((one) => !one.compound && (one.path === path || one.path.startsWith(`${path}.`)))
    .map((one) => one.path)

const labelOf = ({ event, guard }: ChartTransition): string =>
  guard === undefined || guard === '' ? event : `${event} (${guard})`

/** All ways between states that hold no others, once for each pair. */
export function edgesOf({ states, transitions }: Chart): Edge[] {
  const edges = new Map<string, { from: string; to: string; events: string[] }>()
  for (const transition of transitions) {
    const to = restingIn(states, transition.to)
    for (const from of leavesIn(states, transition.from)) {
      const key = `${from} ${to}`
      const edge = edges.get(key) ?? { from, to, events: [] }
      const label = labelOf(transition)
      if (!edge.events.includes(label)) edge.events.push(label)
      edges.set(key, edge)
    }
  }
  return [...edges.values()]
}

/** The line of an edge as an SVG path. Neighbours are joined straight, others by a bow through the gap between rows. */
export function pathOf(from: Placed, to: Placed): string {
  if (from === to) return `M${middleOf(from) - 14} ${from.y} c0 -14 28 -14 28 0`
  if (from.row !== to.row) return slope(from, to)
  return Math.abs(from.column - to.column) === 1 ? straight(from, to) : bow(from, to)
}

const middleOf = ({ x }: Placed): number => x + BOX_WIDTH / 2

function straight(from: Placed, to: Placed): string {
  const forth = to.column > from.column
  const y = from.y + BOX_HEIGHT / 2
  return `M${forth ? from.x + BOX_WIDTH : from.x} ${y} H${forth ? to.x : to.x + BOX_WIDTH}`
}

function bow(from: Placed, to: Placed): string {
  const way = Math.sign(to.x - from.x)
  const [start, end] = [middleOf(from), middleOf(to)]
  return `M${start + way * 12} ${from.y} C${start + way * 30} ${from.y - 17} ${end - way * 30} ${to.y - 17} ${end - way * 12} ${to.y}`
}

function slope(from: Placed, to: Placed): string {
  const down = to.row > from.row
  const y1 = down ? from.y + BOX_HEIGHT : from.y
  const y2 = down ? to.y : to.y + BOX_HEIGHT
  const bend = down ? 18 : -18
  const [start, end] = [middleOf(from), middleOf(to)]
  return `M${start} ${y1} C${start} ${y1 + bend} ${end} ${y2 - bend} ${end} ${y2}`
}

/** Do the two stand side by side? */
export const areNeighbours = (from: Placed, to: Placed): boolean =>
  Math.abs(from.column - to.column) + Math.abs(from.row - to.row) === 1
