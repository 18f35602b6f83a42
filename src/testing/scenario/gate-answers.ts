/**
 * What gates answer, read from phrases: `rejects with reason "no"`, `returns retry`, `denies c1`, `blocks with feedback "x"`.
 *
 * @module
 */
import type { AssistantMessage, MessageInput } from '../../events/message.ts'
import { defined } from '../defined.ts'
import { looseValue } from './loose-value.ts'
import { readPreStep } from './gate-pre-step.ts'
import type { GateName } from './moment.ts'
import { group, match, msIn, quotedIn } from './phrase.ts'
import type { Setup } from './setup.ts'
import type { Step, StepCtx } from './step.ts'

type Question = Record<string, unknown>
export type AnswerOf = (ctx: StepCtx, question: Question) => unknown
export type Reader = (text: string, setup: Setup, by: string | undefined) => AnswerOf | undefined

const readRequestError: Reader = (text) => {
  if (/^(?:returns?|answers?) (?:nothing|undefined)$/.test(text)) return () => undefined
  if (
    !/^(?:always )?(?:(?:returns?|answers?|asks for|says|decides) (?:a )?)?(?:always |\{ ?action: )?retr(?:y|ies)\b/.test(
      text,
    )
  )
    return undefined
  const given = msIn(text) ?? Number(/(?:delayMs|delay|after|\+)[: ]*(\d+)/.exec(text)?.[1])
  return () => ({ action: 'retry', ...(Number.isNaN(given) ? {} : { delayMs: given }) })
}

const readContinuation: Reader = (text) => {
  const hit =
    /^(?:(?:returns?|answers?|decides?(?: to)?|says) )?"?(continue|stop|default)s?"?$/.exec(
      text,
    )?.[1]
  const word =
    hit ?? (/^(?:forces|asks for) (?:another|one more) step$/.test(text) ? 'continue' : undefined)
  return word === undefined ? undefined : () => word
}

const readToolPre: Reader = (text, _setup, by) => {
  const deny =
    /^(?:(?:returns?|answers?) )?den(?:y|ies)(?: it| the call| everything)?(?: (?:with|because)(?: (?:the )?reason)?:?)? ?(?:"([^"]*)")?$/.exec(
      text,
    )
  if (deny !== null)
    return () => ({ kind: 'deny', reason: deny[1] ?? 'no', ...(by === undefined ? {} : { by }) })
  if (/^(?:(?:returns?|answers?) )?asks?(?: for (?:an )?approval)?(?: the user)?$/.test(text))
    return () => ({ kind: 'ask' })
  return /^(?:(?:returns?|answers?) )?allows?(?: it| everything)?$/.test(text)
    ? () => ({ kind: 'allow' })
    : undefined
}

/** `ctx-<id>` for the call that is asked about. */
const forCall = (text: string, question: Question): string =>
  text.replace(
    /<(?:id|call)>/,
    (question['call'] as { providerId?: string } | undefined)?.providerId ?? '',
  )

const contextsIn = (text: string, question: Question): MessageInput[] =>
  [...text.matchAll(/contexts? ((?:"[^"]*"(?:, | and )?)+)/g)]
    .flatMap((hit) => quotedIn(hit[1] ?? ''))
    .map((name) => forCall(name, question))
    .map((name) => ({ id: name, content: name, source: { kind: 'plugin', plugin: 'gate' } }))

const readToolPost: Reader = (text) => {
  if (/^(?:(?:returns?|answers?) )?blocks?\b/.test(text)) {
    const feedback =
      /(?:feedback|with|reason) "([^"]*)"/.exec(text)?.[1] ??
      quotedIn(text.replace(/contexts? "[^"]*"/, ''))[0] ??
      'blocked'
    return (_ctx, q) => ({ kind: 'block', feedback, contexts: contextsIn(text, q) })
  }
  if (
    !/^(?:(?:returns?|answers?) )?(?:accepts?\b.+|adds?\b.*context.*|replaces (?:the )?(?:content|result|outcome).*)$/.test(
      text,
    )
  )
    return undefined
  const content = /(?:content|by|with|to|result) "([^"]*)"/.exec(
    text.replaceAll(/contexts? "[^"]*"/g, ''),
  )?.[1]
  return (_ctx, q) => ({
    kind: 'accept',
    ...(content === undefined ? {} : { content }),
    contexts: contextsIn(text, q),
  })
}

