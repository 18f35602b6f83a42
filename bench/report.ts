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
    `${total.length - missed.length} of ${total.length} targets are met.`,
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
  const rule = head.map((_, column) => (column === 2 || column === 3 ? '---:' : '---'))
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const ratioText = ({ median, low, high }: Ratio): string =>
  `${short(median)} (${short(low)}–${short(high)})`

const short = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 })
