/**
 * The line of each event that can be told by itself, without those before it.
 *
 * @module
 */
import type { EventMap, EventType } from '../../events/event.ts'
import type { TraceEntry } from './trace-entry.ts'
import {
  at,
  cancelWords,
  endWords,
  insertedWords,
  listed,
  named,
  reasonSaid,
  saidIn,
} from './trace-words.ts'

/** An entry that has no place in the log yet. */
export interface Line extends Pick<TraceEntry, 'kind' | 'from' | 'to' | 'what'> {
  readonly said: () => string
}

const NOTHING = (): string => ''

/** Something that concerns the agent alone. */
export const noted = (what: string, said = NOTHING): Line => ({
  kind: 'note',
  from: 'agent',
  to: 'agent',
  what,
  said,
})

/** Something that the agent is told from outside. */
export const told = (what: string, said = NOTHING): Line => ({
  kind: 'tell',
  from: 'caller',
  to: 'agent',
  what,
  said,
})

type Lines = { readonly [T in EventType]?: (data: EventMap[T]) => Line }

const joined = ({ message }: EventMap['user/message'] | EventMap['context/message']): Line =>
  noted(`takes ${named(message.id)} into the history`, () => saidIn(message.content))

/** By the type of the event; what is not named needs more than itself, or is not known. */
export const LINES: Lines = {
  'session/opened': ({ how, inherited, wake }) => {
    const copied = inherited === undefined ? '' : `, ${inherited} events inherited`
    return noted(`session opened by ${how}${copied}${wake ? ', wakes' : ''}`)
  },
  'inbox/inserted': (data) => {
    const line = data.mark === undefined ? told : noted
    return line(insertedWords(data), () => saidIn(data.message.content))
  },
  'inbox/claimed': ({ nextStep, nextTurn }) =>
    noted(`claims ${listed([...nextStep, ...nextTurn])}`),
  'inbox/discarded': ({ ids, reason }) => noted(`discards ${listed(ids)} (${reason})`),
  'inbox/replaced': ({ ids, messages }) =>
    told(`replaces ${listed(ids)} by ${listed(messages.map(({ id }) => id))}`, () =>
      messages.map(({ content }) => saidIn(content)).join(' '),
    ),
  'inbox/moved': ({ id, to }) => told(`moves ${named(id)} to ${to}`),
  'turn/start': ({ turn }) => noted(`turn ${turn} starts`),
  'turn/end': (data) => noted(endWords(data), () => reasonSaid(data.reason)),
  'step/start': (data) => noted(`step ${at(data)} starts`),
  'step/end': (data) => noted(`step ${at(data)} ends`),
  'user/message': joined,
  'context/message': joined,
  'request/header': ({ provider, model, reason, system = '' }) =>
    noted(`requests go to ${named(provider)}/${named(model)} (${reason})`, () => system),
  'gate/decided': ({ gate, decision, by }) => noted(`${gate}: ${decision} by ${named(by)}`),
  'cancel/requested': (data) => told(cancelWords(data), () => JSON.stringify(data.cause)),
  'compaction/start': ({ range: { from, to } }) =>
    noted(`compaction of events ${from} to ${to} starts`),
  'compaction/summary': ({ message }) =>
    noted(`sums them up as ${named(message.id)}`, () => saidIn(message.content)),
  'compaction/end': ({ outcome, failure }) => {
    const code = failure === undefined ? '' : ` (${named(failure.code)})`
    return noted(`compaction ${outcome}${code}`, () => failure?.message ?? '')
  },
  'goal/change': ({ goal, revision, change }) =>
    noted(`goal ${named(goal)}, revision ${revision}`, () => JSON.stringify(change)),
  'child/descriptor': ({ child, descriptor }) =>
    noted(`child ${named(child)}`, () => JSON.stringify(descriptor)),
}
