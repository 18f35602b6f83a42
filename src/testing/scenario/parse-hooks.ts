/**
 * Reads the hooks of a setup.
 *
 * @module
 */
import { readGateHook } from './hook-gates.ts'
import {
  readAssembly,
  readContext,
  readDispatch,
  readListener,
  readRefusal,
} from './hook-others.ts'
import type { Setup } from './setup.ts'

const READERS = [readRefusal, readDispatch, readAssembly, readContext, readGateHook, readListener]

/** Installs what one phrase says; a phrase that says nothing is told to `setup.unread`. */
export function readHook(phrase: string, setup: Setup): void {
  const text = phrase.trim().replace(/^(?:another|an?|a second|the second|one more) (?=\w)/, '')
  if (READERS.some((read) => read(text, setup))) return
  setup.unread.push(`hook ${JSON.stringify(phrase)}`)
}
