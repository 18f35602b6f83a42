/**
 * Draws the lifecycle as SVG, light and dark: what is drawn comes from the machines, where it stands from
 * `lifecycle-places.ts`.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import {
  type LifecycleChart,
  lifecycleCharts,
  lifecycleMermaid,
  type LifecycleState,
} from '../src/inspect/lifecycle.ts'
import {
  BEGINS,
  type Box,
  BOXES,
  ENDS,
  FRAMES,
  LEGEND,
  type Route,
  ROUTES,
  SIZE,
} from './lifecycle-places.ts'

/** Colours of a theme. */
interface Theme {
  readonly text: string
  readonly muted: string
  readonly line: string
  /** Fill and border of the states and frames of each chart. */
  readonly charts: {
    readonly [chart: string]: readonly [frame: string, fill: string, border: string]
  }
}

const THEMES = {
  light: {
    text: '#1f2328',
    muted: '#59636e',
    line: '#6e7781',
    charts: {
      agent: ['#ffffff', '#f6f8fa', '#6e7781'],
      turn: ['#faf7ff', '#ffffff', '#8250df'],
      step: ['#f1f8ff', '#ffffff', '#0969da'],
    },
  },
  dark: {
    text: '#f0f6fc',
    muted: '#9da7b3',
    line: '#8b949e',
    charts: {
      agent: ['#0d1117', '#21262d', '#8b949e'],
      turn: ['#171127', '#0d1117', '#a371f7'],
      step: ['#0b1b2e', '#0d1117', '#58a6ff'],
    },
  },
} as const satisfies { readonly [theme: string]: Theme }

export type ThemeName = keyof typeof THEMES

const FONT = "-apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif"
const CODE =
  "ui-monospace, SFMono-Regular, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"

function placed<T>(table: { readonly [key: string]: T }, key: string): T {
  const found = table[key]
  if (found === undefined)
    throw new Error(`expected a place for "${key}" in scripts/lifecycle-places.ts, found none.`)
  return found
}

/** Everything in the tables must be drawn: what the machines no longer have has no place. */
function checkTables(drawn: ReadonlySet<string>): void {
  const left = [...Object.keys(BOXES), ...Object.keys(ROUTES)].filter((key) => !drawn.has(key))
  if (left.length > 0)
    throw new Error(
      `scripts/lifecycle-places.ts has places for what is not drawn: ${left.join(', ')}`,
    )
}

function frame(chart: string, [fill, , border]: Theme['charts'][string]): string {
  const { x, y, w, h, title } = placed(FRAMES, chart)
  return `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="12" fill="${fill}" stroke="${border}" stroke-opacity="0.55"/>
<text x="${x + 16}" y="${y + 24}" font-size="14" font-weight="600" fill="${border}">${title}</text>`
}

function stateBox(
  { x, y, w, h }: Box,
  { name, does, window }: LifecycleState,
  theme: Theme,
  [, fill, border]: Theme['charts'][string],
): string {
  const middle = x + w / 2
  const dashed = window ? ' stroke-dasharray="5 3"' : ''
  const title = `<text x="${middle}" y="${does === '' ? y + h / 2 + 5 : y + 20}" text-anchor="middle" font-size="14" font-weight="600" fill="${theme.text}">${name}</text>`
  const second =
    does === ''
      ? ''
      : `\n<text x="${middle}" y="${y + 36}" text-anchor="middle" font-size="12" font-family="${CODE}" fill="${theme.muted}">${does}</text>`
  return `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="8" fill="${fill}" stroke="${border}" stroke-width="1.5"${dashed}/>\n${title}${second}`
}

function route({ points, label }: Route, theme: Theme): string {
  const path = `<path d="${rounded(points)}" fill="none" stroke="${theme.line}" stroke-width="1.5" marker-end="url(#tip)"/>`
  if (label === undefined) return path
  const [text, x, y, anchor = 'start'] = label
  return `${path}\n<text x="${x}" y="${y}" text-anchor="${anchor}" font-size="12" fill="${theme.muted}">${text}</text>`
}

/** A path with round corners. */
function rounded(points: Route['points']): string {
  return points
    .map(([x, y], index) => {
      const before = points[index - 1]
      const after = points[index + 1]
      if (before === undefined) return `M${x} ${y}`
      if (after === undefined) return `L${x} ${y}`
      const [fromX, fromY] = toward([x, y], before)
      const [toX, toY] = toward([x, y], after)
      return `L${fromX} ${fromY} Q${x} ${y} ${toX} ${toY}`
    })
    .join(' ')
}

