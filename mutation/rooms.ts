/**
 * The rooms that are tried by mutation, each small enough to be done within an hour on two cores: which files are changed,
 * and which of the fast tests must notice.
 *
 * @module
 */

export interface Room {
  /** Globs of the files that are mutated; a leading `!` takes files out again. */
  readonly files: readonly string[]
  /** Globs of the tests that may kill a mutant; a leading `!` takes files out again. */
  readonly tests: readonly string[]
}

const ACTORS = 'test/actors/**/*.test.ts'
const SEEDS = 'model-tests/pinned.test.ts'
/** What runs whole agents: the pinned seeds and the scenarios, without those that are seeds again. */
const WHOLE = [
  SEEDS,
  'test/scenarios/*.test.ts',
  '!test/scenarios/fates.test.ts',
  '!test/scenarios/properties.test.ts',
  '!test/scenarios/prose.test.ts',
]

const TABLE = 'src/actors/table*.ts'
const CALLS = [
  'src/actors/approvals.ts',
  'src/actors/call*.ts',
  'src/actors/repeat-guard.ts',
  'src/actors/synthetic.ts',
  'src/actors/tool*.ts',
]
const STEP = [
  'src/actors/attempt*.ts',
  'src/actors/back-off.ts',
  'src/actors/chunk-sieve.ts',
  'src/actors/commit-desk.ts',
  'src/actors/compaction.ts',
  'src/actors/composer.ts',
  'src/actors/failures.ts',
  'src/actors/model.port.ts',
  'src/actors/recovery-desk.ts',
  'src/actors/request*.ts',
  'src/actors/retry-policy.ts',
  'src/actors/step-desk.ts',
  'src/actors/streamed-blocks.ts',
]
const TURN = [
  'src/actors/admission.ts',
  'src/actors/assembly.ts',
  'src/actors/budgets.ts',
  'src/actors/closing-desk.ts',
  'src/actors/continuation-desk.ts',
  'src/actors/restoring.ts',
  'src/actors/turn*.ts',
  'src/actors/waterfall.ts',
]

const not = (globs: readonly string[]): readonly string[] => globs.map((glob) => `!${glob}`)

/** Every room by its name, as `npm run mutate -- ROOM` takes it. */
export const ROOMS: Readonly<Record<string, Room>> = {
  machines: { files: ['src/machines/**/*.ts'], tests: ['test/machines/**/*.test.ts', ...WHOLE] },
  projections: {
    files: ['src/projections/**/*.ts'],
    tests: ['test/projections/**/*.test.ts', SEEDS],
  },
  events: {
    files: ['src/events/**/*.ts'],
    tests: ['test/events/**/*.test.ts', SEEDS],
  },
  'actors-table': { files: [TABLE], tests: ['test/actors/table*.test.ts', SEEDS] },
  'actors-calls': { files: CALLS, tests: [ACTORS, ...WHOLE] },
  'actors-step': { files: STEP, tests: [ACTORS, ...WHOLE] },
  'actors-turn': { files: TURN, tests: [ACTORS, ...WHOLE] },
  'actors-agent': {
    files: ['src/actors/**/*.ts', ...not([TABLE, ...CALLS, ...STEP, ...TURN])],
    tests: [ACTORS, ...WHOLE],
  },
}
