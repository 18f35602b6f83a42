/**
 * Builds a log that refuses and a store that fails or is slow, from phrases.
 *
 * @module
 */
import type { NewEvent } from '../../events/event.ts'
import { defined } from '../defined.ts'
import { askedOfEvent } from './hook-others.ts'
import { eventType } from './parse-place.ts'
import { count, group, match, namesIn, ORDINAL, ordinal, quotedIn, take } from './phrase.ts'
import { takeScope } from './scope.ts'
import type { Setup } from './setup.ts'

/** `the log refuses E once`; without a number the next one only. */
export function readRefusal(phrase: string, setup: Setup): boolean {
  const head = /^the log (?:refuses|rejects)\s+(?:the append of |to append )?/.exec(phrase)
  if (head === null) return false
  const message = take(
    phrase.slice(head[0].length),
    /(?:,? with)?(?: the error| message)? ?"([^"]*)"$/,
  )
  const often = oftenIn(message.rest)
  const { scope, rest } = takeScope(often.rest.replace(/^(?:the|an?|next) /, ''))
  const types = namesIn(rest).map((word) => (/^appends?$/.test(word) ? '' : eventType(word)))
  if (types.some((type) => type === undefined)) return false
  const text = message.hit?.at(1) ?? setup.hints.error()
  setup.refusals.push({
    refuses: often.refuses,
    message: () => text,
    matches: (event: NewEvent) =>
      types.some((type) => event.type.startsWith(type ?? '?')) &&
      scope.holds({ ...askedOfEvent(event.data), n: 1 }),
  })
  return true
}

/** `the second`, `twice`, `every … until healed`: which of those that match are refused. */
function oftenIn(text: string): {
  readonly refuses: (n: number) => boolean
  readonly rest: string
} {
  const plain = text.replace(/ until (?:it is |the log is )?healed$/, ' always')
  const nth = take(
    plain,
    new RegExp(`\\b(?:the )?(${ORDINAL})(?: append of)?\\b(?! (?:turn |two|three))`),
  )
  const often = take(
    nth.rest,
    /\b(once|twice|always|every|each|all|any|(?:the )?first (two|three)|(two|three|four) times)\b/,
  )
  const times = often.hit?.maybe(2) ?? often.hit?.maybe(3)
  const first = times === undefined ? undefined : count(times)
  const refuses = refusing(nth.hit?.at(1), often.hit?.at(1))
  return { rest: often.rest, refuses: first === undefined ? refuses : (n) => n <= first }
}

const PHASES: readonly (readonly [RegExp, (type: string) => boolean])[] = [
  [/(?:tool )?body|dispatch/, (type) => type === 'tool/call'],
  [/request/, (type) => /^(?:request\/|user\/message|step\/start|tool\/result)/.test(type)],
  [/preStep|gate|step/i, (type) => /^(?:inbox\/|step\/end)/.test(type)],
]

const STORE =
  /^(?:the )?(?:store(?:'s)?(?: flush)?|flush|checkpoint)\b(?: (?:before|at|of) (?:an? |the )?([\w ]*?))? (rejects?|refuses|fails|throws|waits)\b(.*)$/

/** `the store rejects the second flush`, `the flush before a tool body waits on g`. */
export function readStore(phrase: string, setup: Setup): boolean {
  const head = match(STORE, phrase)
  if (head === undefined) return false
  const more = head.at(3)
  const waits = head.at(2) === 'waits'
  const door = group(/(?:on|for) "?(\w+)"?$/, more) ?? 'flush'
  const message = waits ? '' : (quotedIn(more)[0] ?? setup.hints.error())
  const counted = /once|twice|first|second|third|\btimes\b/.test(more)
  const phase = PHASES.find(([pattern]) => head.at(1) !== '' && pattern.test(head.at(1)))?.[1]
  setup.refusals.push({
    refuses: counted ? oftenIn(more.replace(/"[^"]*"/, '')).refuses : () => true,
    message: () => message,
    ...defined({ phase, wait: waits ? () => waitingFlush(setup, door) : undefined }),
  })
  return true
}

async function waitingFlush(setup: Setup, door: string): Promise<void> {
  const over = setup.world.wait('flush')
  await setup.world.latches.wait(door).finally(over)
}

function refusing(nth: string | undefined, often: string | undefined): (n: number) => boolean {
  if (nth !== undefined) return (n) => n === ordinal(nth)
  if (often === undefined || often === 'once') return (n) => n === 1
  if (often === 'twice') return (n) => n <= 2
  return () => true
}
