/**
 * Seeded lines of any shape: every whole request gets one answer, and nothing else is lost.
 */
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { end, stranger, text } from './stranger.ts'

beforeEach(() => {
  // The package says on standard error what it passes over.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

const METHODS = [
  'initialize',
  'session/new',
  'session/load',
  'session/prompt',
  'session/cancel',
  'x',
]

it('two thousand seeded lines: every whole request is answered once, and no session is lost', async () => {
  const ide = await stranger(Array.from({ length: 3000 }, () => 'text "y"'))
  const sessionId = await ide.session()
  const anything = fc.oneof(
    fc.json(),
    fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', '2.0', '1.0'),
        method: fc.constantFrom(...METHODS),
        params: fc.oneof(
          fc.record({
            sessionId: fc.constantFrom(sessionId, 'unknown'),
            prompt: fc.array(fc.oneof(fc.constant(text('A')), fc.jsonValue()), { maxLength: 2 }),
          }),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: ['method'] },
    ),
    fc.string(),
  )
  const lines = fc.sample(anything, { numRuns: 2000, seed: 20_261 })
  const ids = new Set<string>()
  for (const [at, line] of lines.entries()) {
    const id = `n${at}`
    if (typeof line === 'string') ide.write(`${line.replaceAll('\n', ' ')}\n`)
    else {
      ide.write(`${JSON.stringify({ ...line, id })}\n`)
      if ('jsonrpc' in line && line.jsonrpc === '2.0') ids.add(id)
    }
  }
  expect((await ide.ask('session/list', {})).error).toBeUndefined()
  await Promise.all([...ids].map((id) => ide.until((said) => said.id === id)))
  const answers = ide.said.filter(({ id }) => ids.has(id as string))
  expect(answers).toHaveLength(ids.size)
  expect(ide.stage.agentOf(sessionId).status).toBe('idle')
  const last = await ide.ask('session/prompt', { sessionId, prompt: [text('A')] })
  expect(last.result).toEqual({ stopReason: 'end_turn' })
  await end(ide)
})
