/**
 * Where each state of a chart stands: rows in the order of an ordinary run, one row for each way to leave it.
 *
 * A state that has no place here is still drawn, below the others.
 *
 * @module
 */
import type { Chart, ChartState } from '../../../src/inspect/viewer/wire.ts'

/** Rows of paths, from left to right; an empty text leaves a place free. */
type Rows = readonly (readonly string[])[]

const ROWS: Readonly<Record<Chart['id'], Rows>> = {
  agent: [
    [
      'idle',
      'waking',
      'starting',
      'running.turning',
      'running.deciding',
      'running.securing',
      'disposing',
      'flushing',
      'leaving',
      'disposed',
    ],
    ['maintenance', '', '', 'running.adopting'],
  ],
  turn: [
    [
      'unopened',
      'open.opening',
      'open.claiming',
      'open.yielding',
      'open.assembling',
      'open.securing',
      'open.gating',
      'open.stepping',
      'open.closing',
      'open.resting',
    ],
    [
      'open.adopting',
      'open.injecting',
      'open.converging',
      'open.restoring',
      'open.stopping',
      'open.decided',
      'open.deciding',
      'open.continuing',
      'open.sealing',
      'open.refused',
    ],
  ],
  step: [
    [
      'unopened',
      'opening',
      'composing',
      'heading',
      'securing',
      'streaming',
      'transforming',
      'committing',
      'closing',
      'ended',
    ],
    [
      'calling.announcing',
      'calling.admitting',
      'calling.questioning',
      'calling.approving',
      'calling.flushing',
      'calling.running',
      'calling.accounting',
      'calling.recording',
      'calling.answering',
      'calling.withdrawing',
    ],
    [
      '',
      '',
      'backingOff',
      'noting',
      'conceding',
      'recovering',
      'discarding',
      'converging',
      'answering',
    ],
    [
      'draining.waiting',
      'draining.accounting',
      'draining.recording',
      'draining.answering',
      'draining.withdrawing',
      'cutting',
      'finalising',
    ],
  ],
}

/** Sizes in the units of the drawing. */
const BOX = { width: 94, height: 26, stepX: 104, stepY: 42, left: 6, top: 15 } as const

export interface Placed {
  readonly state: ChartState
  /** Column and row. */
  readonly column: number
  readonly row: number
  readonly x: number
  readonly y: number
  /** What is written: the innermost name. */
  readonly name: string
}

/** A frame around the states inside one state. */
export interface Frame {
  readonly name: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Layout {
  readonly width: number
  readonly height: number
  readonly boxes: readonly Placed[]
  readonly frames: readonly Frame[]
}

export const BOX_WIDTH = BOX.width
export const BOX_HEIGHT = BOX.height

const nameOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/** Places of a chart, its unknown states in rows of their own. */
function placesOf({ id, states }: Chart): Map<string, readonly [column: number, row: number]> {
  const rows = ROWS[id]
  const places = new Map<string, readonly [number, number]>()
  for (const [row, paths] of rows.entries()) {
    for (const [column, path] of paths.entries()) if (path !== '') places.set(path, [column, row])
  }
  const unknown = states.filter(({ path, compound }) => !compound && !places.has(path))
  for (const [index, { path }] of unknown.entries()) {
    places.set(path, [index % 10, rows.length + Math.floor(index / 10)])
  }
  return places
}

/** A state with most of the others inside needs no frame. */
function framesOf({ states }: Chart, boxes: readonly Placed[]): Frame[] {
  const around = states.filter(({ compound }) => compound)
  return around.flatMap(({ path }) => {
    const inside = boxes.filter(({ state }) => state.path.startsWith(`${path}.`))
    if (inside.length === 0 || inside.length > boxes.length * 0.6) return []
    const x = Math.min(...inside.map((box) => box.x)) - 4
    const y = Math.min(...inside.map((box) => box.y)) - 4
    const right = Math.max(...inside.map((box) => box.x)) + BOX.width + 4
    const bottom = Math.max(...inside.map((box) => box.y)) + BOX.height + 4
    return [{ name: nameOf(path), x, y, width: right - x, height: bottom - y }]
  })
}

/** Lays a chart out, from left to right or, where there is little room, from top to bottom. */
export function layOut(chart: Chart, upright = false): Layout {
  const places = placesOf(chart)
  const boxes = chart.states
    .filter(({ compound }) => !compound)
    .map((state): Placed => {
      const [across, down] = places.get(state.path) ?? [0, 0]
      const [column, row] = upright ? [down, across] : [across, down]
      return {
        state,
        column,
        row,
        x: BOX.left + column * BOX.stepX,
        y: BOX.top + row * BOX.stepY,
        name: nameOf(state.path),
      }
    })
  return {
    width: Math.max(...boxes.map(({ x }) => x), 0) + BOX.width + BOX.left,
    height: Math.max(...boxes.map(({ y }) => y), 0) + BOX.height + 5,
    boxes,
    frames: framesOf(chart, boxes),
  }
}
