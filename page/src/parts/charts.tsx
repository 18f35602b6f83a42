/**
 * The three charts, outermost first, lit as the log says.
 *
 * @module
 */
import { useMemo } from 'preact/hooks'
import { standingView } from '../../../src/inspect/account/standing.ts'
import { lightsOf, liveLights } from '../log/lights.ts'
import { useStore } from '../view/use-store.ts'
import { ChartFigure, type ChartProps } from './chart.tsx'

export function Charts() {
  const { view, moment } = useStore()
  const standing = standingView(moment.standing)
  const atEnd = view.cursor === null
  return (
    <section class="charts" aria-labelledby="charts-title">
      <header>
        <h2 id="charts-title">Charts</h2>
        <p class="legend">
          <span class="is-lit">current</span>
          <span class="is-perhaps">perhaps since</span>
          <span class="is-window">cancel window</span>
        </p>
      </header>
      {view.charts.map((chart) => (
        <Lit
          key={chart.id}
          chart={chart}
          lights={
            (atEnd && chart.id === 'agent' ? liveLights(view.live) : undefined) ??
            lightsOf(standing[chart.id], atEnd)
          }
        />
      ))}
    </section>
  )
}

/** Draws a chart anew only when other states are lit. */
function Lit({ chart, lights }: ChartProps) {
  const { current, perhaps } = lights
  return useMemo(
    () => <ChartFigure chart={chart} lights={lights} />,
    [chart, [...current, '', ...perhaps].join(' ')],
  )
}
