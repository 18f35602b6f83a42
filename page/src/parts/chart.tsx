/**
 * One statechart: its states, those that are current lit, cancel windows dashed, and the ways out of where it stands.
 *
 * @module
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Chart } from '../../../src/inspect/viewer/wire.ts'
import type { Lights } from '../log/lights.ts'
import { ChartDrawing } from './chart-drawing.tsx'
import { edgesOf, type Edge } from './chart-edges.ts'
import { layOut } from './chart-layout.ts'

/** px below which a chart stands upright. */
const NARROW = 640

export interface ChartProps {
  readonly chart: Chart
  readonly lights: Lights
}

export function ChartFigure({ chart, lights }: ChartProps) {
  const frame = useRef<HTMLElement>(null)
  const upright = useNarrow(frame)
  const layout = useMemo(() => layOut(chart, upright), [chart, upright])
  const edges = useMemo(() => edgesOf(chart), [chart])
  const [looked, look] = useState<string | null>(null)
  const focus = looked ?? lights.current[0] ?? null
  return (
    <figure ref={frame} class="chart" data-chart={chart.id} data-runs={lights.current.length > 0}>
      <figcaption>
        <h3>{chart.id}</h3>
        <Caption chart={chart} edges={edges} focus={focus} lights={lights} />
      </figcaption>
      <ChartDrawing
        id={chart.id}
        layout={layout}
        edges={edges}
        lights={lights}
        looked={looked}
        look={look}
      />
    </figure>
  )
}

function useNarrow(frame: { readonly current: HTMLElement | null }): boolean {
  const [narrow, tell] = useState(() => innerWidth < NARROW)
  useEffect(() => {
    const { current } = frame
    if (current === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) tell(entry.contentRect.width < NARROW)
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return narrow
}

interface CaptionProps {
  readonly chart: Chart
  readonly edges: readonly Edge[]
  readonly focus: string | null
  readonly lights: Lights
}

/** What the current state is, or the one that is looked at, and where it leads. */
function Caption({ chart, edges, focus, lights }: CaptionProps) {
  const state = chart.states.find(({ path }) => path === focus)
  if (state === undefined) return <p>not open</p>
  const { current, perhaps } = lights
  const lit = current.includes(state.path)
  const others = [...current, ...perhaps].filter((path) => path !== state.path)
  const ways = edges
    .filter(({ from }) => from === state.path)
    .map(({ to, events }) => `${to} on ${events.join(', ')}`)
  return (
    <p title={ways.length === 0 ? '' : `leads to ${ways.join('; ')}`}>
      <b class={lit ? 'lit' : ''}>{state.path}</b> {state.description ?? ''}
      {lit && others.length > 0 ? ` The log cannot tell it from ${others.join(', ')}.` : ''}
    </p>
  )
}
