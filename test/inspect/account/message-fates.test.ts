/**
 * The fates of all messages, against the lineage of each.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { StoredEvent } from '../../../src/events/event.ts'
import { messageFates } from '../../../src/inspect/account/message-fates.ts'
import { lineage } from '../../../src/projections/lineage.ts'
import { fold } from '../../../src/projections/projection.ts'

const ROOT = join(import.meta.dirname, '../../..')
const logs = ['test/logs', 'examples/logs'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name)),
)

it.each(logs)('of %s are what the lineage of each message says', (path) => {
  const [, ...lines] = readFileSync(join(ROOT, path), 'utf8').trimEnd().split('\n')
  const events = lines.map((line) => JSON.parse(line) as StoredEvent)
  for (const { id, standing, seq } of messageFates(events)) {
    const told = fold(lineage(id), events)
    expect([id, standing]).toEqual([id, told.standing])
    expect(told.facts.map((fact) => fact.seq)).toContain(seq)
  }
})
