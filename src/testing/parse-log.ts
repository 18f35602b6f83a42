/**
 * Reads a printed log back into events: for trying projections on a history that is written down as text.
 *
 * What lines leave out is supplied: a next-turn line is a followup, a next-step line with a source an inject, any other
 * next-step line a steer, a discard is `removed`. Chunks cannot be read back.
 *
 * @module
 */
import type { StoredEvent } from '../events/event.ts'
import {
  idsIn,
  LogReader,
  messageOf,
  messagesIn,
  outcomeOf,
  reasonOf,
  type Read,
} from './log-reader.ts'

type Groups = readonly string[]
type Rule = readonly [RegExp, (groups: Groups, reader: LogReader) => Read]

const LIST = '(next-turn|next-step)'

const RULES: readonly Rule[] = [
  [
    new RegExp(`^inbox ${LIST} @(\\d+) \\+\\[(.*)\\](?: (restored|recovered))?$`),
    ([list = '', index = '', texts = '', mark = ''], reader) => {
      const [message = messageOf('')] = reader.put(list, index, texts)
      const wakes = list === 'next-turn' || message.source.kind === 'user'
      const data = { target: list, index: Number(index), message, wake: wakes, actor: 'caller' }
      if (mark !== '') Object.assign(data, { mark, wake: false })
      return { type: 'inbox/inserted', data }
    },
  ],
  [
    new RegExp(`^inbox ${LIST} @(\\d+) -(\\d+) claimed$`),
    ([list = '', index = '', n = ''], reader) => {
      const ids = reader.take(list, index, n)
      return {
        type: 'inbox/claimed',
        data: {
          turn: reader.turn,
          nextStep: list === 'next-step' ? ids : [],
          nextTurn: list === 'next-turn' ? ids : [],
        },
      }
    },
  ],
  [
    new RegExp(`^inbox ${LIST} @(\\d+) -(\\d+) canceled$`),
    ([list = '', index = '', n = ''], reader) => ({
      type: 'inbox/discarded',
      data: { ids: reader.take(list, index, n), reason: 'removed', actor: 'caller' },
    }),
  ],
  [
    new RegExp(`^inbox ${LIST} @(\\d+) -(\\d+) canceled \\+\\[(.*)\\]$`),
    ([list = '', index = '', n = '', texts = ''], reader) => {
      const ids = reader.peek(list, index, n)
      const messages = reader.put(list, index, texts, Number(n))
      return {
        type: 'inbox/replaced',
        data: { ids, target: list, index: Number(index), messages, wake: true, actor: 'caller' },
      }
    },
  ],
  [
    new RegExp(`^inbox move "([^"]*)"(?: <\\w+>)? ${LIST}@(\\d+) -> ${LIST}@(\\d+)$`),
    ([id = '', from = '', at = '', to = '', index = ''], reader) => {
      reader.take(from, at, '1')
      reader.put(to, index, `"${id}"`)
      return { type: 'inbox/moved', data: { id, from, to, index: Number(index), actor: 'caller' } }
    },
  ],
  [
    /^session\/opened (resume|fork)( wake)?$/,
    ([how, wake = '']) => ({ type: 'session/opened', data: { how, wake: wake !== '' } }),
  ],
  [/^turn\/start (\d+)$/, ([turn = ''], reader) => reader.startTurn(turn)],
  [
    /^turn\/end (\d+) (.*?)( parks)?(?: uncommitted \[(.*)\])?$/,
    ([turn = '', reason = '', parks = '', ids = '']) => ({
      type: 'turn/end',
      data: {
        turn: Number(turn),
        reason: reasonOf(reason),
        uncommitted: idsIn(ids),
        ...(parks === '' ? {} : { parks: reason.split(':')[0] }),
      },
    }),
  ],
  [
    /^(step\/start|step\/end) (\S+)$/,
    ([type = '', place = ''], reader) => ({ type, data: reader.at(place) }),
  ],
  [
    /^user\/message "([^"]*)"(?: <(\w+)>)?(?: id "([^"]*)")?$/,
    ([text = '', kind = '', id = ''], reader) => ({
      type: 'user/message',
      data: {
        ...reader.here,
        message: messageOf(text, kind === '' ? 'user' : kind, id === '' ? text : id),
      },
    }),
  ],
  [
    /^context\/message (.*)$/,
    ([text = ''], reader) => ({
      type: 'context/message',
      data: { turn: reader.turn, message: messagesIn(text)[0] },
    }),
  ],
  [
    /^request\/header (\w+)$/,
    ([reason], reader) => ({
      type: 'request/header',
      data: { ...reader.here, provider: 'mock', model: 'mock', reason },
    }),
  ],
  [
    /^request\/context (\S+)\/(\S+)$/,
    ([provider, model], reader) => ({
      type: 'request/context',
      data: { ...reader.here, provider, model },
    }),
  ],
  [
    /^assistant\/message (\S+) (.*?)( \[interrupted\])?$/s,
    ([place = '', text = '', cut = ''], reader) => ({
      type: 'assistant/message',
      data: {
        ...reader.at(place),
        message: { role: 'assistant', content: reader.blocks(text) },
        ...(cut === '' ? {} : { interrupted: true }),
      },
    }),
  ],
  [
    /^request\/failed (\S+) #(\d+) (\w+) (retry|fail)(?: \+(\d+|\*)(?:ms)?)?$/,
    ([place = '', attempt = '', code = '', action, delay = '0'], reader) => ({
      type: 'request/failed',
      data: {
        ...reader.at(place),
        attempt: Number(attempt),
        provider: 'mock',
        failure: { code, message: 'boom' },
        action,
        delayMs: delay === '*' ? 1 : Number(delay),
      },
    }),
  ],
  [
    /^tool\/call (\S+) (\S+) (\S+)$/,
    ([place = '', id = '', name = ''], reader) => ({
      type: 'tool/call',
      data: { ...reader.at(place), call: reader.call(id, name), name, arguments: '{}' },
    }),
  ],
  [
    /^(tool\/settled|tool\/result) (\S+) (\S+) (.*)$/s,
    ([type = '', place = '', id = '', outcome = ''], reader) => ({
      type,
      data: { ...reader.at(place), call: reader.call(id), outcome: outcomeOf(outcome) },
    }),
  ],
  [
    /^approval\/asked (\S+) (\S+)$/,
    ([place = '', id = ''], reader) => ({
      type: 'approval/asked',
      data: { ...reader.at(place), call: reader.call(id), question: { tool: '', arguments: {} } },
    }),
  ],
  [
    /^approval\/decided (\S+) (\S+) (\w+)$/,
    ([place = '', id = '', answer], reader) => ({
      type: 'approval/decided',
      data: { ...reader.at(place), call: reader.call(id), answer, by: 'user' },
    }),
  ],
  [
    /^gate\/decided (\S+) (\w+) (\w+)$/,
    ([place = '', gate, decision], reader) => ({
      type: 'gate/decided',
      data: { ...reader.at(place), gate, decision, by: 'gate' },
    }),
  ],
  [
    /^cancel\/requested (\w+) (\d+|-)(.*?)(?: discarded \[(.*)\])?$/,
    ([kind = '', turn = '', options = '', ids = '']) => ({
      type: 'cancel/requested',
      data: {
        cause: { kind },
        actor: 'caller',
        keepInbox: options.includes('keepInbox'),
        resume: options.includes(' resume'),
        ...(options.includes('restoreClaimed') ? { restoreClaimed: true } : {}),
        turn: turn === '-' ? null : Number(turn),
        discarded: idsIn(ids),
      },
    }),
  ],
]

