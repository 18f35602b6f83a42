/**
 * The log that a crash has left, told by the log that is expected after the next process has repaired and opened it.
 *
 * @module
 */
import { createMemoryLog } from '../../../log/memory-log.ts'
import { repairEvents } from '../../../sessions/repair.ts'
import type { StoredSession } from '../../../sessions/session-store.ts'
import { parseLog } from '../../parse-log.ts'
import { printLog } from '../../print-event.ts'
import type { Scenario } from '../scenario.ts'

/** Lines up to the marker, without those that a repair of the lines before them writes. */
export function crashImage(scenario: Scenario): StoredSession {
  const log = (scenario.expect?.['log'] ?? []) as unknown[]
  const lines = log.map(String)
  const marker = lines.findIndex((line) => line.startsWith('session/opened'))
  const before = marker === -1 ? lines : lines.slice(0, marker)
  const cut = before.findIndex((_line, i) => isRepaired(before, i + 1))
  const events = parseLog(cut === -1 ? before : before.slice(0, cut + 1))
  return { header: { id: 's1', formatVersion: 1, createdAt: 0 }, events }
}

/** Does repairing the first `length` lines give the rest? */
function isRepaired(lines: readonly string[], length: number): boolean {
  try {
    const events = parseLog(lines.slice(0, length))
    const log = createMemoryLog({ header: { id: 's1', formatVersion: 1, createdAt: 0 }, events })
    const added = repairEvents(events)
    if (added.length > 0) log.append(added, 0)
    return printLog(log.read()).join('\n') === lines.join('\n')
  } catch {
    return false
  }
}
