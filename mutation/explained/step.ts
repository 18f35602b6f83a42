/**
 * Mutants of a step, its request and its attempts that no test can or need tell from the original; see `mutation/explained.ts`.
 *
 * @module
 */
import { becauseIn, type Explained } from './because.ts'

const because = becauseIn('src/actors')

const ALWAYS_THERE = 'always there by then: only the compiler cannot know'
const FALLS_THROUGH =
  'the machine has no guard for this word: whatever is no other word goes the same way'
const SAVES_WORK = 'it only saves composing the same header again: the texts are compared next'
const ABORT_IS_STRONGER = 'an abort is read from the signal before the end of the step is looked at'

export const EXPLAINED_STEP: readonly Explained[] = [
  ...because(
    'attempt.ts',
    'what goes wrong while a stream is closed is caught and heard by nobody',
    ['iterator?.return === undefined', 'false'],
    ['iterator?.return', 'iterator.return'],
    ['iterator.return?.()', 'iterator.return()'],
  ),
  ...because(
    'commit-desk.ts',
    ALWAYS_THERE,
    ['message === undefined', 'false', 'if (message === undefined) return'],
    ['message === undefined', 'false', 'attempt === undefined || message'],
    ['attempt === undefined', 'false', 'attempt === undefined ||'],
    ['attempt === undefined || message === undefined', 'false'],
    [
      'attempt === undefined || message === undefined',
      'attempt === undefined && message === undefined',
    ],
  ),
  ...because('commit-desk.ts', 'an attempt that ends without a finish has failed', [
    'finish === undefined',
    'false',
  ]),
  ...because('commit-desk.ts', 'of no calls none can be cut', [
    'false',
    'true',
    'new CallBatch(at, [], false)',
  ]),
  ...because('commit-desk.ts', FALLS_THROUGH, ["'fail'", '""'], ["'close'", '""']),
  ...because('composer.ts', 'a step begins by listing its tools', ['[]', '["Stryker was here"]']),
  ...because('composer.ts', 'a request that has failed had a provider', [
    "''",
    '"Stryker was here!"',
  ]),
  ...because(
    'composer.ts',
    SAVES_WORK,
    ['this.base?.header === header', 'false'],
    ['{ header, config }', '{}'],
    ['last?.config === config && last.system === system && last.tools === tools', 'false'],
    ['isNew', 'true', 'if (isNew)'],
  ),
  ...because(
    'composer.ts',
    ALWAYS_THERE,
    ['settings.model?.defaults', 'settings.model.defaults'],
    ['this.core.settings.model?.contextWindow', 'this.core.settings.model.contextWindow'],
    ['next === undefined', 'false'],
    ['fields === undefined', 'false'],
  ),
  ...because('composer.ts', 'never thrown: a request is made behind its header', [
    "'a request needs a recorded header'",
    '""',
  ]),
  ...because(
    'model.port.ts',
    'a declared field is there anyway, and undefined',
    ['failure.status !== undefined', 'true'],
    ['failure.retryAfterMs !== undefined', 'true'],
    ['failure.requestId !== undefined', 'true'],
  ),
  ...because(
    'recovery-desk.ts',
    ALWAYS_THERE,
    ['record.attempt?.failure', 'record.attempt.failure'],
    ['failure === undefined', 'false', 'if (failure === undefined)'],
    ['attempt?.failure === undefined', 'false'],
    ['attempt?.failure', 'attempt.failure', 'if (attempt?.failure'],
  ),
  ...because(
    'recovery-desk.ts',
    ABORT_IS_STRONGER,
    ["{ kind: 'aborted' }", '{}'],
    ["'aborted'", '""'],
    ['this.core.aborted', 'false', 'if (this.core.aborted)'],
  ),
  ...because('recovery-desk.ts', FALLS_THROUGH, ["'end'", '""']),
  ...because('request-config.ts', 'no two keys of an object are the same', ['a < b', 'a <= b']),
  ...because('request-desk.ts', 'the record of no step is never looked at', [
    '{ turn: 0, step: 0 }',
    '{}',
  ]),
  ...because(
    'request-desk.ts',
    'whatever ends a step has ended or left its attempt, which reports its end once: this holds it twice',
    ['{ this.record.attempt?.abandon() this.record.attempt = undefined }', '{}'],
    ['record.attempt === attempt', 'true'],
  ),
  ...because('request-desk.ts', FALLS_THROUGH, ["'fail'", '""'], ["'note'", '""']),
  ...because('request-desk.ts', 'to wait for nothing takes a microtask and changes nothing', [
    'this.wait === undefined',
    'false',
  ]),
  ...because(
    'request-desk.ts',
    ALWAYS_THERE,
    ['model === undefined', 'false', 'if (model === undefined) return'],
    ['this.record.attempt?.abandon', 'this.record.attempt.abandon'],
  ),
  ...because(
    'request-desk.ts',
    'where nobody could ask for another attempt, the question is answered with no',
    ['gates.requestError.length > 0 || retry !== undefined', 'true'],
    ['gates.requestError.length > 0', 'gates.requestError.length >= 0'],
  ),
  ...because(
    'step-desk.ts',
    'a step is open unless it was refused or broke: no other word counts',
    ["'yes'", '""'],
  ),
  ...because('step-desk.ts', 'a step that was suspended is stopped, and takes no further move', [
    'core.activity === activity',
    'true',
    'to.send(make())',
  ]),
  ...because('step-desk.ts', 'the timer is dropped with the state in which it runs', [
    'this.core.activity === activity',
    'true',
  ]),
  ...because(
    'step-desk.ts',
    ABORT_IS_STRONGER,
    ["{ kind: 'aborted' }", '{}'],
    ["'aborted'", '""'],
    ["turn.end.kind !== 'aborted'", 'true'],
  ),
  ...because('step-desk.ts', FALLS_THROUGH, ["'fail'", '""'], ["'ended'", '""']),
]
