/**
 * Reads what a model does from its notation: `text "x"`, `call c1 t + call c2 t`, `stream "a" then error SERVER`, …
 *
 * @module
 */
import { defined } from './defined.ts'
import { parseCalls } from './parse-script-calls.ts'
import { parseStreamItem } from './parse-stream-item.ts'
import { count, group, match, quotedIn, splitTop, take, type Match } from './scenario/phrase.ts'
import { DEFAULT_USAGE, finishOf, type ScriptEntry, type ScriptItem } from './script.ts'

/** Thrown for a phrase of a script that says nothing the model can do. */
export class ScriptPhraseError extends Error {
  override readonly name = 'ScriptPhraseError'

  constructor(phrase: string, part: string) {
    super(`cannot read ${JSON.stringify(part)} in the model script ${JSON.stringify(phrase)}`)
  }
}

/** What stands beside the stream itself: gate, provider, repetition, finish, usage. */
interface Frame {
  readonly rest: string
  readonly before: readonly ScriptItem[]
  readonly after: readonly ScriptItem[]
  readonly provider: string | undefined
  readonly times: number
}

const REPEAT = /\s*\(?\b(?:x\s?(\d+)|(forever)|(twice)|(\w+) times)\)?$/
const GATED = /\s*(?:\((?:gated|waits (?:on|for)) "?([\w.-]+)"?\)|\s(?:,\s*)?gated "?([\w.-]+)"?$)/
const PROVIDER = /\s*\((?:provider |on )?(p\d+|provider (?!side)[\w-]+)\)/
const FINISH =
  /[,\s]*(?:\b(?:but )?(?:finishing|finish(?:es)?(?: kind| with| as)?) |\(finish(?: kind)? )([\w-]+)\)?$/
const USAGE = /[,\s]*\(?(?:with )?(?:usage (?:of )?)?(\d+)(?: tokens)?\)?$/

function timesOf(hit: Match | undefined): number {
  if (hit === undefined) return 1
  if (hit.maybe(1) !== undefined) return Number(hit.at(1))
  if (hit.maybe(2) !== undefined) return Number.POSITIVE_INFINITY
  return hit.maybe(3) === undefined ? count(hit.at(4)) : 2
}

/** Usage that is stated as such, not a number of something else. */
function usageIn(text: string): { readonly items: ScriptItem[]; readonly rest: string } {
  if (!/\b(?:usage|tokens)\b/.test(text)) return { items: [], rest: text }
  const { hit, rest } = take(text, USAGE)
  return { items: hit === undefined ? [] : [usageItem(Number(hit.at(1)))], rest }
}

const finishItem = (reason: string): ScriptItem => ({ do: 'finish', reason: finishOf(reason) })

function frameOf(phrase: string): Frame {
  const gated = take(phrase, GATED)
  const provider = take(gated.rest, PROVIDER)
  const repeat = take(provider.rest, REPEAT)
  const frame = {
    before:
      gated.hit === undefined
        ? []
        : [{ do: 'gate' as const, gate: gated.hit.maybe(1) ?? gated.hit.at(2) }],
    provider: provider.hit?.at(1).replace('provider ', ''),
    times: timesOf(repeat.hit),
  }
  if (repeat.rest.startsWith('finish ')) return { ...frame, rest: repeat.rest, after: [] }
  const usage = usageIn(repeat.rest)
  const finish = take(usage.rest, FINISH)
  const last = finish.hit === undefined ? [] : [finishItem(finish.hit.at(1))]
  return { ...frame, rest: finish.rest, after: [...usage.items, ...last] }
}

const usageItem = (tokens: number): ScriptItem => ({
  do: 'usage',
  usage: { inputTokens: 0, outputTokens: tokens, totalTokens: tokens },
})

/** `finish K with …`: a stream without content. */
function contentless(rest: string): ScriptItem[] | undefined {
  const usage: ScriptItem = { do: 'usage', usage: DEFAULT_USAGE }
  if (/^(an )?empty (completion|answer|reply)$/.test(rest)) return [usage, finishItem('stop')]
  const hit = match(/^finish "?([\w-]+)"?\s*(.*)$/, rest)
  if (hit === undefined) return undefined
  const counted = /usage only|only usage/.test(hit.at(2))
  return [...(counted ? [usage] : []), failedFinish(hit.at(1), quotedIn(hit.at(2))[0])]
}

/** A finish; `aborted` and `error` carry a failure. */
function failedFinish(word: string, message: string | undefined): ScriptItem {
  const reason = finishOf(word)
  if (reason === 'aborted') {
    return {
      do: 'finish',
      reason,
      failure: { code: 'ABORTED', message: message ?? 'provider stopped' },
    }
  }
  if (reason !== 'error') return { do: 'finish', reason }
  return { do: 'finish', reason, failure: { code: 'SERVER', message: message ?? 'boom' } }
}

/** A text or a thought right before a stall is left open, unless it says that it is closed. */
const leaveOpen = (items: readonly ScriptItem[]): ScriptItem[] =>
  items.map((item, i) => {
    const spoken = item.do === 'text' || item.do === 'reasoning'
    if (!spoken || items[i + 1]?.do !== 'stall' || item.open !== undefined) return item
    return { ...item, open: true }
  })

const SEPARATOR = /\s*(?:\s\+\s|,\s*(?:then\s|and\s)?|\sand then\s|\sthen\s|\sand\s)\s*/

function streamItems(phrase: string, rest: string): ScriptItem[] {
  const items: ScriptItem[] = []
  for (const part of splitTop(rest.replace(/^(stream|streams)\s+/, ''), SEPARATOR)) {
    const read = parseStreamItem(part, items)
    if (read === undefined) throw new ScriptPhraseError(phrase, part)
    items.push(...read)
  }
  return leaveOpen(items)
}

const DEAF =
  /[,\s]*\(?(?:and |that )?\b(?:ignoring|ignores|deaf to) (?:its|the) (?:abort )?signal\)?$/

/** The same entry with stalls that no abort ends. */
const deafened = (entry: ScriptEntry): ScriptEntry => ({
  ...entry,
  items: entry.items.map((item) => (item.do === 'stall' ? { ...item, deaf: true } : item)),
})

/**
 * Reads one entry of a model script.
 *
 * @throws ScriptPhraseError naming the part that says nothing.
 */
export function parseScript(phrase: string): ScriptEntry {
  const called = parseCalls(phrase)
  if (called !== undefined) return { items: called }
  const deaf = take(phrase, DEAF)
  if (deaf.hit !== undefined) return deafened(parseScript(deaf.rest))
  const agent = group(/^\(?agent (\d)\)?:? /, phrase)
  const frame = frameOf(phrase.trim().replace(/^\(?agent \d\)?:? /, ''))
  const core = contentless(frame.rest) ?? streamItems(phrase, frame.rest)
  return {
    items: [...frame.before, ...core, ...frame.after],
    ...defined({
      provider: frame.provider,
      times: frame.times === 1 ? undefined : frame.times,
      session: agent === undefined ? undefined : `s${agent}`,
    }),
  }
}
