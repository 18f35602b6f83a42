/**
 * Reads the call-like vocabulary of scripts: `text('part'), stall()`.
 *
 * @module
 */
import { splitTop, unquote } from './scenario/phrase.ts'
import { script, type ScriptItem } from './script.ts'

const ITEMS: Readonly<Record<string, (args: readonly string[]) => ScriptItem>> = {
  text: ([text = 'text']) => script.text(text),
  reasoning: ([text = 'reasoning']) => script.reasoning(text),
  call: ([id = 'c1', name = 't', args]) => script.call(id, name, args ?? {}),
  stall: () => script.stall(),
  gate: ([name = 'g']) => script.gate(name),
  fail: ([code = 'SERVER', message]) => failing(code, message),
  throw: ([message = 'boom']) => script.throw(message),
  finish: ([reason = 'stop']) => script.finish(reason),
}

const STATUS_CODES: Readonly<Record<string, string>> = {
  429: 'RATE_LIMIT',
  401: 'AUTH',
  403: 'AUTH',
}

/** A bare HTTP status is classified as an adapter would do it. */
function failing(code: string, message?: string): ScriptItem {
  if (!/^\d{3}$/.test(code)) return script.fail(code, message)
  return script.fail(STATUS_CODES[code] ?? 'SERVER', message, { status: Number(code) })
}

/** Items of `[text('x'), finish(stop)]`; undefined if the phrase is not written like that. */
export function parseCalls(phrase: string): ScriptItem[] | undefined {
  const inner =
    /^\s*\[?\s*((?:text|reasoning|call|stall|gate|fail|throw|finish)\(.*\))\s*\]?\s*$/.exec(
      phrase,
    )?.[1]
  if (inner === undefined) return undefined
  const items = splitTop(inner, /\s*,\s*/).map((part) => {
    const hit = /^(\w+)\((.*)\)$/.exec(part)
    const make = ITEMS[hit?.[1] ?? '']
    return make?.(splitTop(hit?.[2] ?? '', /\s*,\s*/).map(unquote))
  })
  return items.every((item) => item !== undefined) ? items : undefined
}
