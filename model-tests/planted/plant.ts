/**
 * Preloaded by `node --import`: while a process loads the library, the file of the fault named by `TURNWISE_FAULT` is
 * changed in passing. Nothing on the disk changes.
 *
 * @module
 */
import * as nodeModule from 'node:module'
import { FAULTS } from './faults.ts'

interface Loaded {
  readonly source: unknown
}
type Load<Context> = (
  url: string,
  context: Context,
  next: (url: string, context: Context) => Loaded,
) => Loaded

/** Came after the oldest Node that the library runs on, whose types are the ones installed. */
const { registerHooks } = nodeModule as unknown as {
  registerHooks: (hooks: { readonly load: Load<unknown> }) => void
}

const id = process.env['TURNWISE_FAULT'] ?? ''

if (id !== '') {
  const fault = FAULTS.find((each) => each.id === id)
  if (fault === undefined) throw new Error(`expected the id of a planted fault, found ${id}`)
  const { href } = new URL(`../../src/${fault.file}`, import.meta.url)
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      if (url !== href) return loaded
      return { ...loaded, source: fault.plant(String(loaded.source)) }
    },
  })
}
