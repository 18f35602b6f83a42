/**
 * The schema of `--output-schema`, read before anything is created.
 *
 * @module
 */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { causeChain } from '../errors.ts'
import type { Json } from '../events/json.ts'
import { UsageFault } from './fault.ts'
import { readJsonSchema } from './json-schema.ts'

/** @throws UsageFault when the file cannot be read, is no JSON, or holds a schema that is not understood. */
export async function readOutputSchema(
  file: string | undefined,
  cwd: string,
): Promise<ReturnType<typeof readJsonSchema> | undefined> {
  if (file === undefined) return undefined
  try {
    return readJsonSchema(JSON.parse(await readFile(resolve(cwd, file), 'utf8')) as Json)
  } catch (error) {
    throw new UsageFault(`--output-schema ${file}: ${causeChain(error)}`)
  }
}
