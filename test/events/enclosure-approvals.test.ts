/**
 * E1: a session may be opened over a turn only if that does nothing but wait for an approval.
 */
import { describe, expect, it } from 'vitest'
import type { NewEvent } from '../../src/events/event.ts'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { AT, call, called, HEADER, twoCalls } from '../support/crashed.ts'
import type { LogScript } from '../support/log-script.ts'

const question = { tool: 't', arguments: {} }
const asked = (log: LogScript, index: number): number =>
  log.put('approval/asked', { ...AT, call: call(index), question })

/** What opening the session over `events` is refused with; undefined if it is not. */
function refusal(log: LogScript, how: 'resume' | 'fork' = 'resume'): string | undefined {
  const stored = createMemoryLog({ header: HEADER, events: log.events })
  const opened: NewEvent = { type: 'session/opened', data: { how, wake: false } }
  try {
    stored.append(opened, 1)
    return undefined
  } catch (error) {
    return (error as { rule: string }).rule
  }
}

/** Two calls, the first of which is recorded and asked about. */
function waiting(): LogScript {
  const log = twoCalls()
  called(log, 0)
  asked(log, 0)
  return log
}

describe('a session is opened', () => {
  it('over a turn that waits for one approval, or several', () => {
    const log = waiting()
    expect(refusal(log)).toBeUndefined()
    asked(log, 1)
    expect(refusal(log)).toBeUndefined()
  })

  it('over a turn in which some questions are answered, as long as one is open', () => {
    const log = waiting()
    asked(log, 1)
    log.put('approval/decided', { ...AT, call: call(1), answer: 'allow', by: 'a' })
    expect(refusal(log)).toBeUndefined()
    log.put('approval/decided', { ...AT, call: call(0), answer: 'deny', by: 'a' })
    expect(refusal(log)).toBe('no-open-turn')
  })

  it('not over one in which a call may have run', () => {
    const log = twoCalls()
    called(log, 0)
    asked(log, 1)
    expect(refusal(log)).toBe('no-open-turn')
  })

  it('not over one that was cancelled', () => {
    const log = waiting()
    log.put('cancel/requested', {
      cause: { kind: 'user' },
      actor: 'a',
      keepInbox: false,
      resume: false,
      turn: 1,
      discarded: [],
    })
    expect(refusal(log)).toBe('no-open-turn')
  })

  it('not over one that asks nothing, and never as a fork', () => {
    expect(refusal(twoCalls())).toBe('no-open-turn')
    expect(refusal(waiting(), 'fork')).toBe('no-open-turn')
  })
})
