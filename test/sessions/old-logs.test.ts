/**
 * Logs that earlier versions wrote load for ever, and say what they said.
 */
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterEach, describe, expect, it } from 'vitest'
import { createAgent } from '../../src/actors/agent.ts'
import { createCatalogue } from '../../src/events/catalogue.ts'
import { defineEvent } from '../../src/events/define-event.ts'
import { checkLog } from '../../src/events/enclosure.ts'
import { openFileLog } from '../../src/log/file-log.ts'
import { readLogFile } from '../../src/log/read-log.ts'
import { history, historyView } from '../../src/projections/history.ts'
import { fold } from '../../src/projections/projection.ts'
import { repairLog } from '../../src/sessions/repair.ts'
import { printLog } from '../../src/testing/print-event.ts'
import { printRequest } from '../../src/testing/print-request.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'

const folder = new URL('../logs/', import.meta.url).pathname
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => name.slice(0, -6))

/** Notes once had no author. */
const catalogue = createCatalogue({
  events: [
    defineEvent('acme/note', v.object({ text: v.string(), author: v.string() }), { version: 2 }),
  ],
  upcasters: [
    {
      type: 'acme/note',
      from: 1,
      up: (data) => ({ ...(data as { text: string }), author: 'unknown' }),
    },
  ],
})

const dirs: string[] = []
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true })
})

describe.each(names)('%s', (name) => {
  const read = () => readLogFile(join(folder, `${name}.jsonl`), { catalogue, validate: 'eager' })

  it('loads, every payload checked, and says what it said', async () => {
    const { events } = await read()
    const shown = [
      ...printLog(events, { verbose: true }),
      '',
      'History:',
      ...printRequest(historyView(fold(history, events))),
      '',
    ].join('\n')
    await expect(shown).toMatchFileSnapshot(join(folder, `${name}.txt`))
  })

  it('goes on: repaired, resumed and worked on, without a stored byte being changed', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'turnwise-old-'))
    dirs.push(dir)
    const file = join(dir, `${name}.jsonl`)
    copyFileSync(join(folder, `${name}.jsonl`), file)
    const before = readFileSync(file, 'utf8')
    const log = await openFileLog(file, { catalogue })
    repairLog(log)
    const agent = createAgent({ log, model: scriptedModel(['text "on it"']) })
    agent.inbox.clear()
    const { finalResponse } = await agent.run('Go on')
    expect(finalResponse).toBe('on it')
    await agent.dispose()
    expect(readFileSync(file, 'utf8').startsWith(before)).toBe(true)
    checkLog((await readLogFile(file, { catalogue })).events)
  })
})

it('R01: payloads of an earlier version are lifted as they are read', async () => {
  const { events } = await readLogFile(join(folder, 'notes.jsonl'), { catalogue })
  expect(events.map(({ data, v: version }) => [data, version])).toEqual([
    [{ text: 'before authors were kept', author: 'unknown' }, 2],
    [{ text: 'the same, said aloud', author: 'unknown' }, 2],
    [{ text: 'with its author', author: 'ann' }, 2],
    [{ of: 'a reader to come' }, undefined],
  ])
})

it('R01: an unknown required type is refused, an unknown optional one is passed over', async () => {
  const refused = expect.objectContaining({ code: 'UNKNOWN_EVENT' })
  await expect(readLogFile(join(folder, 'notes.jsonl'))).rejects.toEqual(refused)
  const dir = mkdtempSync(join(tmpdir(), 'turnwise-old-'))
  dirs.push(dir)
  const [header, , , , optional = ''] = readFileSync(join(folder, 'notes.jsonl'), 'utf8').split(
    '\n',
  )
  writeFileSync(join(dir, 'x.jsonl'), `${header}\n${optional.replace('"seq":3', '"seq":0')}\n`)
  expect((await readLogFile(join(dir, 'x.jsonl'))).events).toHaveLength(1)
})

it('between them they hold every type of event', () => {
  const schemas = readFileSync(new URL('../../src/events/event.ts', import.meta.url), 'utf8')
  const types = [...schemas.matchAll(/^ {2}'([a-z]+\/[a-z]+)': /gm)].map(([, type]) => type)
  const text = names.map((name) => readFileSync(join(folder, `${name}.jsonl`), 'utf8')).join('')
  expect(types.length).toBeGreaterThan(25)
  expect(types.filter((type) => !text.includes(`"type":"${type}"`))).toEqual([])
})
