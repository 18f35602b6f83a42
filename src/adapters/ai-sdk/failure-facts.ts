/**
 * What a thrown value says about a failed request: status, headers, and the provider's own words for it.
 *
 * Errors of the AI SDK are read by their fields, never by their class: several copies of the SDK may be installed.
 *
 * @module
 */
import { definedFields } from './json-value.ts'
import { recordOf } from './language-model.ts'

/** Facts that were found in a thrown value, its causes and the provider's answer. */
export interface FailureFacts {
  /** HTTP status, 400–599. */
  readonly status?: number
  /** Response headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Names, types and codes of errors, in lower case. */
  readonly words: ReadonlySet<string>
  /** Messages, outermost first. */
  readonly texts: readonly string[]
  /** Id of the request that the answer itself names. */
  readonly requestId?: string
}

/** Causes deeper than this are not looked at. */
const MAX_CHAIN = 12

/** An error that wraps the last one of several attempts names it `lastError`. */
const causeOf = (error: Readonly<Record<string, unknown>>): unknown =>
  error['lastError'] ?? error['cause'] ?? error['error']

function chainOf(thrown: unknown): unknown[] {
  const chain: unknown[] = []
  for (let at = thrown; at !== undefined && at !== null && chain.length < MAX_CHAIN;) {
    if (chain.includes(at)) break
    chain.push(at)
    const fields = recordOf(at)
    at = fields === undefined ? undefined : causeOf(fields)
  }
  return chain
}

const parsed = (text: unknown): unknown => {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error records inside the answer of a provider: `{error: {...}}`, `{response: {error: {...}}}` or the record. */
function answersOf(link: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>[] {
  const answers: Readonly<Record<string, unknown>>[] = []
  for (const source of [link['data'], parsed(link['responseBody'])]) {
    const body = recordOf(source)
    if (body === undefined) continue
    const inner = recordOf(body['error']) ?? recordOf(recordOf(body['response'])?.['error'])
    answers.push(body, ...(inner === undefined ? [] : [inner]))
  }
  return answers
}

const isStatus = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 400 && value <= 599

function statusOf(link: Readonly<Record<string, unknown>>): number | undefined {
  for (const name of ['statusCode', 'status', 'code']) {
    const value = link[name]
    const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
    if (isStatus(status)) return status
  }
  return undefined
}

function addWords(words: Set<string>, link: Readonly<Record<string, unknown>>): void {
  for (const name of ['name', 'type', 'code']) {
    const word = link[name]
    if (typeof word === 'string' && word !== '') words.add(word.toLowerCase())
  }
}

function addHeaders(headers: Record<string, string>, source: unknown): void {
  for (const [name, value] of Object.entries(recordOf(source) ?? {})) {
    if (typeof value === 'string') headers[name.toLowerCase()] ??= value
  }
}

const textOf = (link: unknown): string | undefined => {
  const text = typeof link === 'string' ? link : recordOf(link)?.['message']
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined
}

/** The error records in a thrown value, its causes and the answers they hold, outermost first. */
const recordsOf = (chain: readonly unknown[]): Readonly<Record<string, unknown>>[] =>
  chain.flatMap((link) => {
    const fields = recordOf(link)
    return fields === undefined ? [] : [fields, ...answersOf(fields)]
  })

const firstOf = <T>(values: readonly (T | undefined)[]): T | undefined =>
  values.find((value) => value !== undefined)

const idOf = (record: Readonly<Record<string, unknown>>): string | undefined =>
  typeof record['request_id'] === 'string' ? record['request_id'] : undefined

/**
 * Reads the facts.
 *
 * @param streamHeaders - headers of the answer whose stream failed.
 */
export function factsOf(
  thrown: unknown,
  streamHeaders?: Readonly<Record<string, string>>,
): FailureFacts {
  const chain = chainOf(thrown)
  const records = recordsOf(chain)
  const words = new Set<string>()
  const headers: Record<string, string> = {}
  for (const record of records) {
    addWords(words, record)
    addHeaders(headers, record['responseHeaders'])
  }
  addHeaders(headers, streamHeaders)
  return {
    headers,
    words,
    texts: chain.flatMap((link) => textOf(link) ?? []),
    ...definedFields({
      status: firstOf(records.map(statusOf)),
      requestId: firstOf(records.map(idOf)),
    }),
  }
}
