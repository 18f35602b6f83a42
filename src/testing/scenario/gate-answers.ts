/**
 * What gates answer, read from phrases: `rejects with reason "no"`, `returns retry`, `denies c1`, `blocks with feedback "x"`.
 *
 * @module
 */
import type { AssistantMessage, Message, MessageInput } from '../../events/message.ts'
import { textOf } from '../print-request.ts'
import { looseRecord, looseValue } from './loose-value.ts'
import { messagePhrase } from './message-phrase.ts'
import type { GateName } from './moment.ts'
import { msIn, namesIn, quotedIn, splitTop } from './phrase.ts'
import type { Setup } from './setup.ts'
import type { Step, StepCtx } from './step.ts'

type Question = Record<string, unknown>
type AnswerOf = (ctx: StepCtx, question: Question) => unknown
type Reader = (text: string, setup: Setup, by: string | undefined) => AnswerOf | undefined

const batchOf = (question: Question): readonly Message[] => question['batch'] as readonly Message[]

function readReject(text: string, by: string | undefined): AnswerOf | undefined {
  const hit = /^(?:(?:returns?|answers?) )?rejects?\b(.*)$/s.exec(text)
  if (hit === null) return undefined
  const rest = hit[1] ?? ''
  const reason = /reason:? "([^"]*)"/.exec(rest)?.[1] ?? quotedIn(rest)[0] ?? 'no'
  const named = /restor(?:ing|es?):? \[?([^\]]+?)\]?(?:$|,? with|,? and )/.exec(
    rest.replace(/"([^"]*)"/, ''),
  )?.[1]
  return (_ctx, question) => {
    const wanted = named === undefined ? [] : namesIn(named)
    const all = /^(?:them|all|it|everything|the (?:batch|rest|others?))$/.test(named ?? '')
    const restore = batchOf(question).filter(
      (m) => all || wanted.includes(textOf(m.content)) || wanted.includes(m.id),
    )
    return {
      kind: 'reject',
      reason,
      ...(by === undefined ? {} : { by }),
      ...(named === undefined ? {} : { restore: restore.map((message) => message.id) }),
    }
  }
}

/** One entry of `enter with [A rewritten to "A2", extra plugin message "C"]`. */
function entered(part: string, ctx: StepCtx, question: Question): Message | MessageInput {
  const rewritten =
    /^"?([\w-]+)"? (?:rewritten|changed|edited|replaced) (?:to|as|by) "?([^"]*)"?/.exec(part)
  const find = (name: string): Message | undefined =>
    batchOf(question).find((message) => message.id === name || textOf(message.content) === name)
  if (rewritten !== null) {
    const old = find(rewritten[1] ?? '')
    const content = rewritten[2] ?? ''
    return old === undefined
      ? { id: rewritten[1] ?? '', content }
      : { ...old, content: [{ type: 'text', text: content }] }
  }
  const extra =
    /^(?:an? |the )?(?:extra|new|additional|further)? ?(?:(plugin|user|tool) )?(?:message|context)? ?"([^"]*)"/.exec(
      part,
    )
  const text = extra?.[2] ?? messagePhrase(part.replace(/ \(.*\)$/, '')).text
  return find(text) ?? committed(ctx, text) ?? added(text, extra?.[1], part, ctx)
}

/** A message that the log already holds under that id. */
function committed(ctx: StepCtx, id: string): Message | undefined {
  for (const event of ctx.run.events) {
    if (event.type === 'user/message' && event.data.message.id === id) return event.data.message
  }
  return undefined
}

function added(text: string, kind: string | undefined, part: string, ctx: StepCtx): MessageInput {
  const invalid = /invalid|function|not JSON/.test(part)
  if (invalid) return { id: 'invalid', content: (() => 0) as unknown as string }
  const source = kind ?? ctx.setup.hints.source(text)
  return {
    id: text,
    content: text,
    ...(source === undefined
      ? {}
      : {
          source: { kind: source as 'plugin', ...(source === 'plugin' ? { plugin: 'gate' } : {}) },
        }),
  }
}

