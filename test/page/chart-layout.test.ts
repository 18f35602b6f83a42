import { describe, expect, it } from 'vitest'
import { areNeighbours, edgesOf, pathOf } from '../../page/src/parts/chart-edges.ts'
import { layOut } from '../../page/src/parts/chart-layout.ts'
import { charts } from '../../src/inspect/viewer/charts.ts'
import type { Chart } from '../../src/inspect/viewer/wire.ts'

/** Columns of a drawing; unknown states stand below. */
const COLUMNS = 10
/** Rows that are meant. */
const ROWS = { agent: 2, turn: 2, step: 4 }

const leaves = ({ states }: Chart): string[] =>
  states.filter(({ compound }) => !compound).map(({ path }) => path)

describe.each(charts())('the chart of the $id', (chart) => {
  it.each([false, true])('every state has a box of its own (upright: %s)', (upright) => {
    const { boxes, width, height } = layOut(chart, upright)
    expect(boxes.map(({ state }) => state.path)).toEqual(leaves(chart))
    expect(new Set(boxes.map(({ column, row }) => `${column} ${row}`)).size).toBe(boxes.length)
    for (const { x, y } of boxes) {
      expect(x).toBeLessThan(width)
      expect(y).toBeLessThan(height)
    }
  })

  it('every state has been given its place, in the order of an ordinary run', () => {
    const { boxes } = layOut(chart)
    expect(Math.max(...boxes.map(({ column }) => column))).toBeLessThan(COLUMNS)
    expect(Math.max(...boxes.map(({ row }) => row)) + 1).toBe(ROWS[chart.id])
  })

  it('every way of the chart has a line between boxes', () => {
    const byPath = new Map(layOut(chart).boxes.map((box) => [box.state.path, box]))
    const edges = edgesOf(chart)
    expect(edges.length).toBeGreaterThan(leaves(chart).length - 2)
    for (const edge of edges) {
      const [from, to] = [byPath.get(edge.from), byPath.get(edge.to)]
      if (from === undefined || to === undefined) throw new Error(`no box: ${edge.from} ${edge.to}`)
      expect(pathOf(from, to)).toMatch(/^M[-\d. MCHc]+$/)
      expect(edge.events.length).toBeGreaterThan(0)
      expect(areNeighbours(from, to)).toBe(areNeighbours(to, from))
    }
  })
})

it('a state that nobody has placed is drawn below the others', () => {
  const [agent] = charts()
  if (agent === undefined) throw new Error('no chart')
  const strange = { path: 'strange', tags: [], compound: false, initial: false, final: false }
  const { boxes } = layOut({ ...agent, states: [...agent.states, strange] })
  const rows = boxes.map(({ row }) => row)
  expect(boxes.at(-1)).toMatchObject({ name: 'strange', column: 0, row: Math.max(...rows) })
})
