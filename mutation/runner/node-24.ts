/**
 * What the runner uses of Node 24, on which scripts run: the types that are installed are those of the oldest Node.
 *
 * @module
 */
import fs from 'node:fs'
import module from 'node:module'

interface Resolved {
  readonly url: string
  readonly format?: string
  readonly shortCircuit?: boolean
}

interface Loaded {
  readonly format: string
  readonly source: string
  readonly shortCircuit?: boolean
}

interface Context {
  readonly parentURL?: string
}

type Next<Answer> = (of: string, context: Context) => Answer

interface Node24 {
  readonly globSync: (
    patterns: readonly string[],
    options: { readonly cwd: string; readonly exclude: readonly string[] },
  ) => string[]
  readonly registerHooks: (hooks: {
    resolve(specifier: string, context: Context, next: Next<Resolved>): Resolved
    load(url: string, context: Context, next: Next<Loaded>): Loaded
  }) => void
  readonly stripTypeScriptTypes: (code: string, options: { readonly mode: 'strip' }) => string
}

export const { globSync } = fs as unknown as Node24
export const { registerHooks, stripTypeScriptTypes } = module as unknown as Node24
