/**
 * The drawing of one statechart.
 *
 * Arrows between neighbours are always drawn; the others only at the state that is current or looked at, so that the
 * picture stays calm. The arrow keys look from state to state.
 *
 * @module
 */
import type { Dispatch, StateUpdater } from 'preact/hooks'
import type { Chart } from '../../../src/inspect/viewer/wire.ts'
import type { Lights } from '../log/lights.ts'
import { areNeighbours, pathOf, type Edge } from './chart-edges.ts'
import { BOX_HEIGHT, BOX_WIDTH, type Layout, type Placed } from './chart-layout.ts'

const WINDOW_TAG = 'cancel-window'
/** px to which a chart is enlarged where there is room; one that stands upright is small enough as it is. */
const widest = (width: number): number => (width < 500 ? width : Math.round(width * 1.15))

export interface DrawingProps {
  readonly id: Chart['id']
  readonly layout: Layout
  readonly edges: readonly Edge[]
  readonly lights: Lights
  readonly looked: string | null
  readonly look: Look
}

/** Looks at a state, or at none. */
type Look = Dispatch<StateUpdater<string | null>>

export function ChartDrawing({ id, layout, edges, lights, looked, look }: DrawingProps) {
  const { width, height, boxes, frames } = layout
  const focus = looked ?? lights.current[0] ?? null
  const idOf = (path: string): string => `${id}-${path.replaceAll('.', '-')}`
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      style={{ maxWidth: `${widest(width)}px` }}
      role="listbox"
      tabIndex={0}
      aria-label={`States of the ${id}`}
      {...(focus === null ? {} : { 'aria-activedescendant': idOf(focus) })}
      onBlur={() => look(null)}
      onKeyDown={(event) => {
        const step = STEPS[event.key]
        if (step === undefined || event.shiftKey) return
        event.preventDefault()
        event.stopPropagation()
        // Keys may come faster than frames: each starts where the one before it led.
        look((at) => neighbourOf(boxes, at ?? lights.current[0], step))
      }}
    >
      <defs>
        <Tip id={`tip-${id}`} look="tip" />
        <Tip id={`tip-out-${id}`} look="tip-out" />
      </defs>
      {frames.map((one) => (
        <g key={one.name} aria-hidden="true">
          <rect class="frame" x={one.x} y={one.y} width={one.width} height={one.height} rx="7" />
          <text class="frame-name" x={one.x + 6} y={one.y - 2.5}>
            {one.name}
          </text>
        </g>
      ))}
      <Windows boxes={boxes} />
      <Edges id={id} boxes={boxes} edges={edges} focus={focus} />
      {boxes.map((box) => (
        <State
          key={box.state.path}
          id={idOf(box.state.path)}
          box={box}
          lights={lights}
          looked={box.state.path === looked}
          look={look}
        />
      ))}
    </svg>
  )
}

/** The head of an arrow. */
const Tip = ({ id, look }: { readonly id: string; readonly look: string }) => (
  <marker
    id={id}
    viewBox="0 0 8 8"
    refX="7"
    refY="4"
    markerWidth="7"
    markerHeight="7"
    markerUnits="userSpaceOnUse"
    orient="auto"
  >
    <path d="M0 0 8 4 0 8z" class={look} />
  </marker>
)

const STEPS: Readonly<Record<string, readonly [across: number, down: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
}

/** The state that a step leads to; the same where there is none. */
function neighbourOf(
  boxes: readonly Placed[],
  from: string | undefined,
  [across, down]: readonly [across: number, down: number],
): string | null {
  const here = boxes.find(({ state }) => state.path === from) ?? boxes[0]
  if (here === undefined) return null
  const far = (box: Placed): number =>
    Math.abs(box.column - here.column) + Math.abs(box.row - here.row) * 3
  const ahead = boxes.filter((box) =>
    across === 0
      ? Math.sign(box.row - here.row) === down
      : box.row === here.row && Math.sign(box.column - here.column) === across,
  )
  return ahead.toSorted((a, b) => far(a) - far(b))[0]?.state.path ?? here.state.path
}

/** The numbers of the cancel windows; the names of the states say them too. */
const Windows = ({ boxes }: { readonly boxes: readonly Placed[] }) => (
  <g aria-hidden="true">
    {boxes.map(({ state, x, y }) =>
      state.window === undefined ? null : (
        <text key={state.path} class="window" x={x + BOX_WIDTH - 5} y={y - 2.5}>
          {state.window}
        </text>
      ),
    )}
  </g>
)

interface EdgesProps {
  readonly id: Chart['id']
  readonly boxes: readonly Placed[]
  readonly edges: readonly Edge[]
  readonly focus: string | null
}

function Edges({ id, boxes, edges, focus }: EdgesProps) {
  const byPath = new Map(boxes.map((box) => [box.state.path, box]))
  return (
    <g aria-hidden="true">
      {edges.map((edge) => {
        const from = byPath.get(edge.from)
        const to = byPath.get(edge.to)
        if (from === undefined || to === undefined) return null
        const out = edge.from === focus
        if (!out && !areNeighbours(from, to)) return null
        return (
          <path
            key={`${edge.from} ${edge.to}`}
            class="edge"
            data-out={out}
            d={pathOf(from, to)}
            marker-end={`url(#tip-${out ? 'out-' : ''}${id})`}
          />
        )
      })}
    </g>
  )
}

interface StateProps {
  readonly id: string
  readonly box: Placed
  readonly lights: Lights
  readonly looked: boolean
  readonly look: Look
}

function State({ id, box, lights, looked, look }: StateProps) {
  const { state, x, y, name } = box
  const isWindow = state.tags.includes(WINDOW_TAG)
  const lit = lights.current.includes(state.path)
  const perhaps = lights.perhaps.includes(state.path)
  // It begins with what is drawn, so that who says what they see is understood.
  const said = [
    name,
    name === state.path ? '' : state.path,
    lit ? 'current' : perhaps ? 'perhaps' : '',
    isWindow ? `cancel window ${state.window ?? ''}` : '',
  ].filter((word) => word !== '')
  return (
    <g
      id={id}
      class="state"
      role="option"
      aria-selected={lit}
      aria-label={said.join(', ')}
      data-state={state.path}
      data-lit={lit}
      data-perhaps={perhaps}
      data-looked={looked}
      data-window={isWindow}
      onPointerEnter={() => look(state.path)}
      onPointerLeave={() => look(null)}
    >
      <rect x={x} y={y} width={BOX_WIDTH} height={BOX_HEIGHT} rx="6" />
      <text class="name" x={x + BOX_WIDTH / 2} y={y + BOX_HEIGHT / 2 + 4.5}>
        {name}
      </text>
    </g>
  )
}
