/**
 * The random logs are what the property tests stand on: they must be valid and hold every kind of event.
 *
 * @module
 */
import { sample } from 'fast-check'
import { expect, it } from 'vitest'
import { checkLog } from '../../src/events/enclosure.ts'
import type { CoreType } from '../../src/events/event.ts'
import { anyLog } from './random-log.ts'

const TYPES: Record<CoreType, true> = {
  'session/opened': true,
  'inbox/inserted': true,
  'inbox/claimed': true,
  'inbox/discarded': true,
  'inbox/replaced': true,
  'inbox/moved': true,
  'turn/start': true,
  'turn/end': true,
  'step/start': true,
  'step/end': true,
  'user/message': true,
  'context/message': true,
  'request/header': true,
  'request/context': true,
  'assistant/chunk': true,
  'request/failed': true,
  'assistant/message': true,
  'tool/call': true,
  'tool/settled': true,
  'tool/result': true,
  'gate/decided': true,
  'cancel/requested': true,
  'approval/asked': true,
  'approval/decided': true,
  'compaction/start': true,
  'compaction/summary': true,
  'compaction/end': true,
  'goal/change': true,
  'child/descriptor': true,
}

it('random logs are valid and between them hold every type and every way for a turn to end', () => {
  const logs = sample(anyLog(), { numRuns: 200, seed: 1 })
  for (const log of logs) checkLog(log.events)
  const events = logs.flatMap((log) => log.events)
  const types = new Set<string>(events.map((event) => event.type))
  expect([...types].toSorted()).toEqual([...Object.keys(TYPES), 'acme/note'].toSorted())
  const ends = events.flatMap((event) =>
    event.type === 'turn/end' ? [event.data.reason.kind] : [],
  )
  expect([...new Set(ends)].toSorted()).toEqual([
    'aborted',
    'blocked',
    'completed',
    'error',
    'interrupted',
    'limit',
    'max-tokens',
  ])
})
