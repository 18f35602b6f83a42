/**
 * Reads what a model does from its notation: `text "x"`, `call c1 t + call c2 t`, `stream "a" then error SERVER`, …
 *
 * @module
 */
import { count, msIn, quotedIn, splitTop, take } from './scenario/phrase.ts'
import { parseCalls } from './parse-script-calls.ts'
import { parseStreamItem } from './parse-stream-item.ts'
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
  readonly provider?: string
  readonly times: number
}

const REPEAT = /\s*\(?\b(?:x\s?(\d+)|(forever)|(twice)|(\w+) times)\)?$/
const GATED = /\s*\((?:gated|waits (?:on|for)) "?([\w.-]+)"?\)/
const PROVIDER = /\s*\((?:provider |on )?(p\d+|provider (?!side)[\w-]+)\)/
const FINISH =
  /[,\s]*(?:\b(?:but )?(?:finishing|finish(?:es)?(?: kind| with| as)?) ([\w-]+)|\(finish(?: kind)? ([\w-]+)\))$/
const USAGE = /[,\s]*\(?(?:with )?(?:usage (?:of )?(\d+)(?: tokens)?|(\d+) tokens)\)?$/

function timesOf(hit: RegExpExecArray | null): number {
  if (hit === null) return 1
  if (hit[1] !== undefined) return Number(hit[1])
  if (hit[2] !== undefined) return Number.POSITIVE_INFINITY
  return hit[3] !== undefined ? 2 : count(hit[4] ?? '1')
}

function frameOf(phrase: string): Frame {
  const gated = take(phrase, GATED)
  const provider = take(gated.rest, PROVIDER)
  const repeat = take(provider.rest, REPEAT)
  const bare = /^finish /.test(repeat.rest)
  const usage = bare ? { hit: null, rest: repeat.rest } : take(repeat.rest, USAGE)
  const finish = bare ? { hit: null, rest: usage.rest } : take(usage.rest, FINISH)
  const tokens = Number(usage.hit?.[1] ?? usage.hit?.[2])
  const reason = finish.hit?.[1] ?? finish.hit?.[2]
  const named = provider.hit?.[1]?.replace('provider ', '')
  return {
    rest: finish.rest,
    before: gated.hit === null ? [] : [{ do: 'gate', gate: gated.hit[1] ?? '' }],
    after: [
      ...(usage.hit === null ? [] : [usageItem(tokens)]),
      ...(reason === undefined ? [] : [{ do: 'finish', reason: finishOf(reason) } as const]),
    ],
    ...(named === undefined ? {} : { provider: named }),
    times: timesOf(repeat.hit),
  }
}

const usageItem = (tokens: number): ScriptItem => ({
  do: 'usage',
  usage: { inputTokens: 0, outputTokens: tokens, totalTokens: tokens },
})

/** `finish K with …`: a stream without content. */
function contentless(rest: string): ScriptItem[] | undefined {
  if (/^(an )?empty (completion|answer|reply)$/.test(rest)) {
    return [
      { do: 'usage', usage: DEFAULT_USAGE },
      { do: 'finish', reason: 'stop' },
    ]
  }
  const hit = /^finish "?([\w-]+)"?\s*(.*)$/.exec(rest)
  if (hit === null) return undefined
  const reason = finishOf(hit[1] ?? 'stop')
  const items: ScriptItem[] = /usage only|only usage/.test(hit[2] ?? '')
    ? [{ do: 'usage', usage: DEFAULT_USAGE }]
    : []
  const message = quotedIn(hit[2] ?? '')[0]
  const failure =
    reason === 'aborted'
      ? { code: 'ABORTED', message: message ?? 'provider stopped' }
      : reason === 'error'
        ? { code: 'SERVER', message: message ?? 'boom' }
        : undefined
  return [...items, { do: 'finish', reason, ...(failure === undefined ? {} : { failure }) }]
}

/** A text or a thought right before a stall is left open, unless it says that it is closed. */
function leaveOpen(items: readonly ScriptItem[]): ScriptItem[] {
  return items.map((item, i) => {
    const next = items[i + 1]
    const spoken = item.do === 'text' || item.do === 'reasoning'
    return spoken && next?.do === 'stall' && item.open === undefined
      ? { ...item, open: true }
      : item
  })
}

function streamItems(phrase: string, rest: string): ScriptItem[] {
  const parts = splitTop(
    rest.replace(/^(stream|streams)\s+/, ''),
    /\s*(?:\s\+\s|,\s*(?:then\s|and\s)?|\sand then\s|\sthen\s|\sand\s)\s*/,
  )
  const items: ScriptItem[] = []
  for (const part of parts) {
    const read = parseStreamItem(part, items)
    if (read === undefined) throw new ScriptPhraseError(phrase, part)
    items.push(...read)
  }
  return leaveOpen(items)
}

/**
 * Reads one entry of a model script.
 *
 * @throws ScriptPhraseError naming the part that says nothing.
 */
export function parseScript(phrase: string): ScriptEntry {
  const called = parseCalls(phrase)
  if (called !== undefined) return { items: called }
  const frame = frameOf(phrase.trim())
  const core = contentless(frame.rest) ?? streamItems(phrase, frame.rest)
  return {
    items: [...frame.before, ...core, ...frame.after],
    ...(frame.provider === undefined ? {} : { provider: frame.provider }),
    ...(frame.times === 1 ? {} : { times: frame.times }),
  }
}

/** Milliseconds in a phrase; for readers of further notations. */
export { msIn }
