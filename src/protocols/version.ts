/**
 * The version of this package, read where it is kept.
 *
 * @module
 */
import { readFileSync } from 'node:fs'

const manifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { readonly version: string }

/** Version of the package, such as `0.1.0`. */
export const VERSION = manifest.version
