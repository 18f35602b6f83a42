/**
 * A test runner for Stryker that keeps everything loaded: the fast tiers run in one process, the tests that found most in
 * the least time first, and a mutant costs what its tests cost. Vitest, which loads the files of each test anew, takes
 * seconds where this takes hundredths.
 *
 * It is severe with itself: a mutant counts as killed only if the same test passes again without it.
 *
 * @module
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  INSTRUMENTER_CONSTANTS,
  type InstrumenterContext,
  type MutantCoverage,
} from '@stryker-mutator/api/core'
import { PluginKind, declareClassPlugin } from '@stryker-mutator/api/plugin'
import {
  DryRunStatus,
  MutantRunStatus,
  TestStatus,
  type DryRunResult,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
} from '@stryker-mutator/api/test-runner'
import { ROOMS } from '../rooms.ts'
import { UNKNOWN, patienceOf, ranked, type Known } from './known.ts'
import { hookModules, loadInto } from './modules.ts'
import { globSync } from './node-24.ts'
import { listenForStrays, runTest } from './run-test.ts'
import { collect, type Test } from './suite.ts'

/** The world that is loaded without a mutant. */
const CLEAN = 0
/** One that is loaded without a mutant too, for the tests in reverse order. */
const REVERSED = 1
/** How long tests are run on a mutant, in ms; what none of them has noticed by then counts as not noticed. */
const ENOUGH = 8000
/** Mutants between two notes of what is known of the tests. */
const NOTED_EVERY = 50

/** What the changed code asks which of its changes holds. */
const context: InstrumenterContext = {}
Object.assign(globalThis, { [INSTRUMENTER_CONSTANTS.NAMESPACE]: context })

/** How often a mutant may run: one that runs for ever throws then. */
function limitHits(limit: number | undefined): void {
  context.hitCount = 0
  if (limit === undefined) delete context.hitLimit
  else context.hitLimit = limit
}

const isOverLimit = (): boolean => (context.hitCount ?? 0) > (context.hitLimit ?? Infinity)

class RoomRunner implements TestRunner {
  readonly #root = process.cwd()
  readonly #known = new Map<string, Known>()
  readonly #worlds = new Map<number, Map<string, readonly Test[]>>()
  /** Where what is known of the tests is kept for the processes that come after this one. */
  readonly #notes: string
  #lastWorld = REVERSED
  #tried = 0

  constructor() {
    const room = process.env['TURNWISE_ROOM'] ?? ''
    this.#notes = join(import.meta.dirname, `../last/${room}-tests.json`)
  }

  capabilities(): { reloadEnvironment: boolean } {
    return { reloadEnvironment: true }
  }