/** A point a little on the way. */
function toward(
  [x, y]: readonly [number, number],
  [toX, toY]: readonly [number, number],
): [number, number] {
  const length = Math.hypot(toX - x, toY - y)
  const part = Math.min(8, length / 2) / length
  return [x + (toX - x) * part, y + (toY - y) * part]
}

const dot = (chart: string, theme: Theme): string => {
  const [x, y] = placed(BEGINS, chart)
  const first = placed(BOXES, `${chart} ${lifecycleStart(chart)}`)
  return `<circle cx="${x}" cy="${y}" r="5" fill="${theme.line}"/>
${route(
  {
    points: [
      [x, y + 5],
      [x, first.y],
    ],
  },
  theme,
)}`
}

const lifecycleStart = (chart: string): string | undefined =>
  lifecycleCharts().find(({ id }) => id === chart)?.states[0]?.name

/** From each state that nothing follows to the end of its chart. */
function endOf(chart: LifecycleChart, theme: Theme): string {
  const [x, y] = placed(ENDS, chart.id)
  const last = chart.states.filter(({ name }) => !chart.ways.some(({ from }) => from === name))
  const ways = last.map(({ name }) => {
    const box = placed(BOXES, `${chart.id} ${name}`)
    return route(
      {
        points: [
          [x, box.y + box.h],
          [x, y - 8],
        ],
      },
      theme,
    )
  })
  return `<circle cx="${x}" cy="${y}" r="7" fill="none" stroke="${theme.line}" stroke-width="1.5"/>
<circle cx="${x}" cy="${y}" r="4" fill="${theme.line}"/>
${ways.join('\n')}`
}

const INNER: ReadonlySet<string> = new Set(['agent running', 'turn stepping'])

function chartParts(
  chart: LifecycleChart,
  theme: Theme,
): { boxes: string[]; ways: string[]; drawn: string[] } {
  const colours = placed(theme.charts, chart.id)
  const keys = chart.states.map(({ name }) => `${chart.id} ${name}`)
  const boxes = chart.states.flatMap((state, index) => {
    const key = keys[index] ?? ''
    const box = placed(BOXES, key)
    return INNER.has(key) ? [] : [stateBox(box, state, theme, colours)]
  })
  const wayKeys = chart.ways.map(({ from, to }) => `${chart.id} ${from} ${to}`)
  const ways = wayKeys.map((key) => route(placed(ROUTES, key), theme))
  return {
    boxes: [frame(chart.id, colours), ...boxes],
    ways: [...ways, dot(chart.id, theme), endOf(chart, theme)],
    drawn: [...keys, ...wayKeys],
  }
}

/** Of the diagram that the picture shows: whoever changes the machines sees that the picture is old. */
export const fingerprint = (): string =>
  createHash('sha256').update(lifecycleMermaid()).digest('hex').slice(0, 16)

/** The whole picture. */
export function lifecyclePicture(name: ThemeName): string {
  const theme: Theme = THEMES[name]
  const parts = lifecycleCharts().map((chart) => chartParts(chart, theme))
  checkTables(new Set(parts.flatMap(({ drawn }) => drawn)))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.w} ${SIZE.h}" width="${SIZE.w}" height="${SIZE.h}" role="img" aria-labelledby="title about" font-family="${FONT}" data-source="${fingerprint()}">
<title id="title">The lifecycle of an agent</title>
<desc id="about">Three statecharts inside each other: the agent, its open turn, and the open step of that turn. States with a dashed border are windows in which a cancel can arrive.</desc>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0.5 L8 4 L0 7.5 Z" fill="${theme.line}"/></marker></defs>
${parts.flatMap(({ boxes }) => boxes).join('\n')}
${parts.flatMap(({ ways }) => ways).join('\n')}
<rect x="${LEGEND.x}" y="${LEGEND.y}" width="26" height="16" rx="4" fill="none" stroke="${theme.muted}" stroke-dasharray="5 3"/>
<text x="${LEGEND.x + 34}" y="${LEGEND.y + 12}" font-size="12" fill="${theme.muted}">${LEGEND.text}</text>
</svg>
`
}
