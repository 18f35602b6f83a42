/**
 * Repair keeps what was visible of an attempt, as an abort does.
 */
import { describe, expect, it } from 'vitest'
import { repairEvents } from '../../src/sessions/repair.ts'
import { AT, openStep } from '../support/crashed.ts'
import type { LogScript } from '../support/log-script.ts'

const chunk = (kind: string, rest: object) => ({ ...AT, attempt: 1, chunk: { kind, ...rest } })
const TEXT = [
  chunk('block-start', { block: 0, type: 'text' }),
  chunk('text-delta', { block: 0, text: 'partial' }),
]
const CALL = [
  chunk('block-start', { block: 1, type: 'tool-call', id: 'c1', name: 't' }),
  chunk('tool-call-delta', { block: 1, text: '{' }),
]
const FINISH = chunk('finish', { reason: 'stop' })

function streaming(...chunks: ReturnType<typeof chunk>[]): LogScript {
  const log = openStep()
  for (const one of chunks) log.put('assistant/chunk', one as never)
  return log
}

describe('the streamed prefix', () => {
  it('RS-04: is one interrupted message with its usage that cites its chunks; calls never existed', () => {
    const usage = chunk('usage', { usage: { outputTokens: 3 } })
    const log = streaming(...TEXT, ...CALL, usage)
    const [message] = repairEvents(log.events)
    expect(message).toEqual({
      type: 'assistant/message',
      data: {
        ...AT,
        message: { role: 'assistant', content: [{ type: 'text', text: 'partial' }] },
        usage: { outputTokens: 3 },
        interrupted: true,
      },
      cites: [5, 6, 7, 8, 9],
    })
  })

  it('of a finished attempt that was never committed is kept as well', () => {
    expect(repairEvents(streaming(...TEXT, FINISH).events)[0]?.type).toBe('assistant/message')
  })

  it.each([
    ['nothing visible', [TEXT[0]!, chunk('text-delta', { block: 0, text: ' ' })]],
    ['a failed attempt', [...TEXT, chunk('finish', { reason: 'error' })]],
    ['an attempt that ended in the middle of a call', [...TEXT, ...CALL, FINISH]],
  ])('of %s is no message', (_what, chunks) => {
    const types = repairEvents(streaming(...chunks).events).map((event) => event.type)
    expect(types).toEqual(['step/end', 'turn/end'])
  })

  it('of an attempt recorded as failed is no message; that of the next attempt is', () => {
    const log = streaming(...TEXT)
    const failed = {
      ...AT,
      attempt: 1,
      provider: 'p',
      failure: { code: 'SERVER', message: 'boom' },
      action: 'retry',
      delayMs: 0,
    } as const
    log.put('request/failed', failed)
    expect(repairEvents(log.events)[0]?.type).toBe('step/end')
    log.put('assistant/chunk', {
      ...AT,
      attempt: 2,
      chunk: { kind: 'text-delta', block: 0, text: 'again' },
    })
    expect(repairEvents(log.events)[0]).toMatchObject({ cites: [8] })
  })
})