  init(): Promise<void> {
    hookModules(this.#root)
    listenForStrays()
    return Promise.resolve()
  }

  /**
   * Runs every test, and then again the last one first, in a world of its own: what passes only behind others would fail
   * alone, whatever the mutant, and is left out.
   */
  async dryRun(): Promise<DryRunResult> {
    const mutantCoverage: MutantCoverage = { static: {}, perTest: {} }
    context.mutantCoverage = mutantCoverage
    await this.#look()
    const tests: TestResult[] = []
    // eslint-disable-next-line no-await-in-loop -- one after another
    for (const known of this.#known.values()) tests.push(await this.#runDry(known))
    context.currentTestId = 'reversed'
    // eslint-disable-next-line no-await-in-loop -- one after another
    for (const test of tests.toReversed()) await this.#runAgain(test)
    delete mutantCoverage.perTest['reversed']
    delete context.currentTestId
    this.#note()
    return { status: DryRunStatus.Complete, tests, mutantCoverage }
  }

  async #runDry(known: Known): Promise<TestResult> {
    const { id, name, file } = known
    context.currentTestId = id
    const verdict = await this.#run(CLEAN, known, UNKNOWN)
    const of = { id, name, fileName: join(this.#root, file), timeSpentMs: known.ms }
    if (verdict.type === 'passed') return { ...of, status: TestStatus.Success }
    return {
      ...of,
      status: TestStatus.Failed,
      failureMessage: verdict.type === 'hung' ? 'never ended' : verdict.why,
    }
  }

  /** The time of both runs is the test's: what is left is the time that Stryker grants each mutant on top. */
  async #runAgain(test: TestResult): Promise<void> {
    const known = this.#known.get(test.id)
    if (known === undefined || test.status === TestStatus.Failed) return
    const began = performance.now()
    const verdict = await this.#run(REVERSED, known, UNKNOWN)
    test.timeSpentMs += performance.now() - began
    if (verdict.type === 'passed') return
    test.status = TestStatus.Skipped
    this.#known.delete(known.id)
  }

  async mutantRun({
    testFilter,
    activeMutant,
    hitLimit,
    reloadEnvironment,
  }: MutantRunOptions): Promise<MutantRunResult> {
    if (this.#known.size === 0) this.#recall()
    if ((this.#tried += 1) % NOTED_EVERY === 0) this.#note()
    const world = reloadEnvironment ? (this.#lastWorld += 1) : CLEAN
    limitHits(hitLimit)
    try {
      return await this.#try(activeMutant.id, world, ranked(this.#chosen(testFilter)))
    } finally {
      delete context.activeMutant
      if (world !== CLEAN) this.#worlds.delete(world)
    }
  }

  /** Runs tests until one fails, or it is enough. */
  async #try(mutant: string, world: number, tests: readonly Known[]): Promise<MutantRunResult> {
    const end = performance.now() + ENOUGH
    for (const [at, known] of tests.entries()) {
      if (performance.now() > end) break
      context.activeMutant = mutant
      // eslint-disable-next-line no-await-in-loop -- the first that fails decides
      const verdict = await this.#run(world, known, patienceOf(known))
      if (verdict.type === 'passed') continue
      if (isOverLimit()) return { status: MutantRunStatus.Timeout }
      // eslint-disable-next-line no-await-in-loop -- decides as well
      await this.#reassure(known)
      known.kills += 1
      if (verdict.type === 'hung') return { status: MutantRunStatus.Timeout }
      return {
        status: MutantRunStatus.Killed,
        killedBy: [known.id],
        failureMessage: verdict.why,
        nrOfTests: at + 1,
      }
    }
    return { status: MutantRunStatus.Survived, nrOfTests: tests.length }
  }

  /** The tests in question, or all. */
  #chosen(ids: readonly string[] = [...this.#known.keys()]): readonly Known[] {
    return ids.map((id) => this.#known.get(id)).filter((known) => known !== undefined)
  }

  /** @throws if a test fails that no mutant touches: then the mutant is tried again in a new process */
  async #reassure(known: Known): Promise<void> {
    delete context.activeMutant
    const verdict = await this.#run(CLEAN, known, patienceOf(known))
    if (verdict.type !== 'passed')
      throw new Error(`${known.id} fails without a mutant too: ${JSON.stringify(verdict)}`)
  }

  /** Looks which tests there are. */
  async #look(): Promise<void> {
    for (const file of this.#files())
      // eslint-disable-next-line no-await-in-loop -- a file writes down its tests in the one list
      for (const [index, { name }] of (await this.#testsOf(CLEAN, file)).entries()) {
        const id = `${file}#${index} ${name}`
        this.#known.set(id, { id, file, index, name, ms: 0, runs: 0, kills: 0 })
      }
  }

  #files(): readonly string[] {
    const globs = ROOMS[process.env['TURNWISE_ROOM'] ?? '']?.tests ?? []
    const taken = globs.filter((glob) => !glob.startsWith('!'))
    const exclude = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1))
    return globSync(taken, { cwd: this.#root, exclude }).toSorted()
  }

  #note(): void {
    writeFileSync(this.#notes, JSON.stringify([...this.#known.values()]))
  }

  /** A process that comes later loads only what it needs. */
  #recall(): void {
    for (const known of JSON.parse(readFileSync(this.#notes, 'utf8')) as readonly Known[])
      this.#known.set(known.id, known)
  }

  async #run(world: number, known: Known, patience: number): ReturnType<typeof runTest> {
    known.runs += 1
    let test: Test | undefined
    try {
      test = (await this.#testsOf(world, known.file))[known.index]
    } catch (error) {
      return { type: 'failed', why: `not loaded: ${String(error)}` }
    }
    if (test?.name !== known.name) return { type: 'failed', why: 'the test is not there' }
    const verdict = await runTest(test, patience)
    if (verdict.type === 'passed' && world === CLEAN) known.ms = Math.max(known.ms, verdict.ms)
    return verdict
  }

  async #testsOf(world: number, file: string): Promise<readonly Test[]> {
    let loaded = this.#worlds.get(world)
    if (loaded === undefined) this.#worlds.set(world, (loaded = new Map()))
    const known = loaded.get(file)
    if (known !== undefined) return known
    const tests = await collect(() => loadInto(world, join(this.#root, file)))
    loaded.set(file, tests)
    return tests
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'room', RoomRunner)]
