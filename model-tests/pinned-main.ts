/**
 * `npm run pin`: writes down what the pinned seeds do now. For a change that is meant to change them.
 *
 * @module
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { lineOf, PINNED, SEEDS } from './pinned-lines.ts'

const before = readFileSync(PINNED, 'utf8').split('\n')
const lines: string[] = []
// eslint-disable-next-line no-await-in-loop -- one after another
for (let seed = 1; seed <= SEEDS; seed += 1) lines.push(await lineOf(seed))
writeFileSync(PINNED, `${lines.join('\n')}\n`)
const changed = lines.filter((line, index) => line !== before[index])
process.stdout.write(`${changed.length} of ${SEEDS} seeds do something else than before\n`)
