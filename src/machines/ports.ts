/**
 * What the machines may ask of the outside. They decide; a host records, waits, asks and does.
 *
 * M1 A host method that records never throws: a refusal is a word of the next gate.
 * M2 A host method that starts something answers later through the mailbox, with an event of the machine.
 * M3 Words for gates are computed when the gate is delivered, so that they know what callbacks have done meanwhile.
 *
 * @module
 */
import type { AgentMachineEvents, AgentNext } from './agent.machine.ts'
import type { StepEvents } from './step.events.ts'
import type { TurnEvents } from './turn.machine.ts'
import type {
  AdmitNext,
  CallNext,
  CommitNext,
  ComposeNext,
  RetryNext,
  StepClosedNext,
} from './step.gates.ts'
import type { AdmissionNext, ClaimNext, ClosedNext, ContinueNext } from './turn.gates.ts'

/** A running actor as a host sees it. */
export interface Receiver<E> {
  send(event: E): void
}

/** Posting a machine's next own move. */
export interface Posting<E> {
  /** Delivers `make()` to `to` as the next move, behind queued commands. */
  post(to: Receiver<E>, make: () => E): void
  /** The same in a later microtask. */
  hop(to: Receiver<E>, make: () => E): void
}

/** What the agent machine needs. */
export interface AgentHost extends Pick<Posting<AgentMachineEvents>, 'post'> {
  readonly turnHost: TurnHost
  wakeNext(): AgentNext
  decideNext(): AgentNext
  disposeNext(): 'flush' | 'leave'
  openActivity(): void
  notifyStatus(status: 'idle' | 'running' | 'disposed'): void
  startMaintenance(to: Receiver<AgentMachineEvents>): void
  awaitTurnEnd(to: Receiver<AgentMachineEvents>): void
  startFlush(to: Receiver<AgentMachineEvents>): void
}

/** What the turn machine needs: its opening here, the rest by part. */
export interface TurnHost extends Posting<TurnEvents> {
  readonly stepHost: StepHost
  readonly admission: AdmissionHost
  readonly continuation: ContinuationHost
  readonly closing: ClosingHost
  appendTurnStart(): void
  claimNext(): ClaimNext
  /** Posts in the second microtask from now. */
  yieldTo(to: Receiver<TurnEvents>, make: () => TurnEvents): void
  appendContext(): void
  injectedNext(): 'fail' | 'close'
}

/** From a claim into a step. */
export interface AdmissionHost {
  appendClaim(): void
  claimedNext(): AdmissionNext | 'yield'
  admissionNext(): AdmissionNext
  askAssembly(to: Receiver<TurnEvents>): void
  awaitClaim(to: Receiver<TurnEvents>): void
  askPreStep(to: Receiver<TurnEvents>): void
  prepareStep(): void
}

/** From a step to the next one, or to the stop. */
export interface ContinuationHost {
  continueNext(): ContinueNext
  askContinuation(to: Receiver<TurnEvents>): void
  appendDecision(): void
  askStopping(to: Receiver<TurnEvents>): void
}

/** From the last step to the end. */
export interface ClosingHost {
  sealError(): void
  appendTurnEnd(): void
  closedNext(): ClosedNext
  appendRestored(): void
  reportAbandoned(): void
}

/** What the step machine needs: its own frame, its request and its calls. */
export interface StepHost extends Posting<StepEvents> {
  readonly request: RequestHost
  readonly recovery: RecoveryHost
  readonly commit: CommitHost
  readonly calls: CallsHost
  appendStepStart(): void
  composeNext(): ComposeNext
  startGrace(to: Receiver<StepEvents>): void
  stopGrace(): void
  appendStepEnd(): void
  stepClosedNext(): StepClosedNext
}

/** Composition and the attempts. */
export interface RequestHost {
  askRequest(to: Receiver<StepEvents>): void
  appendHeader(): void
  headedNext(): ComposeNext
  awaitInputs(to: Receiver<StepEvents>): void
  startAttempt(to: Receiver<StepEvents>): void
  abandonAttempt(): void
}

/** What follows a failed attempt. */
export interface RecoveryHost {
  askRecovery(to: Receiver<StepEvents>): void
  appendFailed(): void
  retryNext(): RetryNext
  startBackOff(to: Receiver<StepEvents>): void
  stopBackOff(): void
}

/** What becomes of a finished, or cut, attempt. */
export interface CommitHost {
  askStepResult(to: Receiver<StepEvents>): void
  appendAssistant(): void
  committedNext(): CommitNext
  appendInterrupted(): void
}

/** The calls of the committed message. */
export interface CallsHost {
  callNext(): CallNext
  appendCall(): void
  admitNext(): AdmitNext
  askToolPre(to: Receiver<StepEvents>): void
  appendQuestions(): void
  awaitAnswer(to: Receiver<StepEvents>): void
  awaitCall(to: Receiver<StepEvents>): void
  startBody(to: Receiver<StepEvents>): void
  recordSettled(): void
  askToolPost(to: Receiver<StepEvents>): void
  recordWaiting(): void
  appendResult(): void
  appendSynthetic(): void
  appendWithdrawn(): void
  abandonCalls(): void
}
