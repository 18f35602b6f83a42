/**
 * Reads the hooks of a setup.
 *
 * @module
 */
import { readGateHook } from './hook-gates.ts'
import { readRefusal, readStore } from './hook-log.ts'
import { readAssembly, readContext, readDispatch, readListener } from './hook-others.ts'
import { readHouseHook } from './sessions/hooks.ts'
import type { Setup } from './setup.ts'

const READERS = [
  readHouseHook,
  readRefusal,
  readStore,
  readDispatch,
  readAssembly,
  readContext,
  readGateHook,
  readListener,
]

/** `two turnStopping hooks: the first steers S, the second counts` as two phrases. */
function several(phrase: string): string[] | undefined {
  const hit =
    /^(?:two|three|several) ([\w-]+)(?: gates| hooks| listeners)?: (?:the )?first (.+?)[,;] (?:and )?(?:the )?(?:second|other) (.+)$/.exec(
      phrase,
    )
  return hit === null
    ? undefined
    : [`${hit[1] ?? ''} ${hit[2] ?? ''}`, `${hit[1] ?? ''} ${hit[3] ?? ''}`]
}

/** Installs what one phrase says; a phrase that says nothing is told to `setup.unread`. */
export function readHook(phrase: string, setup: Setup): void {
  const parts = several(phrase.trim())
  if (parts !== undefined) {
    for (const part of parts) readHook(part, setup)
    return
  }
  const text = phrase
    .trim()
    .replace(
      /^(?:another|an?|a second|the (?:first|second|other)|(?:first|second) |one more) (?=\w)/,
      '',
    )
  if (READERS.some((read) => read(text, setup))) return
  setup.unread.push(`hook ${JSON.stringify(phrase)}`)
}
