/**
 * A module of the user's own: finds its file and takes its default export. What is wrong with it is said by whoever asked.
 *
 * @module
 */
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { causeChain } from '../errors.ts'

/** Makes the error for a file that cannot be read, or does not load. @param why - the chain of causes */
export type Refusal = (why: string, cause: unknown) => Error

/** The whole path of a file that can be read. @throws what `refuse` makes. */
export async function pathOfModule(file: string, cwd: string, refuse: Refusal): Promise<string> {
  const path = resolve(cwd, file)
  await access(path).catch((error: unknown) => {
    throw refuse(causeChain(error), error)
  })
  return path
}

/** The default export; undefined where there is none. @throws what `refuse` makes. */
export async function defaultExportOf(path: string, refuse: Refusal): Promise<unknown> {
  const found = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw refuse(causeChain(error), error)
  })
  return (found as { default?: unknown }).default
}
