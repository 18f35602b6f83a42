/**
 * What `preStep` answers, read from phrases: `rejects with reason "no"`, `returns enter with [A, extra message "C"]`.
 *
 * @module
 */
import type { Message, MessageInput } from '../../events/message.ts'
import { defined } from '../defined.ts'
import { textOf } from '../print-request.ts'
import type { AnswerOf, Reader } from './gate-answers.ts'
import { messagePhrase } from './message-phrase.ts'
import { group, match, namesIn, quotedIn, splitTop } from './phrase.ts'
import type { StepCtx } from './step.ts'

type Question = Record<string, unknown>

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

const REWRITTEN = /^"?([\w-]+)"? (?:rewritten|changed|edited|replaced) (?:to|as|by) "?([^"]*)"?/
const EXTRA =
  /^(?:an? |the )?(?:extra|new|additional|further)? ?(?:(plugin|user|tool) )?(?:message|context)? ?"([^"]*)"/

const inBatch = (question: Question, name: string): Message | undefined =>
  batchOf(question).find((message) => message.id === name || textOf(message.content) === name)

/** One entry of `enter with [A rewritten to "A2", extra plugin message "C"]`. */
function entered(part: string, ctx: StepCtx, question: Question): Message | MessageInput {
  const rewritten = match(REWRITTEN, part)
  if (rewritten !== undefined) {
    const old = inBatch(question, rewritten.at(1))
    const content = rewritten.at(2)
    if (old === undefined) return { id: rewritten.at(1), content }
    return { ...old, content: [{ type: 'text', text: content }] }
  }
  const extra = match(EXTRA, part)
  const text = extra?.at(2) ?? messagePhrase(part.replace(/ \(.*\)$/, '')).text
  const known = inBatch(question, text) ?? committed(ctx, text)
  return known ?? added(text, extra?.maybe(1), part, ctx)
}

/** A message that the log already holds under that id. */
function committed(ctx: StepCtx, id: string): Message | undefined {
  for (const event of ctx.run.events) {
    if (event.type === 'user/message' && event.data.message.id === id) return event.data.message
  }
  return undefined
}

function added(text: string, kind: string | undefined, part: string, ctx: StepCtx): MessageInput {
  if (/invalid|function|not JSON|NaN|undefined|without (?:an? )?content/.test(part)) {
    return { id: 'invalid', content: (() => 0) as unknown as string }
  }
  const named = kind ?? ctx.setup.hints.source(text)
  const plugin = named === 'plugin' ? 'gate' : undefined
  const source = named === undefined ? undefined : { kind: named as 'user', ...defined({ plugin }) }
  return { id: text, content: text, ...defined({ source }) }
}

/** Reads an answer of `preStep`. */
export const readPreStep: Reader = (text, _setup, by) => {
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

const DROPS = /^(?:returns? )?(?:enters? without|drops|removes from the batch|leaves out) (.+)$/
const ADDS = /^(?:adds|appends) (?!.*context "ctx)(.+)$/

/** `drops A`, `adds "C"`, `rewrites A to "A2"`: edits of the batch. */
function readEdit(text: string): AnswerOf | undefined {
  const drop = group(DROPS, text)
  if (drop !== undefined) {
    const names = namesIn(drop)
    const stays = (message: Message): boolean => !names.includes(textOf(message.content))
    return (_ctx, q) => ({ kind: 'enter', messages: batchOf(q).filter(stays) })
  }
  const add = group(ADDS, text)
  if (add !== undefined) {
    return (ctx, q) => ({ kind: 'enter', messages: [...batchOf(q), entered(add, ctx, q)] })
  }
  return readRewrite(text)
}

function readRewrite(text: string): AnswerOf | undefined {
  const hit = match(/^rewrites "?([\w-]+)"? (?:to|as|into) (.+)$/, text)
  if (hit === undefined) return undefined
  const part = `${hit.at(1)} rewritten to ${hit.at(2)}`
  return (ctx, q) => ({
    kind: 'enter',
    messages: batchOf(q).map((m) => (textOf(m.content) === hit.at(1) ? entered(part, ctx, q) : m)),
  })
}
