/**
 * Tells what an agent did that its model does not say: step by step with what each move recorded, and as a test.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import { EventPrinter } from '../print-event.ts'
import type { Counts } from './remembered.ts'
import type { Disagreement, PathRun } from './run-path.ts'

/** Where a test finds the model it needs. */
export interface TestPlace {
  /** What is imported, such as `turnwise/testing` or `./policy.model.ts`. */
  readonly from: string
  /** The name under which it is exported; default: the default export. */
  readonly name?: string
  /** Bounds that are not those of the model. */
  readonly most?: Counts
}

/**
 * The moves of a run with the states that the model leads to, the lines that each added to the log, and what was expected
 * instead of what was found.
 *
 * @returns lines; for a run without disagreement its moves alone.
 */
export function printCounterexample({ moves, log, disagreements }: PathRun): string[] {
  const printer = new EventPrinter()
  const lines: string[] = []
  let printed = 0
  const grow = (until: number): void => {
    for (const event of log.slice(printed, until)) lines.push(...grown(event, printer))
    printed = Math.max(printed, until)
  }
  for (const [i, { move, state, length }] of moves.entries()) {
    lines.push(`${`${i + 1}`.padStart(3)}. ${move} -> ${state}`)
    grow(length)
  }
  if (printed < log.length) {
    lines.push('  at the end')
    grow(log.length)
  }
  return [...lines, ...disagreements.flatMap(differences)]
}

const grown = (event: StoredEvent, printer: EventPrinter): string[] =>
  printer.lines(event).map((line) => `     + ${line}`)

const ABOUT: Readonly<Record<Disagreement['kind'], string>> = {
  answer: 'The move was answered otherwise',
  standing: 'The log puts the agent elsewhere',
  status: 'Other statuses were announced',
  run: 'The run breaks a rule',
  check: 'A check of the model failed',
}

function differences({ kind, expected, found }: Disagreement): string[] {
  if (expected === undefined) return [`${ABOUT[kind]}: ${found}`]
  return [
    `${ABOUT[kind]}:`,
    `  - ${expected || '(nothing)'}  [model]`,
    `  + ${found || '(nothing)'}  [agent]`,
  ]
}

/** The path as a test that runs under `node --test` as it stands. */
export function printPathTest(
  moves: readonly string[],
  title: string,
  { from, name, most }: TestPlace = { from: 'turnwise/testing', name: 'lifecycleModel' },
): string {
  const isOwn = from !== 'turnwise/testing'
  const known = name ?? 'model'
  const named = [
    ...(isOwn ? [] : [known]),
    ...(most === undefined ? [] : ['extendModel']),
    'runPath',
  ]
  const lines = [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    `import { ${named.toSorted().join(', ')} } from 'turnwise/testing'`,
    ...(isOwn ? [`import ${name === undefined ? known : `{ ${name} }`} from ${quoted(from)}`] : []),
    '',
    `test(${quoted(title)}, async () => {`,
    `  const { disagreements } = await runPath(${bounded(known, most)}, [`,
    ...moves.map((move) => `    ${quoted(move)},`),
    '  ])',
    '  assert.deepEqual(disagreements, [])',
    '})',
  ]
  return `${lines.join('\n')}\n`
}

const quoted = (text: string): string => JSON.stringify(text)

const bounded = (model: string, most: Counts | undefined): string =>
  most === undefined
    ? model
    : `extendModel(${model}, { remembers: { most: ${JSON.stringify(most)} } })`