const readStepResult: Reader = (text) => {
  if (
    !/^(?:returns?|replaces?|rewrites?|transforms?|changes?|redacts?|appends?|adds?|answers?|upper|drops?|removes?)/.test(
      text,
    )
  )
    return undefined
  const edit = editOf(text)
  return (_ctx, question) => {
    const message = question['message'] as AssistantMessage
    if (/(?:drops?|removes?) .*calls?\b/.test(text)) {
      return { ...message, content: message.content.filter((block) => block.type !== 'tool-call') }
    }
    return changed(message, (old) => edit(old))
  }
}

/** What a phrase makes of a text: upper case, a text behind it, another text, or one text for another. */
function editOf(text: string): (old: string) => string {
  const [first = '', second] = quotedIn(text)
  if (text.includes('upper')) return (old) => old.toUpperCase()
  if (/^(?:appends?|adds?)/.test(text)) return (old) => old + first
  return (old) => (second === undefined ? first : old.replaceAll(first, second))
}

const changed = (message: AssistantMessage, to: (text: string) => string): AssistantMessage => ({
  ...message,
  content: message.content.map((block) =>
    block.type === 'text' ? { ...block, text: to(block.text) } : block,
  ),
})

const REQUEST =
  /^(?:switches|sets|supplies|gives|returns|changes|routes|provides|uses|adds|names|fills in|injects|answers|overrides|picks|selects)\b/

/** The route a phrase names: `mock/m2`, `provider p2`, `provider and model`. */
function routeIn(text: string): { readonly provider?: string; readonly model?: string } {
  const whole = match(/"?\b([\w-]+)\/([\w.-]+)"?/, text)
  if (whole !== undefined) return { provider: whole.at(1), model: whole.at(2) }
  if (/provider and (?:the )?model/.test(text)) return { provider: 'mock', model: 'mock' }
  const provider = group(/provider(?: to|:| is| =)? "?(?!and\b|to\b|or\b)([\w-]+)"?/, text)
  const model = group(/model(?: to|:| is| =)? "?(?!and\b|from\b|or\b|to\b)([\w.-]+)"?/, text)
  return defined({
    provider: provider ?? switched(text, 'provider', 'p2'),
    model: model ?? switched(text, 'model', 'mock2'),
  })
}

const readRequest: Reader = (text) => {
  if (!REQUEST.test(text)) return undefined
  const tokens = group(/maxTokens(?: to|:| is| =)? (\d+)/, text)
  const record = group(/(\{.*\})/s, text)
  const changes = {
    ...routeIn(text),
    ...(tokens === undefined ? {} : { maxTokens: Number(tokens) }),
    ...(record === undefined ? {} : (looseValue(record) as object)),
  }
  return (_ctx, question) => ({ ...(question['config'] as object), ...changes })
}

/** `switches the model`, without saying to which. */
const switched = (text: string, what: string, to: string): string | undefined =>
  new RegExp(`(?:switches|changes) the ${what}\\b`).test(text) ? to : undefined

const READERS: Readonly<Record<GateName, Reader>> = {
  preStep: readPreStep,
  request: readRequest,
  requestError: readRequestError,
  stepResult: readStepResult,
  toolPre: readToolPre,
  toolPost: readToolPost,
  continuation: readContinuation,
  turnStopping: () => undefined,
}

/** An answer of `gate`; undefined if the text is none. */
export function readAnswer(
  gate: GateName,
  text: string,
  setup: Setup,
  by: string | undefined,
): Step | undefined {
  const answer = READERS[gate](text, setup, by)
  return answer === undefined ? undefined : { kind: 'answer', run: answer }
}
