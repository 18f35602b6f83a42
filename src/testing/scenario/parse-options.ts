/**
 * Reads the options of a setup: `maxSteps: 2`, `retry: default policy installed; rejectEmpty: true`, `agent created
 * without provider/model`.
 *
 * @module
 */
import { defined } from '../defined.ts'
import { looseValue } from './loose-value.ts'
import { group, match, splitTop } from './phrase.ts'
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
  'maxGoalRounds',
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

/** `{retries: 2, no jitter}` as a policy. */
function policyOf(record: Record<string, unknown>): object {
  const { 'no jitter': noJitter, no, always, codes, ...rest } = record
  return {
    ...rest,
    ...defined({
      jitter: noJitter === true || no === 'jitter' ? 0 : undefined,
      mode: always === true ? 'always' : undefined,
      codes: typeof codes === 'string' ? [codes] : codes,
    }),
  }
}

/** A policy in words: `default policy installed`, `always mode installed, no jitter`, `off`. */
function retryWords(text: string): unknown {
  const jitter = /no jitter|without jitter/.test(text) ? { jitter: 0 } : {}
  const braces = group(/(\{.*\})/s, text)
  if (text.includes('always')) return { mode: 'always', ...jitter }
  if (braces !== undefined) {
    return { ...policyOf(looseValue(braces) as Record<string, unknown>), ...jitter }
  }
  if (/\b(?:off|none)\b/.test(text)) return false
  return jitter
}

function retryOf(value: unknown): unknown {
  if (typeof value === 'string') return retryWords(value)
  if (typeof value !== 'object' || value === null) return value
  return policyOf(value as Record<string, unknown>)
}

/** The policy is kept as an object, so that a command can unload it. */
function putRetry(value: unknown, setup: Setup): void {
  const policy = value === true ? {} : retryOf(value)
  setup.options['retry'] = policy
  setup.world.values.set('retry policy', policy)
}

function put(name: string, value: unknown, setup: Setup): void {
  if (name === 'model') setup.options['modelId'] = value
  else if (name === 'retry') putRetry(value, setup)
  else if (name === 'maxParallelToolCalls') setup.world.values.set('cap', value)
  else setup.options[name] = value
}

const RETRY = /^(?:the )?(?:default )?retry policy(?: (?:is )?installed)?(.*)$|^retry(?: on)?$/
const OPTION = /^(?:option )?([A-Za-z]+)\s*(?:[:=]\s*|\s)(.+)$/s

/** A part that is no `name: value`; true if it was understood. */
function readWords(part: string, setup: Setup): boolean {
  if (/without (?:a )?(?:provider|model)/.test(part)) {
    setup.noRoute = true
    return true
  }
  const retry = match(RETRY, part)
  if (retry !== undefined) putRetry(retry.at(1), setup)
  return retry !== undefined || /^(?:with )?(?:the )?defaults?(?: options)?$/.test(part)
}

/** One part; true if it was understood. */
function readPart(part: string, setup: Setup): boolean {
  if (readWords(part, setup)) return true
  const hit = match(OPTION, part)
  const name = hit?.at(1) ?? part
  if (!NAMES.includes(name)) return false
  put(name, hit === undefined || looseValue(hit.at(2).replace(/ \((?!.*\{).*\)$/, '')), setup)
  return true
}

function readRecord(options: object, setup: Setup): void {
  for (const [name, value] of Object.entries(options)) {
    if (NAMES.includes(name))
      put(name, typeof value === 'string' ? looseValue(value) : value, setup)
    else setup.unread.push(`option ${name}`)
  }
}

const SEPARATOR = /\s*(?:;|,(?=\s*(?:[A-Za-z]+:|agent |retry ))|\s+and\s+(?=[A-Za-z]+:))\s*/

/** Reads the options; parts that say nothing are told to `setup.unread`. */
export function readOptions(
  options: string | Readonly<Record<string, unknown>> | undefined,
  setup: Setup,
): void {
  if (typeof options === 'object') readRecord(options, setup)
  if (typeof options !== 'string') return
  for (const part of splitTop(options, SEPARATOR)) {
    if (!readPart(part, setup)) setup.unread.push(`option ${JSON.stringify(part)}`)
  }
}
