/**
 * Preloaded by `node --import`: a process that imports `turnwise` gets the sources as they stand, not what was built.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'

type Resolved = { readonly url: string; readonly shortCircuit?: boolean }
type Resolve = (specifier: string, context: unknown, next: Resolve) => Resolved

// Newer than the types that this project is held to.
const { registerHooks } = nodeModule as unknown as {
  readonly registerHooks: (hooks: { readonly resolve: Resolve }) => void
}

const ROOT = join(import.meta.dirname, '../..')
const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: { readonly [path: string]: string }
}

const sourceOf = (specifier: string): string | undefined =>
  exports[`.${specifier.slice('turnwise'.length)}`]
    ?.replace('./dist/', 'src/')
    .replace(/\.js$/, '.ts')

registerHooks({
  resolve(specifier, context, next) {
    const source = /^turnwise(?:\/|$)/.test(specifier) ? sourceOf(specifier) : undefined
    return source === undefined
      ? next(specifier, context, next)
      : { url: pathToFileURL(join(ROOT, source)).href, shortCircuit: true }
  },
})
