/**
 * Reads a log from the lines of the scenarios, as far as fragments of logs use them.
 *
 * A next-turn line is a followup, a next-step line with `<plugin>` an inject, any other next-step line a steer; a
 * discard is `removed`.
 *
 * @module
 */
import type { EventMap, InboxList, StoredEvent } from '../../src/events/event.ts'
import type { TurnReason } from '../../src/events/message.ts'
import { LogWriter, says, textMessage } from './log-writer.ts'

type Reader = (log: LogWriter, match: RegExpMatchArray) => void

const ids = (text: string | undefined): string[] =>
  text === undefined ? [] : (JSON.parse(`[${text}]`) as string[])

const at = (turn: string | undefined, step: string | undefined) => ({
  turn: Number(turn),
  step: Number(step),
})

function reasonOf(kind: string | undefined): TurnReason {
  if (kind === 'aborted') return { kind, cause: { kind: 'user' } }
  if (kind === 'blocked') return { kind, by: 'gate', reason: 'no' }
  if (kind === 'error') return { kind, code: 'SERVER', message: 'boom' }
  if (kind === 'limit') return { kind, which: 'steps', used: 1, allowed: 1 }
  if (kind === 'completed' || kind === 'max-tokens' || kind === 'interrupted') return { kind }
  throw new Error(`unknown turn end ${kind}`)
}

/** The ids that leave a list by position. */
const leaving = (log: LogWriter, list: InboxList, index: string, count: string): string[] =>
  log.lists[list].slice(Number(index), Number(index) + Number(count))

const claimed: Reader = (log, [, list, index, count]) => {
  const taken = leaving(log, list as InboxList, index ?? '', count ?? '')
  const turn = log.ledger.lastTurn
  const steps = list === 'next-step'
  log.put('inbox/claimed', {
    turn,
    nextStep: steps ? taken : [],
    nextTurn: steps ? [] : taken,
  })
  log.drop(taken)
}

const replaced: Reader = (log, [, list, index, count, texts]) => {
  const target = list as InboxList
  const gone = leaving(log, target, index ?? '', count ?? '')
  const messages = ids(texts).map((id) => textMessage(id))
  const data = { ids: gone, target, index: Number(index), messages, wake: true, actor: 'test' }
  log.put('inbox/replaced', data)
  log.drop(gone)
  log.lists[target].splice(Number(index), 0, ...ids(texts))
}

const inserted: Reader = (log, [, list, index, text, source]) => {
  const message = textMessage(text ?? '', source === undefined ? 'user' : 'plugin')
  log.insert(list as InboxList, Number(index), message, { wake: source === undefined })
}

const moved: Reader = (log, [, id = '', from, to, index]) => {
  const data = { id, from: from as InboxList, to: to as InboxList, index: Number(index) }
  log.put('inbox/moved', { ...data, actor: 'test' })
  log.drop([id])
  log.lists[to as InboxList].splice(Number(index), 0, id)
}

const cancelled: Reader = (log, [, kind, turn, keeps, discarded]) => {
  log.put('cancel/requested', {
    cause: { kind: kind as EventMap['cancel/requested']['cause']['kind'] },
    actor: 'test',
    keepInbox: keeps !== undefined,
    resume: false,
    turn: turn === '-' ? null : Number(turn),
    discarded: ids(discarded),
  })
}

const READERS: readonly (readonly [RegExp, Reader])[] = [
  [/^inbox (\S+) @(\d+) \+\["([^"]+)"(?: <(plugin)>)?\]$/, inserted],
  [/^inbox (\S+) @(\d+) -(\d+) claimed$/, claimed],
  [
    /^inbox (\S+) @(\d+) -(\d+) canceled$/,
    (log, [, list, index, count]) =>
      log.discard(leaving(log, list as InboxList, index ?? '', count ?? ''), 'removed'),
  ],
  [/^inbox (\S+) @(\d+) -(\d+) canceled \+\[(.+)\]$/, replaced],
  [/^inbox move "([^"]+)" (\S+)@\d+ -> (\S+)@(\d+)$/, moved],
  [/^turn\/start (\d+)$/, (log, [, turn]) => void log.put('turn/start', { turn: Number(turn) })],
  [
    /^turn\/end (\d+) ([a-z-]+)(?::\S+)?(?: uncommitted \[(.+)\])?$/,
    (log, [, turn, kind, left]) =>
      void log.put('turn/end', {
        turn: Number(turn),
        reason: reasonOf(kind),
        uncommitted: ids(left),
      }),
  ],
  [/^step\/start (\d+)\.(\d+)$/, (log, [, t, s]) => void log.put('step/start', at(t, s))],
  [/^step\/end (\d+)\.(\d+)$/, (log, [, t, s]) => void log.put('step/end', at(t, s))],
  [
    /^user\/message "([^"]+)"$/,
    (log, [, text]) =>
      void log.put('user/message', {
        ...at(String(log.ledger.openTurn), String(log.ledger.openStep)),
        message: textMessage(text ?? ''),
      }),
  ],
  [
    /^context\/message "([^"]+)" <plugin>$/,
    (log, [, text]) =>
      void log.put('context/message', {
        turn: log.ledger.lastTurn,
        message: textMessage(text ?? '', 'plugin'),
      }),
  ],
  [
    /^assistant\/message (\d+)\.(\d+) "([^"]*)"$/,
    (log, [, t, s, text]) =>
      void log.put('assistant/message', { ...at(t, s), message: says(text ?? '') }),
  ],
  [/^cancel\/requested (\w+) (\d+|-)( keepInbox)?(?: discarded \[(.+)\])?$/, cancelled],
]

/** The events that the lines stand for. */
export function readLines(lines: readonly string[]): readonly StoredEvent[] {
  const log = new LogWriter()
  for (const line of lines) {
    const found = READERS.find(([pattern]) => pattern.test(line))
    const match = found?.[0].exec(line)
    if (found === undefined || match == null) throw new Error(`cannot read ${line}`)
    found[1](log, match)
  }
  return log.events
}
