/**
 * Processes that come one after another to a turn which waits for an approval.
 *
 * @module
 */
import { expect } from 'vitest'
import { checkLog } from '../../src/events/enclosure.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { repairLog } from '../../src/sessions/repair.ts'
import { checkInvariants } from '../../src/testing/check-invariants.ts'
import { sent, type Setup } from '../actors/approval-rig.ts'
import type { Rig } from '../actors/rig.ts'

const HEADER = { id: 's1', formatVersion: 1, createdAt: 0 } as const

export type Life = Rig & { ran: string[] }

/** What the next process finds of `events`, repaired. */
export function found(events: readonly StoredEvent[], keepApprovals = true) {
  const log = createMemoryLog({ header: HEADER, events: [...events] })
  repairLog(log, { keepApprovals })
  return log
}

/** The first process has asked; `crashed` is what it leaves if it dies now. */
export const first = (setup: Partial<Setup> = {}): Promise<Life> =>
  sent({
    calls: ['call c1 p + call c2 q'],
    own: 'always',
    keepApprovals: true,
    log: createMemoryLog({ header: HEADER }),
    ...setup,
  })

/** Another process takes over what is stored. @param settle - it has begun to go on. */
export const next = (
  events: readonly StoredEvent[],
  setup: Partial<Setup> = {},
  settle = true,
): Promise<Life> =>
  sent(
    { calls: [], own: 'always', keepApprovals: true, log: found(events), ...setup },
    { prompt: false, settle },
  )

/** Types of what concerns turns, calls and sessions. */
export const kinds = (events: readonly StoredEvent[]): string[] =>
  events.map(({ type }) => type).filter((type) => /^(turn|step|tool|approval|session)\//.test(type))

/** Ends the life and holds its log to every rule. */
export async function atRest({ agent }: Life): Promise<void> {
  await agent.whenIdle()
  await agent.dispose()
  checkLog(agent.log.read())
  expect(checkInvariants(agent.log.read(), { atRest: true })).toEqual([])
}
