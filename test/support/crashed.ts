/**
 * Logs that a crash has cut, and their repair.
 *
 * @module
 */
import type { NewEvent, StoredEvent } from '../../src/events/event.ts'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { LogScript } from './log-script.ts'

export const HEADER = { id: 's1', formatVersion: 1, createdAt: 0 } as const
/** The step that the scripts below leave open. */
export const AT = { turn: 1, step: 1 }
export const call = (index: number) => ({ key: `k${index}`, index, providerId: `c${index + 1}` })

/** `events` with `more` behind them, at the time of the last. */
export function appended(
  events: readonly StoredEvent[],
  more: readonly NewEvent[],
): readonly StoredEvent[] {
  const log = createMemoryLog({ header: HEADER, events })
  if (more.length > 0) log.append(more, events.at(-1)?.time ?? 0)
  return log.read()
}

/** Step 1.1 is open and holds the message "A". */
export function openStep(): LogScript {
  const log = new LogScript()
  log.followup('A')
  log.claim(log.start(), ['A'])
  log.step('A')
  return log
}

/** Step 1.1 is open, and its message names two calls. */
export function twoCalls(): LogScript {
  const log = openStep()
  const content = [0, 1].map((index) => ({
    type: 'tool-call' as const,
    call: call(index),
    name: 't',
    arguments: '{}',
  }))
  log.put('assistant/message', { ...AT, message: { role: 'assistant', content } })
  return log
}

/** Records a call as about to run. @returns its seq. */
export const called = (log: LogScript, index: number, more: { repeatable?: true } = {}): number =>
  log.put('tool/call', { ...AT, call: call(index), name: 't', arguments: '{}', ...more })
