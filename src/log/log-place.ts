/**
 * Where a log file lies, and what a session may be called.
 *
 * @module
 */
import { basename, join } from 'node:path'
import { TurnwiseError } from '../errors.ts'
import { show } from '../events/shape.ts'

/** A path such as `logs/my-session.jsonl`, or a folder and a session id. */
export type LogPlace = string | { readonly dir: string; readonly id: string }

const ID = /^[A-Za-z0-9_-]{1,128}$/
const SUFFIX = '.jsonl'

/** @throws TurnwiseError INVALID_OPTION unless `id` is 1–128 of `[A-Za-z0-9_-]`. */
export function checkSessionId(id: string): string {
  if (typeof id === 'string' && ID.test(id)) return id
  throw new TurnwiseError(
    'INVALID_OPTION',
    `expected a session id of 1 to 128 characters of A-Z, a-z, 0-9, _ and -, found ${show(id)}; nothing was changed.`,
  )
}

/** File and session id of a place. @throws TurnwiseError INVALID_OPTION for a bad id. */
export function locate(place: LogPlace): { readonly file: string; readonly id: string } {
  if (typeof place === 'string') return { file: place, id: checkSessionId(basename(place, SUFFIX)) }
  return { file: join(place.dir, `${checkSessionId(place.id)}${SUFFIX}`), id: place.id }
}
