/**
 * The planted faults: each can still be planted, and some tier finds each. A few are looked for again; `npm run planted` looks
 * for all.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyStateMachine } from 'xstate'
import { describe, expect, it } from 'vitest'
import { stepMachine } from '../src/machines/step.machine.ts'
import { turnMachine } from '../src/machines/turn.machine.ts'
import { nodesOf } from '../test/machines/chart-moves.ts'
import { FAULTS } from './planted/faults.ts'
import { findersOf, readFound } from './planted/found.ts'
import { plantedPage } from './planted/page.ts'
import { explorePlanted } from './planted/run.ts'
import type { TierName } from './planted/tier-names.ts'

const SRC = join(import.meta.dirname, '../src')
const found = readFound()
const ids = FAULTS.map(({ id }) => id)

describe('every planted fault', () => {
  it('has an id of its own', () => {
    expect([...new Set(ids)]).toEqual(ids)
  })

  it.each(FAULTS)('$id can be planted: $what', ({ file, plant }) => {
    const source = readFileSync(join(SRC, file), 'utf8')
    expect(plant(source)).not.toBe(source)
  })

  it('is found by a tier', () => {
    expect(Object.keys(found)).toEqual(ids)
    expect(ids.filter((id) => findersOf(found[id]).length === 0)).toEqual([])
  })

  it('stands in docs/testing.md with the tiers that find it; `npm run planted` writes them', () => {
    const page = readFileSync(join(import.meta.dirname, '../docs/testing.md'), 'utf8')
    expect(page).toBe(plantedPage(page, found))
  })
})

/** Windows of a chart whose cancel leads somewhere. */
const windowsOf = (machine: AnyStateMachine): string[] =>
  nodesOf(machine)
    .filter((node) => node.tags.includes('cancel-window'))
    .filter((node) => {
      const ways = node.transitions.get(`${machine.id}.abort`) ?? []
      return ways.some(({ target }) => target !== undefined)
    })
    .map((node) => `no-cancel-${node.description?.slice(0, 3)}-${node.key}`.toLowerCase())

it('every window of the charts has been forgotten once', () => {
  const forgotten = ids.filter((id) => id.startsWith('no-cancel-'))
  const windows = [turnMachine, stepMachine].flatMap(windowsOf)
  expect(forgotten.toSorted()).toEqual(windows.toSorted())
})

/** What is found at once: by reading the charts, or by one of the first seeds. */
const AT_ONCE: readonly (readonly [TierName, RegExp])[] = [
  ['charts', /./],
  ['simulation', /^seed [1-4]:/],
]
/** How many of each are looked for again, spread over all. */
const AGAIN = 6

const sample = AT_ONCE.flatMap(([tier, words]) => {
  const those = ids.filter((id) => words.test(found[id]?.[tier] ?? ''))
  const every = Math.max(1, Math.floor(those.length / AGAIN))
  return those.filter((_, i) => i % every === 0).map((id) => ({ id, tier }))
})

describe('looked for again', () => {
  it.each(sample)('$id is found by $tier', async ({ id, tier }) => {
    expect(await explorePlanted(id, tier)).toBe(found[id]?.[tier])
  })

  it('nothing is found in the sound library', async () => {
    expect(await explorePlanted('', 'charts')).toBeNull()
  })

  it('are some of each kind', () => {
    expect(sample.length).toBeGreaterThanOrEqual(2 * AGAIN)
  })
})
