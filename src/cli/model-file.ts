/**
 * Loads a lifecycle model from a file of the user.
 *
 * @module
 */
import type { LifecycleModel } from '../testing/lifecycle/model.ts'
import { SetupFault } from './fault.ts'
import { defaultExportOf, pathOfModule } from './user-module.ts'

/** Any model: its own functions fit its own names. */
export type AnyModel = LifecycleModel

/**
 * Loads the default export of `file`.
 *
 * @throws SetupFault when there is no such file, when it cannot be loaded, or when it exports no model.
 */
export async function loadModel(file: string, cwd: string): Promise<AnyModel> {
  const path = await pathOfModule(file, cwd, (why) =>
    wrong(file, `found none that can be read (${why})`, 'Correct the path.'),
  )
  const model = await defaultExportOf(path, (why, cause) =>
    wrong(file, `found that it does not load: ${why}`, adviceOn(cause), cause),
  )
  if (isModel(model)) return model
  const what = model === undefined ? 'no default export' : 'another default export'
  throw wrong(file, `found ${what}`, 'Write: export default extendModel(lifecycleModel, { … })')
}

const wrong = (file: string, found: string, advice: string, cause?: unknown): SetupFault =>
  new SetupFault(
    'INVALID_OPTION',
    `expected a lifecycle model as the default export of ${file}, ${found}; nothing was run. ${advice}`,
    { cause },
  )

/** Node tells by a code that it does not read TypeScript, or not all of it. */
function adviceOn(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return code === 'ERR_UNKNOWN_FILE_EXTENSION' || code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'
    ? 'Node reads TypeScript from version 22.18 on, as far as its types can be erased: take that, or give JavaScript.'
    : 'Correct the file; `node FILE` shows where it fails.'
}

const OBJECTS = ['states', 'moves', 'remembers', 'commands', 'checks'] as const

function isModel(value: unknown): value is AnyModel {
  if (typeof value !== 'object' || value === null) return false
  const model = value as Partial<Record<keyof AnyModel, unknown>>
  return (
    typeof model.name === 'string' &&
    typeof model.initial === 'string' &&
    typeof model.agent === 'function' &&
    OBJECTS.every((key) => typeof model[key] === 'object' && model[key] !== null)
  )
}
