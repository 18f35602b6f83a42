/**
 * `turnwise paths`: lists the paths of a lifecycle model, or drives a real agent along them.
 *
 * @module
 */
import { performance } from 'node:perf_hooks'
import { printCounterexample, printPathTest } from '../testing/lifecycle/counterexample.ts'
import type { TestPlace } from '../testing/lifecycle/counterexample.ts'
import { lifecycleModel } from '../testing/lifecycle/lifecycle-model.ts'
import { type Path, pathsOf } from '../testing/lifecycle/paths.ts'
import { type PathRun, runPath } from '../testing/lifecycle/run-path.ts'
import { printable } from './live/printable.ts'
import { type AnyModel, loadModel } from './model-file.ts'
import { amount, plural } from './offline/words.ts'
import type { PathsAsked } from './paths-arguments.ts'
import { PathsProgress } from './paths-progress.ts'
import { StopRequests } from './stop-requests.ts'
import type { Surroundings } from './surroundings.ts'
import { EXIT } from './usage.ts'
import type { ExitCode } from './usage.ts'

/** What a walk has come to. */
interface Walked {
  readonly ran: number
  readonly agreed: number
  readonly seconds: number
  readonly first?: { readonly path: Path; readonly run: PathRun }
}

/** Lists or walks the paths. @throws SetupFault, TurnwiseError INVALID_OPTION where there is no sound model */
export async function pathsCommand(asked: PathsAsked, at: Surroundings): Promise<ExitCode> {
  const model = bounded(await modelOf(asked, at.cwd), asked)
  const paths = pathsOf(model, {
    ...(asked.only.length > 0 && { only: asked.only }),
    ...(asked.limit !== undefined && { limit: asked.limit }),
  })
  const stop = new StopRequests(at)
  try {
    const code = asked.list ? list(paths, asked, at) : await report(model, paths, asked, at, stop)
    // Only when all is written it is known whether somebody reads it.
    await stop.end()
    return stop.exitCode ?? code
  } finally {
    await stop.end()
  }
}

/** Walks the paths and tells what came of it. */
async function report(
  model: AnyModel,
  paths: readonly Path[],
  asked: PathsAsked,
  at: Surroundings,
  stop: StopRequests,
): Promise<ExitCode> {
  if (!asked.json) at.stdout.write(`${model.name}: ${sizeOf(paths)}\n`)
  const walked = await walk(model, paths, asked, at, stop)
  const tell = asked.json ? jsonOf : textOf
  at.stdout.write(`${printable(tell(model, paths, walked, placeOf(asked)))}\n`)
  return walked.first === undefined ? EXIT.ok : EXIT.failed
}

const modelOf = ({ model }: PathsAsked, cwd: string): Promise<AnyModel> =>
  // What the built-in model asks of its own states and moves, it asks of those alone.
  model === undefined
    ? Promise.resolve(lifecycleModel as unknown as AnyModel)
    : loadModel(model, cwd)

const bounded = (model: AnyModel, { most }: PathsAsked): AnyModel =>
  most === undefined ? model : { ...model, remembers: { ...model.remembers, most } }

function list(paths: readonly Path[], { json }: PathsAsked, { stdout }: Surroundings): ExitCode {
  for (const path of paths) {
    const line = json ? JSON.stringify(path) : `${path.from} -> ${path.to}: ${waysOf(path)}`
    stdout.write(`${line}\n`)
  }
  return EXIT.ok
}

const waysOf = ({ moves }: Path): string => moves.join(' > ')

function sizeOf(paths: readonly Path[]): string {
  const states = new Set(paths.flatMap(({ from, to }) => [from, to])).size
  const longest = paths.reduce((most, { moves }) => Math.max(most, moves.length), 0)
  return `${plural(paths.length, 'path')} between ${plural(states, 'state')}, the longest of ${plural(longest, 'move')}`
}

async function walk(
  model: AnyModel,
  paths: readonly Path[],
  { all }: PathsAsked,
  at: Surroundings,
  stop: StopRequests,
): Promise<Walked> {
  const started = performance.now()
  const progress = new PathsProgress(at, paths.length)
  let ran = 0
  let agreed = 0
  let first: Walked['first']
  try {
    for (const path of paths) {
      if (stop.exitCode !== undefined || (first !== undefined && !all)) break
      // eslint-disable-next-line no-await-in-loop -- one at a time, so that a rejection has one path it can belong to
      const run = await runPath(model, path)
      ran += 1
      if (run.ok) agreed += 1
      else first ??= { path, run }
      progress.step()
    }
  } finally {
    progress.end()
  }
  const seconds = Math.round((performance.now() - started) / 100) / 10
  return { ran, agreed, seconds, ...(first !== undefined && { first }) }
}

/** Where a test finds the model. */
const placeOf = ({ model, most }: PathsAsked): TestPlace => ({
  ...(model === undefined
    ? { from: 'turnwise/testing', name: 'lifecycleModel' }
    : { from: /^\.{0,2}\//.test(model) ? model : `./${model}` }),
  ...(most !== undefined && { most }),
})

const testOf = (model: AnyModel, path: Path, place: TestPlace): string =>
  printPathTest(path.moves, `${model.name}: ${waysOf(path)}`, place)

function textOf(
  model: AnyModel,
  paths: readonly Path[],
  { ran, agreed, seconds, first }: Walked,
  place: TestPlace,
): string {
  const off = ran - agreed
  const rest = ran < paths.length ? `, ${amount(paths.length - ran)} were not run` : ''
  const sum = `${plural(ran, 'path')} run, ${off === 0 ? 'the agent did what the model says' : plural(off, 'counterexample')}${rest} (${seconds} s)`
  if (first === undefined) return sum
  const told = printCounterexample(first.run).join('\n')
  return `${sum}\n\nCounterexample: ${waysOf(first.path)}\n${told}\n\nAs a test:\n\n${testOf(model, first.path, place)}`
}

function jsonOf(
  model: AnyModel,
  paths: readonly Path[],
  { ran, agreed, seconds, first }: Walked,
  place: TestPlace,
): string {
  const counterexample =
    first === undefined
      ? null
      : {
          ...first.path,
          disagreements: first.run.disagreements,
          told: printCounterexample(first.run),
          test: testOf(model, first.path, place),
        }
  const { name } = model
  return JSON.stringify({ model: name, paths: paths.length, ran, agreed, seconds, counterexample })
}
