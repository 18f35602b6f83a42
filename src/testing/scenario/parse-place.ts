/**
 * Reads where a command is issued: `durable turn/start observer`, `tool c1`, `the first status idle listener`, …
 *
 * @module
 */
import type { AssistantMessage, Message } from '../../events/message.ts'
import { defined } from '../defined.ts'
import { textOf } from '../print-request.ts'
import type { GateName, Moment, Place } from './moment.ts'
import { group, ORDINAL, ordinal, take, unquote } from './phrase.ts'
import { takeScope } from './scope.ts'

const EVENT_WORDS: Readonly<Record<string, string>> = {
  insertion: 'inbox/inserted',
  inserted: 'inbox/inserted',
  claim: 'inbox/claimed',
  claimed: 'inbox/claimed',
  discard: 'inbox/discarded',
  discarded: 'inbox/discarded',
  replacement: 'inbox/replaced',
  replaced: 'inbox/replaced',
  move: 'inbox/moved',
  moved: 'inbox/moved',
  chunk: 'assistant/chunk',
  settled: 'tool/settled',
  'tool result': 'tool/result',
  'tool call': 'tool/call',
  result: 'tool/result',
  'turn start': 'turn/start',
  'turn end': 'turn/end',
  'step start': 'step/start',
  'step end': 'step/end',
  'cancel request': 'cancel/requested',
  'inbox event': 'inbox/',
}

/** The event type a word stands for: `insertion`, `turn/end`; undefined for another word. */
export function eventType(word: string): string | undefined {
  const bare = word
    .trim()
    .replace(/^(?:durable|every|each|any|the|an?|next|nested) /, '')
    .replace(/s$/, '')
  if (EVENT_WORDS[bare] !== undefined) return EVENT_WORDS[bare]
  const typed = /^([a-z-]+\/[a-z]+)/.exec(
    word.trim().replace(/^(?:durable|every|each|any|the|an?|next) /, ''),
  )
  if (typed !== null) return typed[1]
  return /^event$/.test(bare) ? '' : undefined
}

const GATES: readonly (readonly [RegExp, GateName])[] = [
  [/^(?:a )?pre-?step\b/i, 'preStep'],
  [/^request-?error\b|^recovery\b/i, 'requestError'],
  [/^request(?: composition)?(?: gate| hook)?$/i, 'request'],
  [/^step-?result\b/i, 'stepResult'],
  [/^tool-?pre\b/i, 'toolPre'],
  [/^tool-?post\b/i, 'toolPost'],
  [/^continuation\b/i, 'continuation'],
  [/^turn-?stopping\b|^(?:the )?stop (?:gate|hook)\b/i, 'turnStopping'],
]

/** The gate a phrase begins with. */
export function gateNamed(text: string): GateName | undefined {
  return GATES.find(([pattern]) => pattern.test(text.replace(/ (?:gate|hook|listener)$/, '')))?.[1]
}

type Core = Pick<Place, 'kind' | 'matches' | 'gate'>
type Rule = readonly [RegExp, (hit: RegExpExecArray) => Core | undefined]

function onEvent(word: string, name?: string): Core | undefined {
  const type = eventType(word)
  if (type === undefined) return undefined
  const wanted = name === undefined ? undefined : unquote(name)
  return {
    kind: 'event',
    matches: (m) =>
      m.kind === 'event' &&
      m.event.type.startsWith(type) &&
      (wanted === undefined || mentions(m.event, wanted)),
  }
}

interface Carrier {
  readonly message?: Message | AssistantMessage
  readonly call?: { readonly providerId: string }
}

const ID_LISTS = ['ids', 'nextTurn', 'nextStep', 'discarded', 'uncommitted'] as const

/** Does the event carry this message or call? */
function mentions(event: { readonly data: unknown }, name: string): boolean {
  const { message, call } = event.data as Carrier
  if (call !== undefined) return call.providerId === name
  if (message !== undefined && 'id' in message) {
    return message.id === name || textOf(message.content) === name
  }
  const lists = event.data as { readonly [key: string]: readonly string[] | undefined }
  return ID_LISTS.some((key) => lists[key]?.includes(name) === true)
}

function onNotice(type: string, name?: string): Core {
  return {
    kind: 'notice',
    matches: (m) =>
      m.kind === 'notice' &&
      m.notice.type === type &&
      (name === undefined ||
        ('message' in m.notice && textOf(m.notice.message.content) === unquote(name))),
  }
}

const onStatus = (status: string | undefined, teardown: boolean): Core => ({
  kind: 'notice',
  matches: (m) =>
    m.kind === 'notice' &&
    m.notice.type === 'status' &&
    (status === undefined || m.notice.status === status) &&
    (!teardown || m.disposing),
})

const plain = (kind: Moment['kind']): Core => ({ kind, matches: (m) => m.kind === kind })

const LISTENER = '(?:listener|notification|callback|event)s?'

