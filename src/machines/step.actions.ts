/**
 * The named actions of the step chart: each is one sentence to the host.
 *
 * A name that starts with `append` records, one that starts with `ask` or `start` begins an effect, `post` and `hop`
 * make the machine's next own move. No transition does the first two together.
 *
 * @module
 */
import type { Receiver, StepHost } from './ports.ts'
import type { StepEvents } from './step.events.ts'

interface Args {
  readonly context: { readonly host: StepHost }
  readonly self: Receiver<StepEvents>
}

const post =
  (make: (host: StepHost) => StepEvents) =>
  ({ context: { host }, self }: Args): void => {
    host.post(self, () => make(host))
  }
const hop =
  (make: (host: StepHost) => StepEvents) =>
  ({ context: { host }, self }: Args): void => {
    host.hop(self, () => make(host))
  }
const tell =
  (what: (host: StepHost, self: Receiver<StepEvents>) => void) =>
  ({ context: { host }, self }: Args): void => {
    what(host, self)
  }

export const stepActions = {
  'append step/start and batch': tell((host) => host.appendStepStart()),
  'append request/header': tell((host) => host.request.appendHeader()),
  'append interrupted assistant/message': tell((host) => host.commit.appendInterrupted()),
  'append request/failed': tell((host) => host.recovery.appendFailed()),
  'append assistant/message': tell((host) => host.commit.appendAssistant()),
  'append tool/call': tell((host) => host.calls.appendCall()),
  'append approval/asked': tell((host) => host.calls.appendQuestions()),
  'append withdrawn approval': tell((host) => host.calls.appendWithdrawn()),
  'append tool/settled': tell((host) => host.calls.recordWaiting()),
  'append tool/result': tell((host) => host.calls.appendResult()),
  'append synthetic outcome': tell((host) => host.calls.appendSynthetic()),
  'append step/end': tell((host) => host.appendStepEnd()),
  'note settled call': tell((host) => host.calls.recordSettled()),
  'abandon attempt': tell((host) => host.request.abandonAttempt()),
  'abandon open calls': tell((host) => host.calls.abandonCalls()),

  'ask request': tell((host, self) => host.request.askRequest(self)),
  'start wait for the inputs': tell((host, self) => host.request.awaitInputs(self)),
  'start attempt': tell((host, self) => host.request.startAttempt(self)),
  'start grace': tell((host, self) => host.startGrace(self)),
  'stop grace': tell((host) => host.stopGrace()),
  'ask requestError': tell((host, self) => host.recovery.askRecovery(self)),
  'start back-off': tell((host, self) => host.recovery.startBackOff(self)),
  'stop back-off': tell((host) => host.recovery.stopBackOff()),
  'ask stepResult': tell((host, self) => host.commit.askStepResult(self)),
  'ask toolPre': tell((host, self) => host.calls.askToolPre(self)),
  'start wait for the answer': tell((host, self) => host.calls.awaitAnswer(self)),
  'start wait for the call': tell((host, self) => host.calls.awaitCall(self)),
  'start body': tell((host, self) => host.calls.startBody(self)),
  'ask toolPost': tell((host, self) => host.calls.askToolPost(self)),

  'post gate.compose': post((host) => ({ type: 'gate.compose', next: host.composeNext() })),
  'post gate.request': post((host) => ({ type: 'gate.request', next: host.request.headedNext() })),
  'post gate.retry': post((host) => ({ type: 'gate.retry', next: host.recovery.retryNext() })),
  'post gate.dispatch': post((host) => ({
    type: 'gate.dispatch',
    next: host.commit.committedNext(),
  })),
  'post gate.next': post((host) => ({ type: 'gate.next', next: host.calls.callNext() })),
  'post gate.drain': post((host) => ({ type: 'gate.drain', next: host.calls.callNext() })),
  'post gate.admit': post((host) => ({ type: 'gate.admit', next: host.calls.admitNext() })),
  'post gate.approval': post((host) => ({ type: 'gate.approval', next: host.calls.admitNext() })),
  'post gate.close': post(() => ({ type: 'gate.close' })),
  'post gate.closed': post((host) => ({ type: 'gate.closed', next: host.stepClosedNext() })),
  'hop gate.note': hop(() => ({ type: 'gate.note' })),
  'hop gate.finalise': hop(() => ({ type: 'gate.finalise' })),
  'hop gate.drain': hop((host) => ({ type: 'gate.drain', next: host.calls.callNext() })),
  'hop gate.converge': hop(() => ({ type: 'gate.converge' })),
}
