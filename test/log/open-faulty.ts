/**
 * A file log over a disk that fails on demand.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import type { TurnwiseError } from '../../src/errors.ts'
import { createFileLog } from '../../src/log/file-log.ts'
import type { CreateFileLogOptions, FileLog } from '../../src/log/file-log.ts'
import { inserted } from '../events/sample.ts'
import { FaultyDisk } from './files.ts'

/** Creates it in `dir`, with the disk to break and the failures it reports. */
export async function openFaulty(
  dir: string,
  options: CreateFileLogOptions = {},
): Promise<{ log: FileLog; disk: FaultyDisk; failures: TurnwiseError[] }> {
  const disk = new FaultyDisk()
  const failures: TurnwiseError[] = []
  const log = await createFileLog(
    { dir, id: randomUUID() },
    { openFile: disk.open, onFailure: (failure) => failures.push(failure), ...options },
  )
  return { log, disk, failures }
}

/** Seqs of the events that stand in the file. */
export const inFile = (log: FileLog): number[] =>
  readFileSync(log.file, 'utf8')
    .split('\n')
    .slice(1, -1)
    .map((line) => (JSON.parse(line) as { seq: number }).seq)
export const insert = (log: FileLog, ...ids: string[]) => {
  for (const id of ids) log.append(inserted(id), 1)
}
