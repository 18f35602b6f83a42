/**
 * A trace as a timeline: one line a fact, in columns, for a terminal or a bug report.
 *
 * @module
 */
import type { TraceEntry } from './trace-entry.ts'

/** When, where, between whom, and what. */
type Row = readonly [time: string, seq: string, at: string, route: string, what: string]

const HEAD: Row = ['seconds', 'seq', 'step', 'who', 'what']

/** The timeline; its first line says when it begins. Empty without entries. */
export function traceText(entries: readonly TraceEntry[]): string {
  const [first] = entries
  if (first === undefined) return ''
  const rows = [HEAD, ...entries.map((entry) => rowOf(entry, first.time))]
  const widths = widthsOf(rows)
  const lines = rows.map((row) => lineOf(row, widths))
  return [`from ${new Date(first.time).toISOString()}`, ...lines].join('\n')
}

/** Of each column, the length of its longest cell. */
function widthsOf(rows: readonly Row[]): readonly number[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, { length }] of row.entries())
      widths[column] = Math.max(length, widths[column] ?? 0)
  }
  return widths
}

function rowOf(
  { seq, time, turn, step, kind, from, to, what, said }: TraceEntry,
  zero: number,
): Row {
  const at = turn === null ? '' : `${turn}${step === null ? '' : `.${step}`}`
  const route = kind === 'note' ? from : `${from} ${kind === 'answer' ? '-->' : '->'} ${to}`
  const quoted = said === '' ? '' : `  "${said}"`
  return [((time - zero) / 1000).toFixed(3), `${seq}`, at, route, `${what}${quoted}`]
}

/** Numbers end in one column, words begin in one. */
const lineOf = (row: Row, widths: readonly number[]): string =>
  row
    .map((cell, column) => {
      const width = widths[column] ?? 0
      return column < 2 ? cell.padStart(width) : cell.padEnd(width)
    })
    .join('  ')
    .trimEnd()