const readPreStep: Reader = (text, _setup, by) => {
  const reject = readReject(text, by)
  if (reject !== undefined) return reject
  const listed = /^(?:returns? |answers? )?(?:enters?|admits?)(?: with| the list)? \[(.*)\]$/s.exec(
    text,
  )?.[1]
  if (listed !== undefined) {
    const parts = splitTop(listed, /\s*,\s*/)
    return (ctx, question) => ({
      kind: 'enter',
      messages: parts.map((part) => entered(part, ctx, question)),
    })
  }
  if (
    /^(?:returns? |answers? )?(?:enters?(?: with)? (?:an )?empty (?:list|batch)|empt(?:ies|y) (?:the |its )?batch|drops (?:every|all|everything).*|admits nothing|enter with nothing)$/.test(
      text,
    )
  ) {
    return () => ({ kind: 'enter', messages: [] })
  }
  if (/^(?:returns? |answers? )enter(?: unchanged)?$/.test(text))
    return (_ctx, q) => ({ kind: 'enter', messages: batchOf(q) })
  return readEdit(text)
}

/** `drops A`, `adds "C"`, `rewrites A to "A2"`: edits of the batch. */
function readEdit(text: string): AnswerOf | undefined {
  const drop =
    /^(?:returns? )?(?:enters? without|drops|removes from the batch|leaves out) (.+)$/.exec(
      text,
    )?.[1]
  if (drop !== undefined) {
    const names = namesIn(drop)
    return (_ctx, q) => ({
      kind: 'enter',
      messages: batchOf(q).filter((m) => !names.includes(textOf(m.content))),
    })
  }
  const rewrite = /^rewrites "?([\w-]+)"? (?:to|as|into) (.+)$/.exec(text)
  if (rewrite !== null) {
    const part = `${rewrite[1] ?? ''} rewritten to ${rewrite[2] ?? ''}`
    return (ctx, q) => ({
      kind: 'enter',
      messages: batchOf(q).map((m) =>
        textOf(m.content) === rewrite[1] ? entered(part, ctx, q) : m,
      ),
    })
  }
  const add = /^(?:adds|appends) (.+)$/.exec(text)?.[1]
  if (add === undefined || /context "ctx/.test(add)) return undefined
  return (ctx, q) => ({ kind: 'enter', messages: [...batchOf(q), entered(add, ctx, q)] })
}

const readRequestError: Reader = (text) => {
  if (/^(?:returns?|answers?) (?:nothing|undefined)$/.test(text)) return () => undefined
  if (
    !/^(?:always )?(?:(?:returns?|answers?|asks for|says|decides) (?:a )?)?(?:always )?retr(?:y|ies)\b/.test(
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
  const texts = quotedIn(text)
  const last = texts.at(-1)
  return (_ctx, question) => {
    const message = question['message'] as AssistantMessage
    if (/upper/.test(text)) return changed(message, (old) => old.toUpperCase())
    if (/calls?\b/.test(text) && /drop|remove/.test(text)) {
      return { ...message, content: message.content.filter((block) => block.type !== 'tool-call') }
    }
    if (/^(?:appends?|adds?)/.test(text)) return changed(message, (old) => old + (last ?? ''))
    return changed(message, (old) =>
      texts.length > 1 ? old.replaceAll(texts[0] ?? '', last ?? '') : (last ?? old),
    )
  }
}

const changed = (message: AssistantMessage, to: (text: string) => string): AssistantMessage => ({
  ...message,
  content: message.content.map((block) =>
    block.type === 'text' ? { ...block, text: to(block.text) } : block,
  ),
})

const readRequest: Reader = (text) => {
  if (
    !/^(?:switches|sets|supplies|gives|returns|changes|routes|provides|uses|adds|names)\b/.test(
      text,
    )
  )
    return undefined
  const provider = /provider(?: to|:| is| =)? "?(?!and\b|to\b|or\b)([\w-]+)"?/.exec(text)?.[1]
  const model = /model(?: to|:| is| =)? "?(?!and\b|from\b|or\b|to\b)([\w.-]+)"?/.exec(text)?.[1]
  const route = /"?\b([\w-]+)\/([\w.-]+)"?/.exec(text)
  const record = /\{.*\}/s.exec(text)?.[0]
  const tokens = /maxTokens(?: to|:| is| =)? (\d+)/.exec(text)?.[1]
  const both = /provider and (?:the )?model/.test(text)
  return async (_ctx, question) => ({
    ...(question['config'] as object),
    ...(both ? { provider: 'mock', model: 'mock' } : {}),
    ...(/switches the model|changes the model/.test(text) && model === undefined
      ? { model: 'mock2' }
      : {}),
    ...(/switches the provider|changes the provider/.test(text) && provider === undefined
      ? { provider: 'p2' }
      : {}),
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(route === null ? {} : { provider: route[1] ?? '', model: route[2] ?? '' }),
    ...(tokens === undefined ? {} : { maxTokens: Number(tokens) }),
    ...(record === undefined ? {} : (looseValue(record) as ReturnType<typeof looseRecord>)),
  })
}

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
