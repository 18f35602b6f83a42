/**
 * The files that a search or a count goes through: one file, or every plain file below a folder, each once.
 *
 * @module
 */
import { stat } from 'node:fs/promises'
import type { Folder, Place } from './folder.ts'
import { walk } from './walk.ts'
import type { WalkReport } from './walk.ts'

/** Gives `start` itself when it is no folder, otherwise what a walk finds, without links. */
export async function* filesBelow(
  folder: Folder,
  start: Place,
  signal: AbortSignal,
  report: WalkReport,
): AsyncGenerator<Place, void> {
  if (!(await stat(start.real)).isDirectory()) {
    yield start
    return
  }
  for await (const found of walk(folder, start, signal, report)) {
    if (found.kind === 'file' && !found.linked) yield found
  }
}
