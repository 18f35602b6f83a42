/**
 * Commands that put messages in: followup, steer, inject, send, and the edits of the inbox.
 *
 * @module
 */
import type { InboxList } from '../../events/event.ts'
import { looseRecord, looseValue } from './loose-value.ts'
import { messagePhrase, messagePhrases, type MessagePhrase } from './message-phrase.ts'
import { listIn, splitTop } from './phrase.ts'
import type { Ctx, Reading, VerbRule } from './verb.ts'

const LIST = '(?:the )?(next-turn|next-step)'
const actorOf = (message: MessagePhrase): { actor?: string } =>
  message.actor === undefined ? {} : { actor: message.actor }

type Sender = (ctx: Ctx, message: MessagePhrase) => unknown

/** A text of several words has to be quoted: otherwise the phrase means something else. */
const isMessage = (message: MessagePhrase): boolean =>
  message.quoted || (!/\s/.test(message.text) && !VERBS.test(message.text))

/** A name that is a verb belongs to another clause. */
const VERBS =
  /^(?:cancels?|aborts?|disposes?|removes?|releases?|returns?|throws?|rejects?|delegates?|enters?|retries|waits?|steers?|injects?|followups?)$/

/** Sends several messages in one tick; one message answers its id, several their ids. */
const each = (verb: string, list: string, send: Sender): Reading | undefined => {
  const messages = messagePhrases(
    /^an? |^inbox|invalid|function/.test(list) ? [list] : listIn(list),
  )
  if (!messages.every(isMessage)) return undefined
  return {
    key: `${verb} ${messages.map((message) => message.text).join(',')}`,
    act(ctx) {
      const answers = messages.map((message) => send(ctx, message))
      return answers.length === 1 ? answers[0] : answers
    },
  }
}

const simple = (verb: 'followup' | 'steer'): VerbRule[] => [
  [
    new RegExp(`^${verb}\\((.+)\\)$`),
    ([, one = '']) => each(verb, one, (ctx, m) => ctx.agent[verb](m.input, actorOf(m))),
  ],
  [
    new RegExp(`^${verb} (.+)$`),
    ([, list = '']) => each(verb, list, (ctx, m) => ctx.agent[verb](m.input, actorOf(m))),
  ],
]

function injecting(list: string, options: string | undefined): Reading | undefined {
  const given = options === undefined ? {} : looseRecord(options)
  return each('inject', list, (ctx, m) => ctx.agent.inject(m.input, { ...actorOf(m), ...given }))
}

const sending = (list: string, target: string, wake: boolean): Reading | undefined =>
  each(`send ${target} ${wake}`, list, (ctx, m) =>
    ctx.agent.send(m.input, { target: target as InboxList, wake, ...actorOf(m) }),
  )

/** `send(A, next-turn, wake: false)`. */
function sendCall(args: string): Reading | undefined {
  const [message = '', ...rest] = splitTop(args, /\s*,\s*/)
  const options = looseRecord(
    rest
      .join(', ')
      .replaceAll(/[{}]/g, '')
      .replace(/target: /, ''),
  )
  const target = rest.some((part) => part.includes('next-step')) ? 'next-step' : 'next-turn'
  return sending(message, target, options['wake'] !== false)
}

const putting = (how: 'append' | 'prepend', list: string, target: string): Reading | undefined =>
  each(`${how} ${target}`, list, (ctx, m) =>
    ctx.agent.inbox[how](target as InboxList, m.input, actorOf(m)),
  )

function removing(phrase: string): Reading | undefined {
  const names = listIn(phrase).map(messagePhrase)
  if (!names.every(isMessage)) return undefined
  return {
    key: `remove ${names.map((m) => m.text).join(',')}`,
    act(ctx) {
      const answers = names.map((m) => ctx.agent.inbox.remove(m.text, actorOf(m)))
      return answers.length === 1 ? answers[0] : answers
    },
  }
}

function replacing(old: string, next: string): Reading | undefined {
  const message = messagePhrase(next)
  if (!isMessage(message)) return undefined
  return {
    key: `replace ${old} ${message.text}`,
    act: (ctx) => ctx.agent.inbox.replace(messagePhrase(old).text, message.input, actorOf(message)),
  }
}