function readLine(line: string, reader: LogReader): Read {
  for (const [pattern, read] of RULES) {
    const hit = pattern.exec(line)
    if (hit !== null)
      return read(
        hit.slice(1).map((group) => group ?? ''),
        reader,
      )
  }
  throw new SyntaxError(`cannot read the log line ${JSON.stringify(line)}`)
}

/** Lines that print one event: next-step ids before next-turn ids. */
function joins(before: Read | undefined, next: Read): Read | undefined {
  if (before?.type !== next.type) return undefined
  if (next.type === 'inbox/claimed') {
    const first = before.data as { nextStep: string[]; nextTurn: string[] }
    const second = next.data as { nextTurn: string[] }
    const merges = first.nextTurn.length === 0 && second.nextTurn.length > 0
    return merges ? { type: next.type, data: { ...first, nextTurn: second.nextTurn } } : undefined
  }
  return undefined
}

/**
 * Reads printed lines into events; ids equal texts, times are 0, `seq` counts from 0.
 *
 * @throws SyntaxError naming a line that is none.
 */
export function parseLog(lines: Iterable<string>): StoredEvent[] {
  const reader = new LogReader()
  const reads: Read[] = []
  for (const line of lines) {
    const read = readLine(line, reader)
    const joined = joins(reads.at(-1), read)
    if (joined === undefined) reads.push(read)
    else reads[reads.length - 1] = joined
  }
  return reads.map((read, seq) => ({ seq, time: 0, ...read }) as unknown as StoredEvent)
}
