/**
 * The named actions of the turn chart: each is one sentence to the host.
 *
 * A name that starts with `append` records, one that starts with `ask` or `start` begins an effect, `post`, `hop` and
 * `yield` make the machine's next own move. No transition does the first two together.
 *
 * @module
 */
import type { Receiver, TurnHost } from './ports.ts'
import type { TurnEvents } from './turn.machine.ts'

interface Args {
  readonly context: { readonly host: TurnHost }
  readonly self: Receiver<TurnEvents>
}

const post =
  (make: (host: TurnHost) => TurnEvents) =>
  ({ context: { host }, self }: Args): void => {
    host.post(self, () => make(host))
  }
const hop =
  (make: () => TurnEvents) =>
  ({ context: { host }, self }: Args): void => {
    host.hop(self, make)
  }
const tell =
  (what: (host: TurnHost, self: Receiver<TurnEvents>) => void) =>
  ({ context: { host }, self }: Args): void => {
    what(host, self)
  }

export const turnActions = {
  'append turn/start': tell((host) => host.appendTurnStart()),
  'post gate.claim': post((host) => ({ type: 'gate.claim', next: host.claimNext() })),
  'append inbox/claimed': tell((host) => host.admission.appendClaim()),
  'post gate.claimed': post((host) => ({
    type: 'gate.claimed',
    next: host.admission.claimedNext(),
  })),
  'yield gate.assemble': ({ context: { host }, self }: Args): void => {
    host.yieldTo(self, () => ({ type: 'gate.assemble', next: host.admission.admissionNext() }))
  },
  'ask assembly': tell((host, self) => host.admission.askAssembly(self)),
  'start wait for the claim': tell((host, self) => host.admission.awaitClaim(self)),
  'ask preStep': tell((host, self) => host.admission.askPreStep(self)),
  'prepare step': tell((host) => host.admission.prepareStep()),
  'post gate.continue': post((host) => ({
    type: 'gate.continue',
    next: host.continuation.continueNext(),
  })),
  'ask continuation': tell((host, self) => host.continuation.askContinuation(self)),
  'append gate/decided': tell((host) => host.continuation.appendDecision()),
  'post gate.decided': post((host) => ({
    type: 'gate.decided',
    next: host.continuation.continueNext(),
  })),
  'ask turnStopping': tell((host, self) => host.continuation.askStopping(self)),
  'append context/message': tell((host) => host.appendContext()),
  'post gate.injected': post((host) => ({ type: 'gate.injected', next: host.injectedNext() })),
  'seal and announce error': tell((host) => host.closing.sealError()),
  'post gate.close': post(() => ({ type: 'gate.close' })),
  'hop gate.converge': hop(() => ({ type: 'gate.converge' })),
  'append turn/end': tell((host) => host.closing.appendTurnEnd()),
  'post gate.closed': post((host) => ({ type: 'gate.closed', next: host.closing.closedNext() })),
  'append restored insertions': tell((host) => host.closing.appendRestored()),
  'announce refusal': tell((host) => host.closing.reportAbandoned()),
  'post gate.rest': post(() => ({ type: 'gate.rest' })),
}
