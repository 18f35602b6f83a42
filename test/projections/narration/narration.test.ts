/**
 * A run as it is told: what was streamed is told once, what was not is told by its message, and all that opened closes.
 */
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../../src/events/event.ts'
import { Narration, type LiveChunk } from '../../../src/projections/narration/narration.ts'
import type { Told } from '../../../src/projections/narration/told.ts'
import { play } from '../../../src/testing/play.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'

const tell = (events: readonly (StoredEvent | LiveChunk)[]): Told[] => {
  const narration = new Narration()
  return events.flatMap((event) => narration.take(event))
}

/** Texts as a reader of the stream puts them together. */
function textsOf(told: readonly Told[]): string[] {
  const texts = new Map<string, string>()
  for (const each of told)
    if (each.kind === 'delta') texts.set(each.id, (texts.get(each.id) ?? '') + each.text)
  return [...texts.values()]
}

const opened = (told: readonly Told[]): string[] =>
  told.flatMap((each) => (each.kind === 'block-start' ? [each.id] : []))
const closed = (told: readonly Told[]): string[] =>
  told.flatMap((each) => (each.kind === 'block-end' ? [each.id] : []))

const at = { turn: 1, step: 1 }
const live = (chunk: LiveChunk['chunk']): LiveChunk => ({ type: 'chunk', ...at, attempt: 1, chunk })
const stored = (type: StoredEvent['type'], data: unknown): StoredEvent =>
  ({ seq: 0, time: 0, type, data }) as StoredEvent
const begin = stored('step/start', at)
const said = (...texts: string[]): StoredEvent =>
  stored('assistant/message', {
    ...at,
    message: { role: 'assistant', content: texts.map((text) => ({ type: 'text', text })) },
  })

describe('a text', () => {
  it('that was streamed is told once', async () => {
    const { events: log } = await play({ model: scriptedModel(['text "Hello."']) }, ['followup A'])
    expect(textsOf(tell(log))).toEqual(['Hello.'])
  })

  it('that nobody streamed is told by its message', () => {
    const told = tell([begin, said('Hello.', 'Again.')])
    expect(textsOf(told)).toEqual(['Hello.', 'Again.'])
    expect(closed(told)).toEqual(opened(told))
  })

  it('that was streamed in part is told to its end, in its own block while that is open', () => {
    const start = live({ kind: 'block-start', block: 0, type: 'text' })
    const piece = live({ kind: 'text-delta', block: 0, text: 'Hel' })
    const told = tell([begin, start, piece, said('Hello.', 'Again.')])
    expect(textsOf(told)).toEqual(['Hello.', 'Again.'])
    expect(closed(told).toSorted()).toEqual(opened(told).toSorted())
  })

  it('whose beginning was missed is told whole', () => {
    const piece = live({ kind: 'text-delta', block: 0, text: 'llo.' })
    expect(textsOf(tell([begin, piece, said('Hello.')]))).toEqual(['Hello.'])
  })
})

describe('what was opened', () => {
  it('is closed where the turn was cancelled in mid-stream', async () => {
    const { events: log } = await play({ model: scriptedModel(['hang "par"']) }, [
      'followup A',
      'model streaming: cancel user',
    ])
    const told = tell(log)
    expect(opened(told).length).toBeGreaterThan(0)
    expect(closed(told)).toEqual(opened(told))
  })

  it('is closed where the attempt failed, and the next attempt begins anew', () => {
    const start = live({ kind: 'block-start', block: 0, type: 'text' })
    const piece = live({ kind: 'text-delta', block: 0, text: 'Hel' })
    const failed = stored('request/failed', {
      ...at,
      attempt: 1,
      failure: { code: 'SERVER', message: 'down' },
      action: 'retry',
    })
    const told = tell([begin, start, piece, failed, said('Hello.')])
    expect(told.map(({ kind }) => kind)).toEqual([
      'step-start',
      'block-start',
      'delta',
      'block-end',
      'failed',
      'block-start',
      'delta',
      'block-end',
    ])
  })
})

it('calls with one provider id are told apart by their keys', async () => {
  const tools = [{ name: 'echo', run: () => 'ok' }]
  const { events: log } = await play(
    { model: scriptedModel(['call c1 echo + call c1 echo', 'text "done"']), tools },
    ['followup A'],
  )
  const keys = tell(log).flatMap((each) => (each.kind === 'outcome' ? [each.call] : []))
  expect(keys).toEqual(['1.1.0', '1.1.1'])
})
