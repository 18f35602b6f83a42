/**
 * The examples about models and tools run, and the documents quote them word for word.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

describe.each(['docs/models.md', 'docs/tools.md', 'docs/approvals.md', 'docs/runs.md'])(
  '%s',
  (page) => {
    const quoted = [...read(page).matchAll(/```ts\n\/\/ (examples\/\S+)\n([\s\S]*?)```/g)]
    it.each(quoted.map(([, file = '', code = '']) => ({ file, code })))(
      'quotes $file',
      ({ file, code }) => {
        expect(code).toBe(read(file))
      },
    )
    it('quotes an example', () => {
      expect(quoted.length).toBeGreaterThan(0)
    })
  },
)

describe('examples', () => {
  it.each([
    { file: 'examples/custom-model.ts', printed: ['These are 6 words.'] },
    { file: 'examples/runs.ts', printed: ['Ghent', 21, 2] },
    {
      file: 'examples/tools.ts',
      printed: [
        'completed',
        'Rest more.',
        [
          'user:I am tired, change my plan.',
          'assistant:call c1',
          'tool-result c1 ok',
          'user<tool>:There are 1 notes.',
        ],
      ],
    },
  ])('$file prints what it says', async ({ file, printed }) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    await import(join(ROOT, file))
    expect(log.mock.calls).toContainEqual(printed)
    log.mockRestore()
  })
})
