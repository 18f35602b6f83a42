/**
 * Reads one item of a stream in the notation of scripts.
 *
 * @module
 */
import type { Failure } from '../events/message.ts'
import { defined } from './defined.ts'
import { looseValue } from './scenario/loose-value.ts'
import { group, msIn, quotedIn } from './scenario/phrase.ts'
import { failureOf, finishOf, type ScriptItem } from './script.ts'

type Rule = readonly [RegExp, (hit: RegExpExecArray, before: readonly ScriptItem[]) => ScriptItem[]]

const closed = (mark: string | undefined): { open?: boolean } =>
  mark === undefined ? {} : { open: !/closed|complete|ended/.test(mark) }

/** Ms of a retry-after, with or without its unit. */
function retryAfter(text: string): number | undefined {
  if (!/retry[- ]?after/i.test(text)) return undefined
  const plain = group(/retry[- ]?after(?:Ms)?[:= ]+(\d+)/i, text)
  return msIn(text) ?? (plain === undefined ? undefined : Number(plain))
}

const REQUEST_ID = /request[- ]?id "?([\w-]+)"?/i

/** Facts of a failure that stand behind its code: status, retry-after, request id, message. */
function failing(code: string, more: string): Failure {
  const status = group(/status (\d{3})/, more)
  const facts = defined({
    status: status === undefined ? undefined : Number(status),
    retryAfterMs: retryAfter(more),
    requestId: group(REQUEST_ID, more),
  })
  return failureOf(code, quotedIn(more.replace(REQUEST_ID, ''))[0], facts)
}

function toolCall(id: string, name: string | undefined, more: string): ScriptItem[] {
  const open = /half|part|unfinished|incomplete|begin|\bopen\b|\bcut\b/.test(
    more.replaceAll(/"[^"]*"/g, ''),
  )
  const braces = /\{.*\}/s.exec(more)?.[0]
  const given = /arguments? "(.*)"$/s.exec(more)?.[1]?.replaceAll(String.raw`\"`, '"')
  return [
    {
      do: 'call',
      id,
      name: name ?? 't',
      arguments: given ?? (braces === undefined ? '{}' : strict(braces)),
      ...(open ? { open } : {}),
    },
  ]
}

const LOOSE = /^\{\s*\w+\s*:\s*[^{}]+\}$/

/** `{v:1}` as JSON; what is JSON already, or nothing like it, stays as it is. */
function strict(braces: string): string {
  if (!LOOSE.test(braces)) return braces
  try {
    JSON.parse(braces)
    return braces
  } catch {
    return JSON.stringify(looseValue(braces))
  }
}

/** A text before the stall is only added where nothing was streamed yet. */
const stalling = (
  stall: ScriptItem,
  before: readonly ScriptItem[],
  text: string | undefined,
): ScriptItem[] => {
  const spoken = before.some(
    (item) => item.do === 'text' || item.do === 'reasoning' || item.do === 'call',
  )
  return text === undefined || (spoken && text === '') ? [stall] : [{ do: 'text', text }, stall]
}

const NAME = String.raw`([\w.-]+)`

const RULES: readonly Rule[] = [
  [
    /^(?:text )?"([^"]*)"\s*(\(?(?:closed|open|complete|half)\)?)?$/,
    ([, text = '', mark]) => [{ do: 'text', text, ...closed(mark) }],
  ],
  [
    /^(?:(?:one|a|some|any) )?text(?: delta| chunk| block)?(?: "([^"]*)")?\s*(\(?(?:closed|open)\)?)?$/,
    ([, text, mark]) => [{ do: 'text', text: text ?? 'text', ...closed(mark) }],
  ],
  [
    /^(?:text of )?(?:only )?(?:whitespace|blanks|blank text)$/,
    () => [{ do: 'text', text: ' \n ' }],
  ],
  [
    /^reasoning(?: delta)?(?: "([^"]*)")?\s*(\(?(?:closed|open)\)?)?$/,
    ([, text, mark]) => [{ do: 'reasoning', text: text ?? 'reasoning', ...closed(mark) }],
  ],
  [
    /^(?:only )?tool-call deltas(?: of (\w+))?$/,
    ([, id]) => toolCall(id ?? 'c1', undefined, 'half'),
  ],
  [
    new RegExp(String.raw`^(?:a )?(?:complete |whole )?(?:tool-)?call ${NAME}=${NAME}$`),
    ([, id = '', name]) => toolCall(id, name, ''),
  ],
  [
    new RegExp(
      String.raw`^(?:an? )?(half |half-streamed |complete |whole |unfinished )?(?:tool-)?call ${NAME}(?: \(?(?!(?:half|complete|whole|with|closed|open|unfinished|cut)\b)${NAME})?(.*)$`,
      's',
    ),
    ([, how = '', id = '', name, more = '']) => toolCall(id, name, how + more),
  ],
  [
    /^hang(?:s)?-?slow\D*(\d+)?/,
    (hit, before) =>
      stalling(
        { do: 'stall', slowMs: msIn(hit.input) ?? 50 },
        before,
        quotedIn(hit.input)[0] ?? (before.length === 0 ? 'partial' : undefined),
      ),
  ],
  [
    /^hang-?(?:deaf|forever)|^(?:hang|never ends?).*ignor/,
    (hit, before) => stalling({ do: 'stall', deaf: true }, before, quotedIn(hit.input)[0]),
  ],
  [
    /^(?:hangs?|stall|silence|stays silent|waits for (?:its |the )?(?:abort|signal))(?: signal)?(?: "([^"]*)")?$/,
    ([, text], before) => stalling({ do: 'stall' }, before, text),
  ],
  [
    /^(?:classified )?error ([A-Z_]+)(.*)$/s,
    ([, code = '', more = '']) => [{ do: 'fail', failure: failing(code, more) }],
  ],
  [
    /^fail(?:s)? (?:with )?([A-Z_]+)(.*)$/s,
    ([, code = '', more = '']) => [{ do: 'fail', failure: failing(code, more) }],
  ],
  [
    /^throws? "([^"]*)"(?:.*caused? by "([^"]*)")?/,
    ([, message = '', cause]) => [
      { do: 'throw', message, ...(cause === undefined ? {} : { cause }) },
    ],
  ],
  [/^throws?$/, () => [{ do: 'throw', message: 'boom' }]],
  [
    /^finish(?: kind)? ([\w-]+)$/,
    ([, reason = 'stop']) => [{ do: 'finish', reason: finishOf(reason) }],
  ],
  [/^(?:end|ends)(?: of stream)? without (?:a )?finish$/, () => [{ do: 'end' }]],
  [
    /^usage (?:of )?(\d+)(?: tokens)?$/,
    ([, n = '0']) => [
      { do: 'usage', usage: { inputTokens: 0, outputTokens: Number(n), totalTokens: Number(n) } },
    ],
  ],
  [/^(?:gated |gate |waits? (?:on|for) )"?([\w-]+)"?$/, ([, gate = 'g']) => [{ do: 'gate', gate }]],
  [
    /^(?:wait|pause|silent for|silence of|after)?\s*\d+ (?:ms|s)\b/,
    (hit) => [{ do: 'wait', ms: msIn(hit.input) ?? 0 }],
  ],
]

/** The items a part stands for; undefined if it says nothing. */
export function parseStreamItem(
  part: string,
  before: readonly ScriptItem[],
): ScriptItem[] | undefined {
  for (const [pattern, make] of RULES) {
    const hit = pattern.exec(part.trim())
    if (hit !== null) return make(hit, before)
  }
  return undefined
}
