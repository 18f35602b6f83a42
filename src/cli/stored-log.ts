/**
 * Finds and reads a stored log for commands that only look at it. It takes no lock and changes nothing.
 *
 * @module
 */
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { StoredEvent } from '../events/event.ts'
import { lenientCatalogue } from '../events/lenient-catalogue.ts'
import { type LogContents, readLogFile } from '../log/read-log.ts'
import { SetupFault } from './fault.ts'

/** Reads a log with every payload checked, so that whoever folds it need not. A torn last line is left out. */
export async function readStoredLog(
  log: string,
  cwd: string,
): Promise<LogContents & { readonly file: string }> {
  const file = await fileOf(resolve(cwd, log), log)
  const contents = await readLogFile(file, { catalogue: lenientCatalogue, validate: 'eager' })
  return { ...contents, file }
}

/** A folder stands for the log in it that was written last. */
async function fileOf(path: string, asked: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new SetupFault('NO_LOG', `there is no log at ${asked}`)
  return found.isDirectory() ? join(path, await latestIn(path, asked)) : path
}

/** The name of the log that was written last in a folder. @throws SetupFault where there is none. */
export async function latestIn(folder: string, asked: string): Promise<string> {
  const all = await readdir(folder).catch(() => [])
  const names = all.filter((name) => name.endsWith('.jsonl'))
  const files = await Promise.all(
    names.map(async (name) => ({ name, time: (await stat(join(folder, name))).mtimeMs })),
  )
  const [latest] = files.toSorted((a, b) => b.time - a.time || (a.name < b.name ? -1 : 1))
  if (latest === undefined) throw new SetupFault('NO_LOG', `there is no log in ${asked}`)
  return latest.name
}

/** The events up to a position. @throws SetupFault where the log ends before it. */
export function upTo(
  events: readonly StoredEvent[],
  to: number | undefined,
): readonly StoredEvent[] {
  if (to === undefined) return events
  if (to >= events.length) {
    const last = events.length === 0 ? 'it holds none' : `its last one is ${events.length - 1}`
    throw new SetupFault('NO_EVENT', `the log has no event ${to}: ${last}`)
  }
  return events.slice(0, to + 1)
}
