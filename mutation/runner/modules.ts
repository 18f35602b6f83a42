/**
 * How the modules of the changed copy are loaded: the types are taken off once, `vitest` is replaced, and everything can be
 * loaded anew beside what is loaded already. A mutant in code that runs at loading needs that; Node keeps modules for ever,
 * so each world has addresses of its own.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { alias } from '../../vitest.config.ts'
import { registerHooks, stripTypeScriptTypes } from './node-24.ts'

const VITEST = new URL('vitest.ts', import.meta.url).href
const WORLD = '?world='

const sources = new Map<string, string>()

/** The JavaScript of a file; places stay where they were. */
function sourceOf(file: string): string {
  const known = sources.get(file)
  if (known !== undefined) return known
  const source = stripTypeScriptTypes(readFileSync(file, 'utf8'), { mode: 'strip' })
  sources.set(file, source)
  return source
}

/** The world that a module belongs to, as the end of its address. */
const worldOf = (url: string | undefined): string => {
  const at = url?.indexOf(WORLD) ?? -1
  return at === -1 ? '' : (url ?? '').slice(at)
}

/**
 * From here on, what is loaded with {@link loadInto} sees the changed copy.
 *
 * @param root folder of the copy
 */
export function hookModules(root: string): void {
  const own = pathToFileURL(`${root}/`).href
  const originals = fileURLToPath(new URL('../../src/', import.meta.url))
  const aliases = new Map(
    alias.map(({ find, replacement }) => [
      find.source.slice(1, -1).replaceAll('\\', ''),
      pathToFileURL(replacement.replace(originals, join(root, 'src/'))).href,
    ]),
  )
  registerHooks({
    resolve(specifier, context, next) {
      const world = worldOf(context.parentURL)
      if (world === '') return next(specifier, context)
      if (specifier === 'vitest')
        return { url: VITEST, format: 'module-typescript', shortCircuit: true }
      const resolved = next(aliases.get(specifier) ?? specifier, context)
      return resolved.url.startsWith(own) && !resolved.url.includes('/node_modules/')
        ? { ...resolved, url: `${resolved.url}${world}` }
        : resolved
    },
    load(url, context, next) {
      if (worldOf(url) === '' || !new URL(url).pathname.endsWith('.ts')) return next(url, context)
      return { format: 'module', source: sourceOf(fileURLToPath(url)), shortCircuit: true }
    },
  })
}

/** Loads a file, and all that it needs of the copy, into a world; what is there already stays. */
export const loadInto = (world: number, file: string): Promise<unknown> =>
  import(`${pathToFileURL(file).href}${WORLD}${world}`)
