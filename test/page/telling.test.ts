/**
 * What the page says of single events, and how it finds them.
 */
import { expect, it } from 'vitest'
import { differences } from '../../page/src/log/differences.ts'
import { exchangeOf, isExchange, LANES } from '../../page/src/log/exchanges.ts'
import { groupOf } from '../../page/src/log/groups.ts'
import { Recording } from '../../page/src/log/recording.ts'
import { lastUpTo, Search } from '../../page/src/log/search.ts'
import { lineOf } from '../../page/src/log/summary.ts'
import { durationText, usageText } from '../../page/src/log/texts.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import { schemas } from '../../src/events/schemas.ts'
import { eventsOf } from './logs.ts'

const log = eventsOf('test/logs/every-event.jsonl')
const recording = new Recording()
recording.take(log)

it('every event of the library has a group and a line of its own', () => {
  expect(new Set(log.map(({ type }) => type)).size).toBeGreaterThan(25)
  for (const event of log) {
    const isOurs = event.type in schemas
    const line = lineOf(event)
    expect(line.length).toBeLessThanOrEqual(200)
    expect(line).not.toMatch(/\n|undefined|cannot be read/)
    // A payload as JSON is for types that nobody knows.
    expect(line.startsWith('{')).toBe(!isOurs)
    expect(groupOf(event.type) === 'other').toBe(!isOurs)
  }
})

it('an event whose payload has another shape is said to be unreadable', () => {
  const broken = { seq: 0, time: 0, type: 'turn/end', data: null } as unknown as StoredEvent
  expect(lineOf(broken)).toContain('cannot be read')
  expect(exchangeOf(broken)?.text).toContain('cannot be read')
})

it('the sequence has an exchange for each event that is one, between two of its lanes', () => {
  for (const event of log) {
    const exchange = exchangeOf(event)
    expect(exchange === undefined).toBe(!isExchange(event.type))
    if (exchange === undefined) continue
    expect(LANES).toContain(exchange.from)
    expect(LANES).toContain(exchange.to)
    expect(exchange.text).not.toMatch(/undefined/)
  }
  expect(recording.exchanges).toEqual(
    log.filter(({ type }) => isExchange(type)).map(({ seq }) => seq),
  )
})

it('a search finds all words in any order, by slices, and goes on as the log grows', () => {
  const growing = new Recording()
  growing.take(log.slice(0, 500))
  const search = new Search(growing, { hidden: new Set(['stream']), query: 'TURN/END  blocked' })
  let clock = 0
  // Each look at the clock costs 5 ms, so that one slice is not enough.
  const now = (): number => (clock += 5)
  search.work(now)
  expect(search.done).toBe(false)
  while (!search.done) search.work(now)
  growing.take(log)
  while (!search.done) search.work(now)
  const expected = log.filter(
    (event) => event.type === 'turn/end' && JSON.stringify(event.data).includes('blocked'),
  )
  expect(search.found).toEqual(expected.map(({ seq }) => seq))
})

it('without words and filters every event is wanted, and nothing is looked through', () => {
  const search = new Search(recording, { hidden: new Set(), query: ' ' })
  expect([search.found, search.done]).toEqual([undefined, true])
})

it('the last of sorted numbers up to a value is found', () => {
  const sorted = [2, 5, 9]
  expect([1, 2, 4, 9, 20].map((value) => lastUpTo(sorted, value))).toEqual([-1, 0, 0, 2, 2])
})

it('a moment does not differ from itself, and back and forth undo each other', () => {
  for (let seen = 0; seen < log.length; seen += 37) {
    const [before, now] = [recording.at(seen), recording.at(Math.min(log.length, seen + 90))]
    expect(differences(before, before)).toEqual([])
    const forth = differences(before, now).filter(
      ({ area }) => area === 'inbox' || area === 'calls',
    )
    const back = differences(now, before).filter(({ area }) => area === 'inbox' || area === 'calls')
    const texts = (list: typeof forth, kind: string): string[] =>
      list.filter((one) => one.kind === kind).map(({ text }) => text)
    expect(texts(forth, 'added')).toEqual(texts(back, 'removed'))
    expect(texts(forth, 'removed')).toEqual(texts(back, 'added'))
  }
})

it('lengths of time and tokens are said in words', () => {
  expect([0, 850, 12_400, 200_000, 7_500_000, 273_600_000].map(durationText)).toEqual([
    '0 ms',
    '850 ms',
    '12.4 s',
    '3 min 20 s',
    '2 h 5 min',
    '3 d 4 h',
  ])
  expect(usageText({ inputTokens: 1200, outputTokens: 80 })).toBe('1,200 in · 80 out')
  expect(usageText({ totalTokens: 5 })).toBe('5 in all')
  expect(usageText({})).toBe('')
})
