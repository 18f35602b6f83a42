/**
 * The table of docs/testing.md that says what the mutants of each room came to, made from the kept reports.
 *
 * @module
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Report, scoreOf } from './report.ts'
import { ROOMS } from './rooms.ts'

const PAGE = join(import.meta.dirname, '../docs/testing.md')
const START = '<!-- mutants -->\n'
const END = '<!-- /mutants -->'

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

function rowOf(room: string): string {
  const file = join(import.meta.dirname, `reports/${room}.json`)
  if (!existsSync(file)) return row([room, '', '', '', 'not run yet'])
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  const explained = report.survivors.filter(({ why }) => why !== undefined).length
  const noticed = `${report.killed + report.timedOut}`
  return row([
    room,
    report.mutants,
    noticed,
    `${scoreOf(report).toFixed(1)} %`,
    `${report.survivors.length} (${explained} explained)`,
  ])
}

/** The table, as it stands between its marks. */
export const mutantsTable = (): string =>
  [
    row(['room', 'mutants', 'noticed', 'share', 'not noticed']),
    row(['---', '---:', '---:', '---:', '---:']),
    ...Object.keys(ROOMS).map(rowOf),
    '',
  ].join('\n')

/** The page with `table` between its marks. */
export function pageWith(page: string, table: string): string {
  const from = page.indexOf(START)
  const to = page.indexOf(END)
  if (from === -1 || to === -1) throw new Error(`docs/testing.md needs ${START.trim()} and ${END}`)
  return `${page.slice(0, from + START.length)}\n${table}\n${page.slice(to)}`
}

export const writeTable = (): void => {
  writeFileSync(PAGE, pageWith(readFileSync(PAGE, 'utf8'), mutantsTable()))
}
