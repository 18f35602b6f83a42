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

const SEEDS = 'model-tests/pinned.test.ts'
/** What tells who waits for what, from the log. */
const ACCOUNT = 'test/inspect/account/*.test.ts'
/** What runs whole agents; without what is slow, since a mutant that nothing notices meets every test. */
const AGENTS = [
  'test/actors/**/*.test.ts',
  '!test/actors/table*.test.ts',
  SEEDS,
  'model-tests/fuzz-regressions*.test.ts',
  'test/scenarios/*.test.ts',
  '!test/scenarios/fates.test.ts',
  '!test/scenarios/properties.test.ts',
  '!test/scenarios/prose.test.ts',
  'test/field-cases.test.ts',
  'test/adapters/define-tool.test.ts',
  ACCOUNT,
  'test/sessions/**/*.test.ts',
  // They compare files with what they say, and the copy that is changed has other files.
  '!test/sessions/**/*-docs.test.ts',
  '!test/sessions/**/*-examples.test.ts',
  '!test/sessions/old-logs.test.ts',
  '!test/sessions/children/child-starts.test.ts',
  '!test/sessions/goals/goal-moments.test.ts',
  '!test/sessions/host/lost-and-told.test.ts',
  '!test/sessions/repair.test.ts',
  '!test/sessions/snapshot.test.ts',
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
  machines: {
    files: ['src/machines/**/*.ts'],
    tests: ['test/machines/**/*.test.ts', SEEDS, 'test/scenarios/*.test.ts'],
  },
  projections: {
    files: ['src/projections/**/*.ts'],
    tests: [
      'test/projections/**/*.test.ts',
      'test/sessions/children/*.test.ts',
      'test/sessions/goals/*.test.ts',
      '!test/sessions/children/child-starts.test.ts',
      '!test/sessions/goals/goal-moments.test.ts',
      SEEDS,
      ACCOUNT,
    ],
  },
  events: {
    files: ['src/events/**/*.ts'],
    tests: ['test/events/**/*.test.ts', SEEDS],
  },
  'actors-table': { files: [TABLE], tests: ['test/actors/table*.test.ts', SEEDS] },
  'actors-calls': { files: CALLS, tests: AGENTS },
  'actors-step': { files: STEP, tests: AGENTS },
  'actors-turn': { files: TURN, tests: AGENTS },
  'actors-agent': {
    files: ['src/actors/**/*.ts', ...not([TABLE, ...CALLS, ...STEP, ...TURN])],
    tests: AGENTS,
  },
}
