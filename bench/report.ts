/**
 * Writes what was measured as a page of Markdown.
 *
 * @module
 */
import type { Ratio } from './measure.ts'
import type { Row, Section } from './section.ts'

/** A section with what it measured. */
export interface Measured {
  readonly section: Omit<Section, 'run'>
  readonly rows: readonly Row[]
}

/** Where and how it was measured. */
export interface Facts {
  readonly command: string
  readonly node: string
  readonly cores: number
  readonly cpu: string
  readonly date: string
  readonly quick: boolean
}

/** The whole page. */
export function pageOf(measured: readonly Measured[], facts: Facts): string {
  const missed = measured.flatMap(({ rows }) => rows.filter((row) => met(row) === false))
  const total = measured.flatMap(({ rows }) => rows.filter((row) => row.target !== undefined))
  return [
    '# What it costs',
    `Made by \`${facts.command}\` on ${facts.date} with Node ${facts.node}, ${facts.cores} cores (${facts.cpu})${facts.quick ? '; a short run, good for a look only' : ''}. Other work on the machine moves the times; ratios are of the same rounds and move less. A ratio is the median over rounds, with its quartiles.`,
    'The floor is a loop written by hand that keeps the same events and does nothing else (`bench/subjects/floor.ts`). Before anything is timed, both sides are held to the same events with the same payloads, and to the same number of waits for the disk.',
    `${total.length - missed.length} of ${total.length} targets are met. How it is measured, what costs what and what would help: [README](README.md).`,
    ...measured.flatMap(({ section, rows }) => [`## ${section.title}`, section.note, table(rows)]),
  ].join('\n\n')
}

/** Is the target met? Undefined where there is none. */
export function met({ value, ratio, target }: Row): boolean | undefined {
  return target === undefined ? undefined : (ratio?.median ?? value) <= target
}

function table(rows: readonly Row[]): string {
  const head = ['', 'subject', 'cost', '× floor', 'target', '']
  const lines = rows.map((row) => [
    row.what,
    row.subject,
    `${short(row.value)} ${row.unit}`,
    row.ratio === undefined ? '' : ratioText(row.ratio),
    row.target === undefined ? '' : `≤ ${row.target}`,
    { true: 'met', false: '**missed**', undefined: '' }[String(met(row))] ?? '',
  ])
  return aligned([head, ...lines], new Set([2, 3]))
}

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** A Markdown table whose columns line up, as the formatter wants it; `right` are the columns of numbers. */
function aligned(rows: readonly (readonly string[])[], right: ReadonlySet<number>): string {
  const columns = rows[0]?.length ?? 0
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(3, ...rows.map((cells) => cells[column]?.length ?? 0)),
  )
  const padded = rows.map((cells) =>
    lineOf(
      widths.map((width, column) => {
        const cell = cells[column] ?? ''
        return right.has(column) ? cell.padStart(width) : cell.padEnd(width)
      }),
    ),
  )
  const rule = lineOf(
    widths.map((width, column) =>
      right.has(column) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
    ),
  )
  return [padded[0], rule, ...padded.slice(1)].join('\n')
}

const ratioText = ({ median, low, high }: Ratio): string =>
  `${short(median)} (${short(low)}–${short(high)})`

const short = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 })
