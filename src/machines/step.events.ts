/**
 * What the step machine is told: commands of the turn, signals of what it started, its own gates with their words.
 *
 * @module
 */
import type {
  AdmitNext,
  AttemptNext,
  CallNext,
  CommitNext,
  ComposeNext,
  RetryNext,
  StepClosedNext,
} from './step.gates.ts'

export type StepEvents =
  | { type: 'step.open' }
  | { type: 'step.adopt' }
  | { type: 'step.abort' }
  | { type: 'gate.compose'; next: ComposeNext }
  | { type: 'request.composed'; next: ComposeNext }
  | { type: 'gate.request'; next: ComposeNext }
  | { type: 'inputs.secured'; next: ComposeNext }
  | { type: 'model.ended'; next: AttemptNext }
  | { type: 'grace.ended' }
  | { type: 'gate.finalise' }
  | { type: 'recovery.answered' }
  | { type: 'gate.note' }
  | { type: 'gate.retry'; next: RetryNext }
  | { type: 'backOff.ended'; next: ComposeNext }
  | { type: 'backOff.dropped' }
  | { type: 'result.transformed'; next: 'commit' | 'fail' }
  | { type: 'gate.dispatch'; next: CommitNext }
  | { type: 'gate.next'; next: CallNext }
  | { type: 'gate.drain'; next: CallNext }
  | { type: 'gate.converge' }
  | { type: 'gate.admit'; next: AdmitNext }
  | { type: 'toolPre.answered'; next: AdmitNext }
  | { type: 'gate.approval'; next: AdmitNext }
  | { type: 'approval.answered'; next: AdmitNext }
  | { type: 'call.secured'; next: AdmitNext }
  | { type: 'tool.settled' }
  | { type: 'toolPost.waited' }
  | { type: 'toolPost.answered' }
  | { type: 'gate.close' }
  | { type: 'gate.closed'; next: StepClosedNext }
