/**
 * What is told, in short, for tests of it.
 *
 * @module
 */
import { Narration } from '../../../src/projections/narration/narration.ts'
import type { Told } from '../../../src/projections/narration/told.ts'
import type { Event } from './story.ts'

/** All that is told of `events`. */
export const tell = (events: readonly Event[]): Told[] => {
  const narration = new Narration()
  return events.flatMap((event) => narration.take(event))
}

export const opens = (id: string, type: 'text' | 'reasoning' = 'text'): Told => ({
  kind: 'block-start',
  id,
  type,
})
export const grows = (id: string, text: string, type: 'text' | 'reasoning' = 'text'): Told => ({
  kind: 'delta',
  id,
  type,
  text,
})
export const closes = (id: string, type: 'text' | 'reasoning' = 'text'): Told => ({
  kind: 'block-end',
  id,
  type,
})
export const whole = (id: string, words: string, type: 'text' | 'reasoning' = 'text'): Told[] => [
  opens(id, type),
  grows(id, words, type),
  closes(id, type),
]
/** A call as it is streamed. */
export const streamed = (id: string, call: string) => {
  const type = 'tool-call'
  return {
    opens: (name: string): Told => ({ kind: 'block-start', id, type, call, name }),
    grows: (text: string): Told => ({ kind: 'delta', id, type, call, text }),
    closes: { kind: 'block-end', id, type, call } as Told,
  }
}
