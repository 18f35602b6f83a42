/**
 * The words a step can go on with.
 *
 * @module
 */

/** On the way to a request. `broken`: the step is open and cannot go on; `refused`: it never opened. */
export type ComposeNext = 'ask' | 'header' | 'secure' | 'stream' | 'fail' | 'refused'
/** How an attempt ended. */
export type AttemptNext = 'transform' | 'commit' | 'recover' | 'note' | 'end'
/** After `request/failed`. */
export type RetryNext = 'back-off' | 'end'
/** After `assistant/message`. */
export type CommitNext = 'close' | 'answer' | 'calls'
/** The next move of the calls of a step. */
export type CallNext = 'announce' | 'account' | 'record' | 'answer' | 'withdraw' | 'wait' | 'done'
/** After `tool/call`, on the way to the body. `known`: its outcome is known without a body. */
export type AdmitNext = 'ask' | 'question' | 'wait' | 'secure' | 'start' | 'known'
/** After `step/end`. */
export type StepClosedNext = 'retry' | 'ended'
