/**
 * Which deltas are joined, and in what words a policy for chunks is refused.
 */
import { describe, expect, it } from 'vitest'
import { ChunkSieve, resolveChunks } from '../../src/actors/chunk-sieve.ts'
import type { Chunk } from '../../src/events/chunk.ts'

const COUNT = 'a positive whole number'

it.each([
  ['some', 'chunks', 'each, coalesce or live', '"some"'],
  [{ policy: 'some' }, 'chunks', 'each, coalesce or live', '"some"'],
  [{ policy: 'coalesce', everyMs: 0 }, 'chunks.everyMs', COUNT, '0'],
  [{ policy: 'coalesce', maxChars: 1.5 }, 'chunks.maxChars', COUNT, '1.5'],
])('%o is refused: %s should be %s, found %s', (given, name, expected, found) => {
  expect(() => resolveChunks(given as never)).toThrow(
    expect.objectContaining({
      code: 'INVALID_OPTION',
      summary: `option ${name} should be ${expected}, found ${found}; no agent was created.`,
    }),
  )
})

const delta = (kind: 'text-delta' | 'reasoning-delta', block: number, text: string) =>
  ({ kind, block, text }) as const

/** No time passes. */
const never = (): (() => void) => () => {}

describe('joined', () => {
  const [a, b] = [delta('text-delta', 0, 'a'), delta('text-delta', 0, 'b')]

  it.each<[string, Chunk[], Chunk[]]>([
    ['are deltas of one block', [a, b], [delta('text-delta', 0, 'ab')]],
    [
      'are no deltas of two blocks',
      [a, delta('text-delta', 1, 'c'), b],
      [a, delta('text-delta', 1, 'c'), b],
    ],
    [
      'are no deltas of two kinds',
      [a, delta('reasoning-delta', 0, 'c'), b],
      [a, delta('reasoning-delta', 0, 'c'), b],
    ],
    [
      'are no deltas with something between them',
      [a, { kind: 'block-end', block: 1 }, b],
      [a, { kind: 'block-end', block: 1 }, b],
    ],
  ])('%s', (_, chunks, kept) => {
    const seen: Chunk[] = []
    const sieve = new ChunkSieve(resolveChunks('coalesce'), (chunk) => seen.push(chunk), never)
    for (const chunk of chunks) sieve.take(chunk)
    sieve.flush()
    expect(seen).toStrictEqual(kept)
  })
})
