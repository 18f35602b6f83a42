/**
 * Whatever `turnwise/testing` exports is told in docs/testing.md.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as testing from '../../src/testing/index.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/testing.md'), 'utf8').replaceAll(/^```[^]*?^```/gm, '')

it('every function and value stands in docs/testing.md, as code', () => {
  const code = [...page.matchAll(/`[^`]+`/g)].join(' ')
  const words = new Set(code.match(/\w+/g))
  expect(Object.keys(testing).filter((name) => !words.has(name))).toEqual([])
})
