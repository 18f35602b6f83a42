/**
 * Tables that programs write into pages which people write: how they are set, and where they go.
 *
 * @module
 */

type Align = 'left' | 'right'

const rule = (width: number, align: Align): string =>
  align === 'left' ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`

/** A Markdown table set as the formatter sets it; the first row is the head. */
export function pageTable(
  rows: readonly (readonly string[])[],
  aligns: readonly Align[] = [],
): string {
  const columns = rows[0]?.length ?? 0
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(3, ...rows.map((row) => (row[i] ?? '').length)),
  )
  const alignOf = (i: number): Align => aligns[i] ?? 'left'
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => (alignOf(i) === 'left' ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`
  const [head = [], ...body] = rows
  const under = widths.map((width, i) => rule(width, alignOf(i)))
  return [head, under, ...body].map(line).join('\n')
}

/**
 * `page` with `text` between the comments `<!-- mark -->` and `<!-- /mark -->`.
 *
 * @throws if the page does not have both
 */
export function pageWith(page: string, mark: string, text: string): string {
  const start = `<!-- ${mark} -->\n`
  const end = `<!-- /${mark} -->`
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from === -1 || to < from)
    throw new Error(`expected ${start.trim()} and ${end} in the page, found no such place for it`)
  return `${page.slice(0, from + start.length)}\n${text}\n\n${page.slice(to)}`
}
