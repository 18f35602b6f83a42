/**
 * The named actions of the step chart: each is one sentence to the host.
 *
 * A name that starts with `append` records, one that starts with `ask` or `start` begins an effect, `post` and `hop`
 * make the machine's next own move. No transition does the first two together.
 *
 * @module
 */
import type { Receiver, StepHost } from './ports.ts'
import type { StepEvents } from './step.machine.ts'

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
  'append request/header': tell((host) => host.appendHeader()),
  'append interrupted assistant/message': tell((host) => host.appendInterrupted()),
  'append request/failed': tell((host) => host.appendFailed()),
  'append assistant/message': tell((host) => host.appendAssistant()),
  'append tool/call': tell((host) => host.appendCall()),
  'append approval/asked': tell((host) => host.appendQuestions()),
  'append withdrawn approval': tell((host) => host.appendWithdrawn()),
  'append tool/settled': tell((host) => host.recordWaiting()),
  'append tool/result': tell((host) => host.appendResult()),
  'append synthetic outcome': tell((host) => host.appendSynthetic()),
  'append step/end': tell((host) => host.appendStepEnd()),
  'note settled call': tell((host) => host.recordSettled()),
  'abandon attempt': tell((host) => host.abandonAttempt()),
  'abandon open calls': tell((host) => host.abandonCalls()),

  'ask request': tell((host, self) => host.askRequest(self)),
  'start wait for the inputs': tell((host, self) => host.awaitInputs(self)),
  'start attempt': tell((host, self) => host.startAttempt(self)),
  'start grace': tell((host, self) => host.startGrace(self)),
  'stop grace': tell((host) => host.stopGrace()),
  'ask requestError': tell((host, self) => host.askRecovery(self)),
  'start back-off': tell((host, self) => host.startBackOff(self)),
  'stop back-off': tell((host) => host.stopBackOff()),
  'ask stepResult': tell((host, self) => host.askStepResult(self)),
  'ask toolPre': tell((host, self) => host.askToolPre(self)),
  'start wait for the call': tell((host, self) => host.awaitCall(self)),
  'start body': tell((host, self) => host.startBody(self)),
  'ask toolPost': tell((host, self) => host.askToolPost(self)),

  'post gate.compose': post((host) => ({ type: 'gate.compose', next: host.composeNext() })),
  'post gate.request': post((host) => ({ type: 'gate.request', next: host.headedNext() })),
  'post gate.retry': post((host) => ({ type: 'gate.retry', next: host.retryNext() })),
  'post gate.dispatch': post((host) => ({ type: 'gate.dispatch', next: host.committedNext() })),
  'post gate.next': post((host) => ({ type: 'gate.next', next: host.callNext() })),
  'post gate.drain': post((host) => ({ type: 'gate.drain', next: host.callNext() })),
  'post gate.admit': post((host) => ({ type: 'gate.admit', next: host.admitNext() })),
  'post gate.approval': post((host) => ({ type: 'gate.approval', next: host.admitNext() })),
  'post gate.close': post(() => ({ type: 'gate.close' })),
  'post gate.closed': post((host) => ({ type: 'gate.closed', next: host.stepClosedNext() })),
  'hop gate.note': hop(() => ({ type: 'gate.note' })),
  'hop gate.finalise': hop(() => ({ type: 'gate.finalise' })),
  'hop gate.drain': hop((host) => ({ type: 'gate.drain', next: host.callNext() })),
  'hop gate.converge': hop(() => ({ type: 'gate.converge' })),
}
