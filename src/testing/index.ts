/**
 * What users test their agents with: scripted models, a clock of their own, scenarios, and the printed log.
 *
 * Nothing here needs a test runner.
 *
 * @module
 */
export {
  checkInvariants,
  type Invariant,
  type RunRecord,
  type Violation,
} from './check-invariants.ts'
export { checkRun } from './check-run.ts'
export { type Diagnosis, examineFile, examineLog, type Finding } from './doctor.ts'
export { explore } from './explore/explore.ts'
export type {
  Answers,
  Breach,
  Budgets,
  CommandName,
  Counterexample,
  DecideOptions,
  Exploration,
  ExploredRun,
  ExploreLimits,
  ExploreOptions,
  Hands,
  Issued,
  ModelWord,
  Move as ExploredMove,
  OwnCommand,
  Progress,
} from './explore/options.ts'
export { replay, type Replayed } from './explore/replay.ts'
export { Latches } from './latches.ts'
export { chartOf } from './lifecycle/chart-of.ts'
export { printCounterexample, printPathTest, type TestPlace } from './lifecycle/counterexample.ts'
export {
  type Describe,
  describePaths,
  type DescribePathsOptions,
  type MakeTest,
  PathError,
} from './lifecycle/describe-paths.ts'
export { extendModel, type Extension, type OwnState } from './lifecycle/extend-model.ts'
export type { Facts, OpenTurn, PendingCall, Phase } from './lifecycle/facts.ts'
export { lifecycleModel } from './lifecycle/lifecycle-model.ts'
export { lifecycle } from './lifecycle/lifecycle.ts'
export type {
  Branch,
  Check,
  LifecycleModel,
  ModelState,
  Move,
  Way,
  Ways,
} from './lifecycle/model.ts'
export { type Path, pathsOf, type PathsOptions } from './lifecycle/paths.ts'
export type { Change, Condition, Counts, Remembered } from './lifecycle/remembered.ts'
export {
  type Disagreement,
  type MoveMade,
  type PathRun,
  runPath,
  type RunPathOptions,
} from './lifecycle/run-path.ts'
export type { Seen, Stage, StageOptions } from './lifecycle/stage.ts'
export type { LifecycleEvent, LifecycleState } from './lifecycle/words.ts'
export {
  type CutAt,
  type Damage,
  type LogCase,
  logContract,
  type LogSubject,
  type SmallDisk,
} from './log-contract.ts'
export { parseScript, ScriptPhraseError } from './parse-script.ts'
export {
  EventPrinter,
  printContent,
  printEvent,
  printLog,
  printOutcome,
  printReason,
} from './print-event.ts'
export { parseLog } from './parse-log.ts'
export { play, type Played } from './play.ts'
export { printRequest } from './print-request.ts'
export { runScenario, type ScenarioOptions } from './scenario/run-scenario.ts'
export type { PrintedInbox, Scenario, ScenarioResult } from './scenario/scenario.ts'
export { script, type ScriptEntry, type ScriptItem } from './script.ts'
export {
  scriptedModel,
  type RecordedRequest,
  type ScriptedModel,
  type ScriptedModelOptions,
} from './scripted-model.ts'
export { macrotask, settle, virtualClock, type VirtualClock } from './virtual-clock.ts'
