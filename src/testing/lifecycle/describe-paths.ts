/**
 * Makes tests of the paths of a model, under whatever test runner there is. None is imported.
 *
 * @module
 */
import { TurnwiseError } from '../../errors.ts'
import { printCounterexample, printPathTest } from './counterexample.ts'
import type { LifecycleModel } from './model.ts'
import { type Path, pathsOf, type PathsOptions } from './paths.ts'
import type { Remembered } from './remembered.ts'
import { type PathRun, runPath, type RunPathOptions } from './run-path.ts'

/** Groups tests, as `describe` of vitest, Jest, Mocha and `node:test` does. */
export type Describe = (name: string, body: () => void) => unknown
/** Makes a test, as `test` or `it` of vitest, Jest, Mocha and `node:test` does. */
export type MakeTest = (name: string, body: () => Promise<void>) => unknown

export interface DescribePathsOptions<State extends string = string, Event extends string = string>
  extends RunPathOptions, PathsOptions<State, Event> {
  /** Default: the global of this name. */
  readonly describe?: Describe
  /** Default: the global of this name, or `it`. */
  readonly test?: MakeTest
}

/** Thrown by a test of a path: the agent did not do what the model says. */
export class PathError extends Error {
  override readonly name = 'PathError'
  readonly run: PathRun

  constructor(path: Path, title: string, run: PathRun) {
    const told = printCounterexample(run).join('\n')
    super(`the agent left its model\n${told}\n\n${printPathTest(path.moves, title)}`)
    this.run = run
  }
}

/**
 * Makes one test for each move in each state: it walks every path that ends so.
 *
 * @throws TurnwiseError INVALID_OPTION where no test runner is found, or no path is left to walk; as `pathsOf`.
 */
export function describePaths<
  State extends string,
  Event extends string,
  Memory extends Remembered,
>(
  model: LifecycleModel<State, Event, Memory>,
  options: DescribePathsOptions<NoInfer<State>, NoInfer<Event>> = {},
): void {
  const { describe, test } = runnerOf(options)
  const paths = pathsOf(model, options)
  if (paths.length === 0) throw nothingLeft(model.name)
  for (const [state, ofState] of groups(paths, ({ from }) => from)) {
    describe(`${model.name}: ${state}`, () => {
      for (const [move, ofMove] of groups(ofState, ({ moves }) => moves.at(-1) ?? '')) {
        test(move, () => walkAll(model, ofMove, options))
      }
    })
  }
}

async function walkAll<State extends string, Event extends string, Memory extends Remembered>(
  model: LifecycleModel<State, Event, Memory>,
  paths: readonly Path<State, Event>[],
  options: RunPathOptions,
): Promise<void> {
  for (const path of paths) {
    // eslint-disable-next-line no-await-in-loop -- one at a time, so that a rejection has one path it can belong to
    const run = await runPath(model, path, options)
    if (!run.ok) throw new PathError(path, `${model.name}: ${path.moves.join(' > ')}`, run)
  }
}

function groups<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const item of items) {
    const group = found.get(nameOf(item))
    if (group === undefined) found.set(nameOf(item), [item])
    else group.push(item)
  }
  return found
}

function runnerOf({ describe, test }: DescribePathsOptions): {
  readonly describe: Describe
  readonly test: MakeTest
} {
  const there = globalThis as { describe?: Describe; test?: MakeTest; it?: MakeTest }
  const runner = { describe: describe ?? there.describe, test: test ?? there.test ?? there.it }
  if (typeof runner.describe === 'function' && typeof runner.test === 'function') {
    return runner as { describe: Describe; test: MakeTest }
  }
  throw new TurnwiseError(
    'INVALID_OPTION',
    'expected `describe` and `test` as globals or as options, found neither; no test was made. Pass those of your test runner: describePaths(model, { describe, test }).',
  )
}

const nothingLeft = (name: string): TurnwiseError =>
  new TurnwiseError(
    'INVALID_OPTION',
    `expected paths of the model "${name}", found none that "only" leaves; no test was made. Correct the names in "only".`,
  )
