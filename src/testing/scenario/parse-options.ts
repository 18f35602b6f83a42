/**
 * Reads the options of a setup: `maxSteps: 2`, `retry: default policy installed; rejectEmpty: true`, `agent created
 * without provider/model`.
 *
 * @module
 */
import { looseValue } from './loose-value.ts'
import { splitTop } from './phrase.ts'
import type { Setup } from './setup.ts'

const NAMES = [
  'provider',
  'model',
  'modelId',
  'maxTokens',
  'settings',
  'claim',
  'continueAfter',
  'maxSteps',
  'maxStops',
  'maxTurnTokens',
  'maxTurnMs',
  'maxAttempts',
  'maxBarrenTurns',
  'retry',
  'streamIdleMs',
  'drainGraceMs',
  'rejectEmpty',
  'toolTimeoutMs',
  'maxParallelToolCalls',
  'repeatGuard',
  'concurrentRuns',
  'durability',
  'system',
]

/** `retry` without jitter, so that delays can be written down. */
function retryOf(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    const record = value as Record<string, unknown>
    const { 'no jitter': noJitter, always, ...rest } = record
    return {
      ...rest,
      ...(noJitter === true ? { jitter: 0 } : {}),
      ...(always === true ? { mode: 'always' } : {}),
      ...(typeof rest['codes'] === 'string' ? { codes: [rest['codes']] } : {}),
    }
  }
  if (typeof value !== 'string') return value
  const jitter = /no jitter|without jitter/.test(value) ? { jitter: 0 } : {}
  if (/always/.test(value)) return { mode: 'always', ...jitter }
  const braces = /\{.*\}/s.exec(value)?.[0]
  if (braces !== undefined) return { ...(retryOf(looseValue(braces)) as object), ...jitter }
  return /off|none/.test(value) ? false : Object.keys(jitter).length > 0 ? jitter : true
}

function put(name: string, value: unknown, setup: Setup): void {
  if (name === 'model') setup.options['modelId'] = value
  else if (name === 'retry') setup.options['retry'] = retryOf(value)
  else setup.options[name] = value
}

const DEFAULTS = /^(?:with )?(?:the )?defaults?(?: options)?$/

/** One part; true if it was understood. */
function readPart(part: string, setup: Setup): boolean {
  if (/without (?:a )?(?:provider|model)/.test(part)) {
    setup.noRoute = true
    return true
  }
  if (DEFAULTS.test(part)) return true
  const retry =
    /^(?:the )?(?:default )?retry policy(?: (?:is )?installed)?(.*)$|^retry(?: on)?$/.exec(part)
  if (retry !== null) {
    setup.options['retry'] = retryOf(retry[1] ?? '')
    return true
  }
  const hit = /^(?:option )?([A-Za-z]+)\s*(?:[:=]\s*|\s)(.+)$/s.exec(part)
  const name = hit?.[1] ?? part
  if (!NAMES.includes(name)) return false
  put(name, hit === null ? true : looseValue((hit[2] ?? '').replace(/ \((?!.*\{).*\)$/, '')), setup)
  return true
}

/** Reads the options; parts that say nothing are told to `setup.unread`. */
export function readOptions(options: unknown, setup: Setup): void {
  if (options === undefined || options === null) return
  if (typeof options === 'object') {
    for (const [name, value] of Object.entries(options)) {
      if (NAMES.includes(name))
        put(name, typeof value === 'string' ? looseValue(value) : value, setup)
      else setup.unread.push(`option ${name}`)
    }
    return
  }
  const parts = splitTop(
    String(options),
    /\s*(?:;|,(?=\s*(?:[A-Za-z]+:|agent |retry ))|\s+and\s+(?=[A-Za-z]+:))\s*/,
  )
  for (const part of parts)
    if (!readPart(part, setup)) setup.unread.push(`option ${JSON.stringify(part)}`)
}
