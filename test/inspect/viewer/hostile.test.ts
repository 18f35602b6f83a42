/**
 * A log whose every text would like to be run: it is served as data, and the answers about it are plain sentences.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkLog } from '../../../src/events/enclosure.ts'
import type { StoredEvent } from '../../../src/events/event.ts'
import { budgetsUsed } from '../../../src/inspect/account/budgets-used.ts'
import { messageFates } from '../../../src/inspect/account/message-fates.ts'
import { standingOf } from '../../../src/inspect/account/standing.ts'
import { whyNotIdle } from '../../../src/inspect/account/why-not-idle.ts'
import { ask, at, follow, idOf, open, raw, useViewer } from './viewer-rig.ts'

useViewer()

const HOSTILE = join(import.meta.dirname, '../../fixtures/viewer/hostile.jsonl')
const events = readFileSync(HOSTILE, 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => JSON.parse(line) as StoredEvent)

it('is a log like any other', () => {
  expect(() => checkLog(events)).not.toThrow()
})

it('arrives as data alone: no text of it becomes an event of the stream, a header or a page', async () => {
  const viewer = await open({ logs: [HOSTILE] })
  const id = await idOf(viewer)
  const reader = await follow(viewer, id)
  const sent = await reader.caughtUp()
  expect(new Set(reader.seen.map(({ event }) => event))).toEqual(
    new Set(['header', 'batch', 'caughtup']),
  )
  expect(sent.map(({ seq, type }) => [seq, type])).toEqual(
    events.map(({ seq, type }) => [seq, type]),
  )
  const long = sent.filter(({ shortened }) => shortened !== undefined)
  expect(long.map(({ type }) => type)).toEqual(['tool/result', 'acme/note'])
  for (const { seq } of long)
    expect(await ask(viewer, `/api/agents/${id}/events/${seq}`)).toEqual(events[seq])
  const { headers } = await fetch(at(viewer, `/api/agents/${id}/events/0`))
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

it('whole or shortened, it folds to the same answers, at every position', async () => {
  const viewer = await open({ logs: [HOSTILE] })
  const reader = await follow(viewer, await idOf(viewer))
  const sent = await reader.caughtUp()
  for (let end = 0; end <= events.length; end += 1) {
    const whole = events.slice(0, end)
    const short = sent.slice(0, end)
    expect(standingOf(short)).toEqual(standingOf(whole))
    expect(budgetsUsed(short)).toEqual(budgetsUsed(whole))
    expect(whyNotIdle(short)).toEqual(whyNotIdle(whole))
    expect(messageFates(short).map(({ id, standing }) => [id, standing])).toEqual(
      messageFates(whole).map(({ id, standing }) => [id, standing]),
    )
    for (const { text, todo = '' } of whyNotIdle(whole)) {
      expect(text.length + todo.length).toBeLessThan(900)
      // eslint-disable-next-line no-control-regex -- these are what is looked for
      expect(text + todo).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/)
    }
  }
})

it('names in addresses are looked up, whatever they are', async () => {
  const viewer = await open({ logs: [HOSTILE] })
  for (const id of [
    '__proto__',
    'constructor',
    '..',
    '%2e%2e',
    '%00',
    '<script>',
    'x'.repeat(9000),
  ])
    expect((await raw(viewer, `/api/agents/${encodeURI(id)}/events`)).status).toBe(404)
})