const moving = (id: string, target: string, index: string | undefined): Reading => ({
  key: `move ${id} ${target}`,
  act: (ctx) =>
    ctx.agent.inbox.move(
      messagePhrase(id).text,
      target as InboxList,
      index === undefined ? undefined : Number(looseValue(index)),
      actorOf(messagePhrase(id)),
    ),
})

function splicing(args: string): Reading {
  const [list = 'next-turn', start = '0', count = '0', texts = '[]'] = splitTop(args, /\s*,\s*/)
  const messages = listIn(texts.replaceAll(/[[\]]/g, '')).map((name) => messagePhrase(name).input)
  return {
    act: (ctx) =>
      ctx.agent.inbox.splice(
        list as InboxList,
        Number(looseValue(start)),
        Number(looseValue(count)),
        messages,
      ),
  }
}

const WITHOUT =
  '(?: through the inbox)?,? ?(without (?:a )?(?:wake|waking)|\\(?wake: (?:true|false)\\)?|with (?:a )?wake)?(?: through the inbox)?'
const waking = (mark: string | undefined): boolean => mark === undefined || /true|with /.test(mark)

export const SEND_RULES: readonly VerbRule[] = [
  ...simple('followup'),
  ...simple('steer'),
  [/^inject\((.+?)(?:, ?\{(.*)\})?\)$/, ([, list = '', options]) => injecting(list, options)],
  [
    /^inject (.+?) (?:with |as )?(?:\{(turn.*)\}|(?:a )?turn(?: of its own)?)$/,
    ([, list = '', options]) => injecting(list, options ?? 'turn: true'),
  ],
  [/^inject (.+)$/, ([, list = '']) => injecting(list, undefined)],
  [/^send\((.+)\)$/, ([, args = '']) => sendCall(args)],
  [
    new RegExp(`^send (.+?) (?:to|into|under) ${LIST}${WITHOUT}$`),
    ([, list = '', target = '', mark]) => sending(list, target, waking(mark)),
  ],
  [
    /^send (.+?),? without (?:a )?wak(?:e|ing)$/,
    ([, list = '']) => sending(list, 'next-turn', false),
  ],
  [/^send (.+)$/, ([, list = '']) => sending(list, 'next-turn', true)],
  [
    new RegExp(`^(?:inbox\\.)?(append|prepend)\\(${LIST}, (.+)\\)$`),
    ([, how, target = '', list = '']) => putting(how as 'append', list, target),
  ],
  [
    new RegExp(`^(?:inbox\\.)?(append|prepend) (.+?) to ${LIST}${WITHOUT}$`),
    ([, how, list = '', target = '']) => putting(how as 'append', list, target),
  ],
  [/^(?:inbox\.)?remove\((.+)\)$/, ([, list = '']) => removing(list)],
  [
    /^(?:inbox )?remove (.+?)(?: from (?:the )?(?:inbox|next-turn|next-step))?$/,
    ([, list = '']) => removing(list),
  ],
  [/^(?:inbox\.)?replace\((.+?), ?(.+)\)$/, ([, old = '', next = '']) => replacing(old, next)],
  [/^replace (.+?) (?:by|with) (.+)$/, ([, old = '', next = '']) => replacing(old, next)],
  [
    new RegExp(`^(?:inbox\\.)?move\\((.+?), ?${LIST}(?:, ?(-?\\w+))?\\)$`),
    ([, id = '', target = '', index]) => moving(id, target, index),
  ],
  [
    new RegExp(`^(?:promote|move) (.+?) to ${LIST}(?: (?:at|@) ?(-?\\d+))?$`),
    ([, id = '', target = '', index]) => moving(id, target, index),
  ],
  [
    /^(?:inbox\.)?clear(?:\(\))?(?: the inbox| on an empty inbox)?$/,
    () => ({ key: 'clear', act: (ctx) => ctx.agent.inbox.clear() }),
  ],
  [/^(?:inbox\.)?splice\((.+)\)(?:\s+\w.*)?$/, ([, args = '']) => splicing(args)],
]
