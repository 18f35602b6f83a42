import { assert, property } from 'fast-check'
import { expect, it } from 'vitest'
import { answerAt, seqsFor } from '../../page/src/log/answers.ts'
import { Recording } from '../../page/src/log/recording.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import type { Finding } from '../../src/inspect/account/finding.ts'
import { whyNotIdle } from '../../src/inspect/account/why-not-idle.ts'
import { anyLog } from '../support/random-log.ts'
import { eventsOf } from './logs.ts'

const recordingOf = (events: readonly StoredEvent[]): Recording => {
  const recording = new Recording()
  recording.take(events)
  return recording
}

const LOGS = [
  'test/logs/conversation.jsonl',
  'test/logs/crashed-calling.jsonl',
  'test/logs/crashed-streaming.jsonl',
  'test/logs/every-event.jsonl',
  'test/logs/fork.jsonl',
  'examples/logs/approval-waiting.jsonl',
  'examples/logs/cancelled-in-window.jsonl',
  'examples/logs/crash-repaired.jsonl',
  'examples/logs/parked-queue.jsonl',
  'examples/logs/stuck-tool.jsonl',
]

/** Messages whose ids were used before may be named in another order. */
const comparable = (findings: readonly Finding[]) =>
  findings.map((finding) => {
    const { ids = [], text, ...rest } = finding
    return { ...rest, ids: ids.toSorted(), text: ids.length > 1 ? '' : text }
  })

/** The numbers of events behind which the answer is another one than that of the whole prefix. */
function otherAnswers(events: readonly StoredEvent[], step = 1): number[] {
  const recording = recordingOf(events)
  const others: number[] = []
  for (let seen = 0; seen <= events.length; seen += step) {
    const now = (events[seen - 1]?.time ?? 0) + 60_000
    const short = answerAt(recording, seqsFor(recording, seen), now, 'gone')
    const whole = whyNotIdle(events.slice(0, seen), now, 'gone')
    const same = JSON.stringify(comparable(short)) === JSON.stringify(comparable(whole))
    if (!same) others.push(seen)
  }
  return others
}

it.each(LOGS)('A1 the answer at any position is that of the whole prefix: %s', (path) => {
  expect(otherAnswers(eventsOf(path))).toEqual([])
})

it('A1 the answer at any position is that of the whole prefix: logs at random', () => {
  assert(
    property(anyLog(100), (log) => {
      expect(otherAnswers(log.events, 7)).toEqual([])
    }),
    { numRuns: 12, seed: 5 },
  )
})

it('A1 few events make the answer, however many chunks and turns stand before it', () => {
  const turn = eventsOf('test/logs/crashed-streaming.jsonl')
  const chunk = turn.findLast(({ type }) => type === 'assistant/chunk') as StoredEvent
  const more = Array.from({ length: 5000 }, (_, index) => ({ ...chunk, seq: turn.length + index }))
  const recording = recordingOf([...turn, ...more])
  expect(seqsFor(recording, recording.length).length).toBeLessThan(turn.length + 2)
})

it('an outcome whose code is the name of something that every object has is no known code', () => {
  const events = eventsOf('examples/logs/crash-repaired.jsonl').map((event) =>
    event.type === 'tool/result'
      ? { ...event, data: { ...event.data, outcome: { ...event.data.outcome, code: '__proto__' } } }
      : event,
  )
  expect(() => whyNotIdle(events as StoredEvent[])).not.toThrow()
})

it('where no answer can be made, that is the answer', () => {
  const broken = { seq: 0, time: 1, type: 'turn/start', data: null } as unknown as StoredEvent
  const recording = recordingOf([broken])
  expect(answerAt(recording, [0], 1, 'gone')).toEqual([
    expect.objectContaining({ text: expect.stringContaining('no answer can be made') as string }),
  ])
})
