/**
 * Who said what to whom: the events of a log that are exchanges between people, agent, model and tools.
 *
 * @module
 */
import type { StoredEvent } from '../../../src/events/event.ts'
import { shortLine } from '../../../src/projections/plain-text.ts'
import { lineOf } from './summary.ts'
import {
  assistantText,
  causeText,
  messageText,
  outcomeText,
  outcomeWord,
  reasonText,
  sourceName,
} from './texts.ts'

export const LANES = ['people', 'agent', 'model', 'tools'] as const
export type Lane = (typeof LANES)[number]

/** One arrow, or a line across where `from` and `to` are the same. */
export interface Exchange {
  readonly from: Lane
  readonly to: Lane
  readonly text: string
  readonly tone: 'plain' | 'good' | 'bad' | 'rule'
}

type Telling = (event: StoredEvent) => Exchange | undefined

const said = (from: Lane, to: Lane, text: string, tone: Exchange['tone'] = 'plain'): Exchange => ({
  from,
  to,
  text: shortLine(text, 160),
  tone,
})

const rule = (text: string, tone: Exchange['tone'] = 'rule'): Exchange =>
  said('agent', 'agent', text, tone)

const verbOf = ({ data }: StoredEvent<'inbox/inserted'>): string => {
  if (data.mark !== undefined) return data.mark
  if (data.target === 'next-turn') return data.wake ? 'followup' : 'queued'
  return data.wake ? 'steer' : 'inject'
}

const TELLINGS: { readonly [type: string]: (event: never) => Exchange | undefined } = {
  'session/opened': ({ data }: StoredEvent<'session/opened'>) =>
    rule(`session opened: ${data.how}`),
  'inbox/inserted': (event: StoredEvent<'inbox/inserted'>) => {
    const { message } = event.data
    return said(
      'people',
      'agent',
      `${verbOf(event)} · ${sourceName(message.source)}: ${messageText(message)}`,
    )
  },
  'turn/start': ({ data }: StoredEvent<'turn/start'>) => rule(`turn ${data.turn}`),
  'turn/end': ({ data }: StoredEvent<'turn/end'>) =>
    rule(
      `turn ${data.turn} ended: ${reasonText(data.reason)}`,
      data.reason.kind === 'completed' ? 'rule' : 'bad',
    ),
  'step/start': ({ data }: StoredEvent<'step/start'>) =>
    said('agent', 'model', `asks (step ${data.turn}.${data.step})`),
  'assistant/message': ({ data }: StoredEvent<'assistant/message'>) =>
    said(
      'model',
      'agent',
      `${data.interrupted === true ? 'cut off: ' : ''}${assistantText(data.message)}`,
      data.interrupted === true ? 'bad' : 'plain',
    ),
  'request/failed': ({ data }: StoredEvent<'request/failed'>) =>
    said('model', 'agent', `${data.failure.code}: ${data.failure.message}`, 'bad'),
  'tool/call': ({ data }: StoredEvent<'tool/call'>) =>
    said('agent', 'tools', `${data.name}(${data.arguments})`),
  'tool/result': ({ data }: StoredEvent<'tool/result'>) =>
    said(
      'tools',
      'agent',
      `${outcomeWord(data.outcome)}: ${outcomeText(data.outcome)}`,
      data.outcome.kind === 'ok' ? 'good' : 'bad',
    ),
  'approval/asked': ({ data }: StoredEvent<'approval/asked'>) =>
    said('agent', 'people', `may ${data.question.tool} run? ${data.question.prompt ?? ''}`),
  'approval/decided': ({ data }: StoredEvent<'approval/decided'>) =>
    said(
      'people',
      'agent',
      `${data.answer} (${data.by})`,
      data.answer === 'allow' ? 'good' : 'bad',
    ),
  'cancel/requested': ({ data }: StoredEvent<'cancel/requested'>) =>
    said('people', 'agent', `cancel: ${causeText(data.cause)}`, 'bad'),
  'inbox/discarded': (event: StoredEvent<'inbox/discarded'>) =>
    rule(`dropped · ${lineOf(event, 120)}`, 'bad'),
  'compaction/summary': (event: StoredEvent<'compaction/summary'>) =>
    rule(`summary · ${lineOf(event, 120)}`),
}

const TABLE = new Map(Object.entries(TELLINGS)) as Map<string, Telling>

/** Is it one of those that are shown? */
export const isExchange = (type: string): boolean => TABLE.has(type)

/** The exchange an event is; undefined for all others, and for a payload that cannot be read. */
export function exchangeOf(event: StoredEvent): Exchange | undefined {
  try {
    return TABLE.get(event.type)?.(event)
  } catch {
    return rule(`${event.type}: its payload cannot be read`, 'bad')
  }
}
