/**
 * A breach, printed: as a test that can be pasted and run, and as a sequence diagram.
 *
 * @module
 */
import type { Breach, Counterexample, ExploreLimits, Move } from './options.ts'
import type { Plan } from './plan.ts'
import { printSequence } from './print-sequence.ts'
import type { Traced } from './traced.ts'
import { perform } from './perform.ts'
import { World } from './world.ts'

type Source = ExploreLimits['source']

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** A value as it stands in a program. */
function printValue(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${name}: ${printValue(member)}`)
    .join(', ')} }`
}

/** How the test comes to the options. */
function printSource(source: Source): string[] {
  if (source !== undefined) return [`import { ${source.name} } from ${quoted(source.from)}`]
  return ['', '// The options that were given to explore().', 'const options = {}']
}

/** The moves as a test for `node --test`. */
export function printTest(
  moves: readonly Move[],
  breaches: readonly Breach[],
  source: Source,
): string {
  const [first] = breaches
  const name = first === undefined ? 'holds' : `${first.rule}: ${first.message}`
  return [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    "import { replay } from 'turnwise/testing'",
    ...printSource(source),
    '',
    `test(${quoted(name)}, async () => {`,
    `  const { breaches } = await replay(${source?.name ?? 'options'}, [`,
    ...moves.map((move) => `    ${printValue(move)},`),
    '  ])',
    '  assert.deepEqual(breaches, [])',
    '})',
    '',
  ].join('\n')
}

/** Makes the moves once more, and writes down what happens. */
export async function counterexampleOf(
  plan: Plan,
  moves: readonly Move[],
  breaches: readonly Breach[],
  source: Source,
): Promise<Counterexample> {
  const traced: Traced[] = []
  const world = new World(plan)
  world.trace = (what) => void traced.push(what)
  for (const move of moves) await perform(world, move, false)
  return {
    moves,
    breaches,
    test: printTest(moves, breaches, source),
    diagram: printSequence(traced, breaches),
  }
}