const RULES: readonly Rule[] = [
  [
    new RegExp(
      `^(?:live )?(inserted|claimed|discarded) ${LISTENER}(?: (?:of|for) (?!turn)"?([\\w-]+)"?)?$`,
    ),
    ([, type = '', name]) => onNotice(type, name),
  ],
  [
    new RegExp(
      `^live ${LISTENER} of (?:the )?(inserted|claimed|discarded|insertion|claim|discard)(?: of "?([\\w-]+)"?)?$`,
    ),
    ([, word = '', name]) => onNotice(eventType(word)?.split('/')[1] ?? word, name),
  ],
  [
    new RegExp(
      `^(?:the )?(?:live )?status(?:[ =-]| of )?(running|idle|disposed)?(?: status)?(?: ${LISTENER})?(?: \\((?:running|idle|disposed)\\))?( during tear-?down)?$`,
    ),
    ([whole, status, down]) => onStatus(status ?? group(/\((\w+)\)/, whole), down !== undefined),
  ],
  [
    new RegExp(`^(running|idle|disposed)(?:[ -]status)? ${LISTENER}( during tear-?down)?$`),
    ([, status, down]) => onStatus(status, down !== undefined),
  ],
  [
    new RegExp(`^(?:every |all )?(?:live )?${LISTENER}$`),
    () => ({ kind: 'notice', matches: (m) => m.kind === 'notice' }),
  ],
  [
    new RegExp(`^(?:live )?inbox ${LISTENER}$`),
    () => ({
      kind: 'notice',
      matches: (m) => m.kind === 'notice' && /^(?:inserted|claimed|discarded)$/.test(m.notice.type),
    }),
  ],
  [new RegExp(`^(?:live )?error ${LISTENER}$`), () => onNotice('error')],
  [new RegExp(`^diagnostics? ${LISTENER}$`), () => onNotice('diagnostic')],
  [new RegExp(`^agent/disposed ${LISTENER}$`), () => onNotice('agent/disposed')],
  [
    new RegExp(
      `^(?:live )?(agent/created|session/created|session/disposed|session-start)(?: ${LISTENER}| announcement)?$`,
    ),
    ([, type = '']) => onNotice(type),
  ],
  [/^(?:durable )?observers?$/, () => onEvent('event')],
  [
    /^(?:durable )?observers? of (?:the )?([a-z]+\/[a-z]+) "([^"]*)"$/,
    ([, word = '', name]) => onEvent(word, name),
  ],
  [
    /^(?:durable )?observers? of (?:the )?(.+?)(?: (?:of|for) (?:message )?"?([A-Z][\w-]*|c\d+)"?)?$/,
    ([, word = '', name]) => onEvent(word, name),
  ],
  [
    /^(?:durable )?([a-z]+\/[a-z]+|[a-z ]+?) observer(?: (?:of|for) (?:message )?"?([A-Za-z][\w-]*)"?)?$/,
    ([, word = '', name]) => onEvent(word, name),
  ],
  [
    /^(?:durable )?([a-z]+\/[a-z]+) "([^"]*)" observer$/,
    ([, word = '', name]) => onEvent(word, name),
  ],
  [/^(?:system[- ]prompt )?assembly$|^system prompt$/, () => plain('assembly')],
  [
    /^(?:an? |the )?(?:signal )?abort(?:[- ]signal)? listener\b|^(?:abort )?signal listener|^(?:the )?listener of the (?:abort )?signal/,
    () => plain('abort'),
  ],
  [
    /^(?:the )?(?:model )?adapter\b|^model(?: request| stream)?$|^model call$/,
    () => plain('request'),
  ],
  [
    /^(?:the )?model (?:request|call) (\d+)$/,
    ([, n]) => ({
      kind: 'request',
      matches: (m) => m.kind === 'request' && m.asked.n === Number(n),
    }),
  ],
  [/^(?:the )?maintenance(?: task| job)?$/, () => plain('maintenance')],
  [/^(?:the )?classifier(?: of \w+)?$/, () => plain('classifier')],
  [
    /^(?:the )?(?:tool )?(?:body of (?:the )?)?tool(?: body)?(?: (?:of )?(?!body)"?(\w+)"?)?(?: body)?$/,
    ([, name]) => onTool(name),
  ],
  [/^(?:the )?(?:tool )?body(?: of (?:tool )?"?(\w+)"?)?$/, ([, name]) => onTool(name)],
]

const onTool = (name?: string): Core => ({
  kind: 'tool',
  matches: (m) =>
    m.kind === 'tool' && (name === undefined || m.asked.call === name || m.asked.tool === name),
})

function coreOf(text: string): Core | undefined {
  const gate = gateNamed(text)
  if (gate !== undefined)
    return { kind: 'gate', gate, matches: (m) => m.kind === 'gate' && m.gate === gate }
  for (const [pattern, make] of RULES) {
    const hit = pattern.exec(text)
    const core = hit === null ? undefined : make(hit)
    if (core !== undefined) return core
  }
  return undefined
}

/** Reads a place; undefined if the phrase names none. */
export function parsePlace(phrase: string): Place | undefined {
  const bare = phrase.trim().replace(/^inside (?:of )?/, '')
  const nth = take(bare, new RegExp(`\\b(?:the )?(${ORDINAL})\\b(?! (?:turn|step)\\b(?!/))`, 'i'))
  const { scope, rest } = takeScope(nth.rest.replace(/^(?:the|an?) /, ''))
  const words = rest
    .replace(/^(?:the|an?) /, '')
    .replace(/ of (?:the )?(?:request|call|attempt|question)$/, '')
    .replaceAll(/\s+/g, ' ')
  const core = coreOf(words.trim())
  if (core === undefined) return undefined
  const position = nth.hit === undefined ? undefined : ordinal(nth.hit.at(1))
  return {
    text: phrase,
    kind: core.kind,
    fixed: position !== undefined || !scope.empty,
    ...defined({ nth: position, gate: core.gate }),
    matches: (moment) => core.matches(moment) && scope.holds(moment.asked),
  }
}
