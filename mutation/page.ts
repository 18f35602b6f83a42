/**
 * The table of docs/testing.md that says what the mutants of each room came to, made from the kept reports.
 *
 * @module
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pageTable, pageWith } from '../scripts/page-table.ts'
import { type Report, scoreOf } from './report.ts'
import { ROOMS } from './rooms.ts'

const PAGE = join(import.meta.dirname, '../docs/testing.md')

function rowOf(room: string): readonly string[] {
  const file = join(import.meta.dirname, `reports/${room}.json`)
  if (!existsSync(file)) return [room, '', '', '', 'not run yet']
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  const explained = report.survivors.filter(({ why }) => why !== undefined).length
  return [
    room,
    String(report.mutants),
    String(report.killed + report.timedOut),
    `${scoreOf(report).toFixed(1)} %`,
    `${report.survivors.length} (${explained} explained)`,
  ]
}

/** `page` with the table as it follows from the reports. */
export const mutantsPage = (page: string): string =>
  pageWith(
    page,
    'mutants',
    pageTable(
      [['room', 'mutants', 'noticed', 'share', 'not noticed'], ...Object.keys(ROOMS).map(rowOf)],
      ['left', 'right', 'right', 'right', 'right'],
    ),
  )

export const writeTable = (): void => {
  writeFileSync(PAGE, mutantsPage(readFileSync(PAGE, 'utf8')))
}
