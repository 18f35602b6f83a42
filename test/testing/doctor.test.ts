/**
 * The doctor accepts sound logs, and names the event and the rule of a planted fault.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sample } from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { examineFile, examineLog } from '../../src/testing/doctor.ts'
import { parseLog } from '../../src/testing/parse-log.ts'
import { HEADER } from '../support/crashed.ts'
import { anyLog } from '../support/random-log.ts'
import { agentsLog, DERIVED, FILE } from './planted-elsewhere.ts'
import type { Patient, Planted } from './patient.ts'
import { ENCLOSURE, patient } from './planted-faults.ts'

const dir = mkdtempSync(join(tmpdir(), 'turnwise-doctor-'))
afterAll(() => {
  rmSync(dir, { recursive: true, force: true })
})

async function examined(log: Patient): ReturnType<typeof examineFile> {
  const file = join(dir, 'x.jsonl')
  writeFileSync(file, log.text())
  return examineFile(file)
}

/** What is said of a log with that fault. */
async function told(log: Patient, { plant }: Planted): Promise<unknown> {
  plant(log)
  const { sound, findings } = await examined(log)
  const faults = findings.filter(({ kind }) => kind === 'fault')
  return { sound, faults: faults.map(({ rule, seq, line }) => ({ rule, seq, line })) }
}

/** What must be said: nothing but the fault, at its line. */
const named = ({ rule, seq }: Planted): unknown => ({
  sound: false,
  faults: [{ rule, seq, line: seq === null ? 1 : seq + 2 }],
})

describe('a planted fault is named with its event and rule', () => {
  it.each(ENCLOSURE)('$name: $rule at $seq', async (planted) => {
    expect(await told(patient(), planted)).toEqual(named(planted))
  })
  it.each([...FILE, ...DERIVED])('$name: $rule at $seq', async (planted) => {
    expect(await told(agentsLog(), planted)).toEqual(named(planted))
  })

  it('there are more than fifty kinds of fault', () => {
    const names = [...ENCLOSURE, ...FILE, ...DERIVED].map(({ name }) => name)
    expect(new Set(names).size).toBeGreaterThan(50)
  })
})

describe('sound logs', () => {
  it.each(['by hand', 'of an agent'])('the log %s is sound', async (which) => {
    const log = which === 'by hand' ? patient() : agentsLog()
    expect(await examined(log)).toMatchObject({ sound: true, findings: [], repair: 0 })
  })

  it('every valid log is sound, at every cut', () => {
    for (const { events } of sample(anyLog(120), { numRuns: 20, seed: 5 })) {
      for (let length = 0; length <= events.length; length += 1) {
        const { findings } = examineLog(HEADER, events.slice(0, length))
        // Another process may have gone on over an open turn: nothing has closed that yet.
        const faults = findings.filter(({ kind }) => kind === 'fault')
        const stray = /nothing has closed it since/
        expect(faults.filter(({ message }) => !stray.test(message))).toEqual([])
      }
    }
  })

  it('old logs are sound, but for the turn that nobody has closed', async () => {
    const folder = new URL('../logs/', import.meta.url).pathname
    const said: Record<string, string[]> = {}
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.jsonl'))) {
      const { findings } = await examineFile(join(folder, name))
      said[name] = findings.filter(({ kind }) => kind === 'fault').map(({ rule }) => rule)
    }
    const { 'stray-turn.jsonl': stray, ...others } = said
    expect(stray).toEqual(['no-open-turn', 'no-open-step'])
    expect(Object.values(others).flat()).toEqual([])
  })
})

describe('what is no fault', () => {
  it('an open turn at the end is open: the doctor says what a repair would append', () => {
    const events = parseLog([
      'inbox next-turn @0 +["A"]',
      'turn/start 1',
      'inbox next-turn @0 -1 claimed',
    ])
    expect(examineLog(HEADER, events)).toMatchObject({
      sound: true,
      repair: 2,
      findings: [{ kind: 'open', rule: 'open-turn', seq: 1, type: 'turn/start' }],
    })
  })

  it('a torn last line is noted with its length', async () => {
    const log = patient()
    log.bend = (text) => text.slice(0, -9)
    expect(await examined(log)).toMatchObject({
      sound: true,
      events: 20,
      findings: [{ kind: 'note', rule: 'torn-tail', line: 22 }],
    })
  })

  it('events of others are no fault, whatever their payload and version', async () => {
    const log = patient()
    log.put(undefined, { type: 'acme/note', data: { x: 1 }, v: 3 } as never)
    expect(await examined(log)).toMatchObject({ sound: true, events: 22, findings: [] })
  })
})

it('a bracket that was left open further up is a fault where it was left, and a repair closes it', () => {
  const events = parseLog([
    'turn/start 1',
    'step/start 1.1',
    'turn/start 2',
    'turn/end 2 completed',
  ])
  const { sound, repair, findings } = examineLog(HEADER, events)
  expect([sound, repair]).toEqual([false, 2])
  expect(findings.map(({ rule, seq, line }) => [rule, seq, line])).toEqual([
    ['no-open-turn', 2, null],
    ['no-open-step', 2, null],
  ])
})
