/** The scripted model yields exactly what its notation says. */
import { describe, expect, test } from 'vitest'
import type { ModelContext, ModelRequest } from '../../src/actors/model.port.ts'
import type { Chunk } from '../../src/events/chunk.ts'
import { parseScript, ScriptPhraseError } from '../../src/testing/parse-script.ts'
import { script } from '../../src/testing/script.ts'
import { scriptedModel, type ScriptedModel } from '../../src/testing/scripted-model.ts'
import { settle, virtualClock } from '../../src/testing/virtual-clock.ts'

const request: ModelRequest = { provider: 'mock', model: 'mock', tools: [], messages: [] }
const context = (signal = new AbortController().signal): ModelContext => ({
  agent: 'a',
  turn: 1,
  step: 1,
  attempt: 1,
  signal,
})

async function take(model: ScriptedModel, signal?: AbortSignal): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  for await (const chunk of model.stream(request, context(signal))) chunks.push(chunk)
  return chunks
}

const kinds = async (phrase: string): Promise<string[]> =>
  (await take(scriptedModel([phrase]))).map((chunk) =>
    chunk.kind === 'finish' ? `finish ${chunk.reason}` : chunk.kind,
  )

describe('chunks of an entry', () => {
  const text = ['block-start', 'text-delta', 'block-end']
  const call = ['block-start', 'tool-call-delta', 'block-end']
  test.each([
    ['text "x"', [...text, 'usage', 'finish stop']],
    ['call c1 t', [...call, 'usage', 'finish tool-calls']],
    ['text "x" + call c1 t', [...text, ...call, 'usage', 'finish tool-calls']],
    ['text "cut" finishing max-tokens', [...text, 'usage', 'finish max-tokens']],
    ['call c1 t but finish kind stop', [...call, 'usage', 'finish stop']],
    ['call c1 t with arguments ""', ['block-start', 'block-end', 'usage', 'finish tool-calls']],
    ['error SERVER', ['finish error']],
    ['stream "doomed" then error SERVER', [...text, 'finish error']],
    ['finish max-tokens with nothing', ['finish max-tokens']],
    ['finish max-tokens with usage only', ['usage', 'finish max-tokens']],
    ['finish stop with no block and no usage', ['finish stop']],
    ['finish aborted (provider side)', ['finish aborted']],
    ['empty completion', ['usage', 'finish stop']],
    [
      'reasoning "r" + text "x"',
      ['block-start', 'reasoning-delta', 'block-end', ...text, 'usage', 'finish stop'],
    ],
    ["[text('part'), finish(length)]", [...text, 'usage', 'finish max-tokens']],
  ])('%s', async (phrase, expected) => {
    expect(await kinds(phrase)).toEqual(expected)
  })
})

test('a request takes the next entry, repetitions count, and one beyond the script throws', async () => {
  const model = scriptedModel(['text "a" x2', [script.text('b')]])
  await take(model)
  await take(model)
  const last = await take(model)
  expect(last[1]).toEqual({ kind: 'text-delta', block: 0, text: 'b' })
  await expect(take(model)).rejects.toThrow('script exhausted')
  expect(model.requests).toHaveLength(4)
})

test('a stall streams its text, leaves the block open, and ends with the signal', async () => {
  const abort = new AbortController()
  const model = scriptedModel(['hang "partial"'])
  const chunks = take(model, abort.signal)
  await settle()
  expect(model.requests[0]?.stalled).toBe(true)
  abort.abort()
  expect((await chunks).map(({ kind }) => kind)).toEqual(['block-start', 'text-delta'])
})

test('a slow stall notices the abort only after its time on the clock', async () => {
  const abort = new AbortController()
  const clock = virtualClock()
  let over = false
  const chunks = take(scriptedModel(['hang-slow 50 ms'], { clock }), abort.signal).then(() => {
    over = true
  })
  await settle()
  abort.abort()
  await clock.advance(49)
  expect(over).toBe(false)
  await clock.advance(1)
  await chunks
  expect(over).toBe(true)
})

test('a gate holds the first chunk until it is released', async () => {
  const model = scriptedModel(['text "x" (gated g)'])
  const chunks = take(model)
  await settle()
  expect(model.requests[0]?.gated).toBe(true)
  model.release('g')
  expect(await chunks).toHaveLength(5)
})

test('a failure carries what stands behind its code', () => {
  expect(
    parseScript('error RATE_LIMIT "wait" (status 429, retry-after 3 s, request id "r1")').items,
  ).toEqual([
    {
      do: 'fail',
      failure: {
        code: 'RATE_LIMIT',
        message: 'wait',
        status: 429,
        retryAfterMs: 3000,
        requestId: 'r1',
      },
    },
  ])
})

test('a throw is unclassified and keeps its cause', async () => {
  const thrown: unknown = await take(scriptedModel(['throw "outer" caused by "inner"'])).catch(
    (error: unknown) => error,
  )
  expect(thrown).toMatchObject({ message: 'outer', cause: { message: 'inner' } })
  expect(thrown).not.toHaveProperty('code')
})

test('an entry that nobody can read is refused when the model is made, naming the part', () => {
  expect(() => scriptedModel(['text "a" then dance'])).toThrow(ScriptPhraseError)
  expect(() => scriptedModel(['text "a" then dance'])).toThrow('"dance"')
})
