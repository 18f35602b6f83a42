/**
 * What is decided inside one turn: open, claim, assemble, ask, step, continue or stop, seal, close.
 *
 * T1 Every append is followed by a gate of the mailbox; what acts starts when the gate arrives.
 * T2 Every path ends in `closing`, which writes `turn/end`, except that of a turn the log refused to open.
 * T3 The outcome is sealed on entry to `sealing`, or by `turn/end`, whichever is first.
 * T4 The actor outlives its turn: it rests until the next `turn.open`. The step actor lives as long.
 *
 * @module
 */
import { sendParent, sendTo, setup } from 'xstate'
import type { TurnHost } from './ports.ts'
import { stepMachine } from './step.machine.ts'
import { turnActions } from './turn.actions.ts'
import type { AdmissionNext, ClaimNext, ClosedNext, ContinueNext } from './turn.gates.ts'

export type TurnEvents =
  | { type: 'turn.open' }
  | { type: 'turn.adopt' }
  | { type: 'turn.abort' }
  | { type: 'step.ended' }
  | { type: 'gate.claim'; next: ClaimNext }
  | { type: 'gate.injected'; next: 'fail' | 'close' }
  | { type: 'gate.claimed'; next: AdmissionNext | 'yield' }
  | { type: 'gate.assemble'; next: AdmissionNext }
  | { type: 'assembly.ended'; next: AdmissionNext }
  | { type: 'claim.secured'; next: AdmissionNext }
  | { type: 'preStep.answered'; next: AdmissionNext }
  | { type: 'gate.continue'; next: ContinueNext }
  | { type: 'continuation.answered'; next: ContinueNext }
  | { type: 'gate.decided'; next: ContinueNext }
  | { type: 'stopping.answered'; next: ContinueNext }
  | { type: 'gate.close' }
  | { type: 'gate.converge' }
  | { type: 'gate.closed'; next: ClosedNext }
  | { type: 'gate.rest' }

export interface TurnMachineContext {
  host: TurnHost
}

const is = (event: TurnEvents, next: string): boolean => 'next' in event && event.next === next

/** The way from a claim into a step; shared by all events that carry an admission word. */
const admission = [
  { guard: 'must assemble', target: 'assembling' },
  { guard: 'must secure', target: 'securing' },
  { guard: 'must ask', target: 'gating' },
  { guard: 'enters', target: 'stepping', actions: 'prepare step' },
  { guard: 'fails', target: 'sealing' },
  { target: 'closing' },
] as const

const after = [
  { guard: 'aborts', target: 'converging' },
  { guard: 'must decide', target: 'deciding' },
  { guard: 'must record', target: 'decided' },
  { guard: 'claims', target: 'claiming' },
  { guard: 'must stop', target: 'stopping' },
  ...admission,
] as const

export const turnMachine = setup({
  types: {} as {
    context: TurnMachineContext
    input: { host: TurnHost }
    events: TurnEvents
    children: { step: 'step' }
    tags: 'cancel-window'
  },
  actors: { step: stepMachine },
  guards: {
    claims: ({ event }) => is(event, 'claim'),
    injects: ({ event }) => is(event, 'inject'),
    'was refused': ({ event }) => is(event, 'refused'),
    'must yield': ({ event }) => is(event, 'yield'),
    'must assemble': ({ event }) => is(event, 'assemble'),
    'must secure': ({ event }) => is(event, 'secure'),
    'must ask': ({ event }) => is(event, 'ask'),
    enters: ({ event }) => is(event, 'enter'),
    fails: ({ event }) => is(event, 'fail'),
    aborts: ({ event }) => is(event, 'abort'),
    'must decide': ({ event }) => is(event, 'decide'),
    'must record': ({ event }) => is(event, 'record'),
    'must stop': ({ event }) => is(event, 'stop'),
    'must announce': ({ event }) => is(event, 'error'),
    'must retry': ({ event }) => is(event, 'retry'),
    'must restore': ({ event }) => is(event, 'restore'),
    'is abandoned': ({ event }) => is(event, 'abandon'),
  },
  actions: {
    ...turnActions,
    'send step.open': sendTo('step', { type: 'step.open' }),
    'send step.adopt': sendTo('step', { type: 'step.adopt' }),
    'send step.abort': sendTo('step', { type: 'step.abort' }),
    'report turn.ended': sendParent({ type: 'turn.ended' }),
  },
}).createMachine({
  id: 'turn',
  context: ({ input }) => ({ host: input.host }),
  initial: 'unopened',
  states: {
    unopened: {
      description: 'Made and not opened yet.',
      on: { 'turn.open': 'open', 'turn.adopt': 'open.adopting' },
    },
    open: {
      description: 'A turn; the step actor is made here and reused.',
      invoke: {
        id: 'step',
        src: 'step',
        input: ({ context }) => ({ host: context.host.stepHost }),
      },
      initial: 'opening',
      states: {
        opening: {
          description: 'W05: turn/start is recorded, nothing is claimed yet.',
          tags: 'cancel-window',
          entry: ['append turn/start', 'post gate.claim'],
          on: {
            'gate.claim': [
              { guard: 'claims', target: 'claiming' },
              { guard: 'injects', target: 'injecting' },
              { guard: 'was refused', target: 'refused' },
              { target: 'closing' },
            ],
            'turn.abort': 'converging',
          },
        },
        injecting: {
          description: 'An injection turn: its message goes straight into the history.',
          entry: ['append context/message', 'post gate.injected'],
          on: {
            'gate.injected': [{ guard: 'fails', target: 'sealing' }, { target: 'closing' }],
            'turn.abort': 'converging',
          },
        },
        claiming: {
          description: 'W06: the batch is claimed, its observers are being told.',
          tags: 'cancel-window',
          entry: ['append inbox/claimed', 'post gate.claimed'],
          on: {
            'gate.claimed': [{ guard: 'must yield', target: 'yielding' }, ...admission],
            'turn.abort': 'converging',
          },
        },
        yielding: {
          description: 'W07: the waking send has returned; two microtasks before anything else.',
          tags: 'cancel-window',
          entry: 'yield gate.assemble',
          on: { 'gate.assemble': admission, 'turn.abort': 'converging' },
        },
        assembling: {
          description: 'W08: the system prompt and the runtime context are being assembled.',
          tags: 'cancel-window',
          entry: 'ask assembly',
          on: { 'assembly.ended': admission, 'turn.abort': 'converging' },
        },
        securing: {
          description: 'W09: the claim becomes durable before the gates see the batch.',
          tags: 'cancel-window',
          entry: 'start wait for the claim',
          on: { 'claim.secured': admission, 'turn.abort': 'converging' },
        },
        gating: {
          description: 'W09: preStep decides.',
          tags: 'cancel-window',
          entry: 'ask preStep',
          on: { 'preStep.answered': admission, 'turn.abort': 'converging' },
        },
        stepping: {
          description: 'A step is open; its own windows stand in the step machine.',
          entry: 'send step.open',
          on: { 'step.ended': 'continuing', 'turn.abort': { actions: 'send step.abort' } },
        },
        adopting: {
          description: 'The open step of a turn that was left waiting goes on.',
          entry: 'send step.adopt',
          on: { 'step.ended': 'continuing', 'turn.abort': { actions: 'send step.abort' } },
        },
        continuing: {
          description: 'W20: the step has ended, nothing is decided yet.',
          tags: 'cancel-window',
          entry: 'post gate.continue',
          on: { 'gate.continue': after, 'turn.abort': 'converging' },
        },
        deciding: {
          description: 'W21: the continuation gate decides.',
          tags: 'cancel-window',
          entry: 'ask continuation',
          on: { 'continuation.answered': after, 'turn.abort': 'converging' },
        },
        decided: {
          description: 'W21: a decision that deviates is recorded.',
          tags: 'cancel-window',
          entry: ['append gate/decided', 'post gate.decided'],
          on: { 'gate.decided': after, 'turn.abort': 'converging' },
        },
        stopping: {
          description: 'W22: turnStopping may object.',
          tags: 'cancel-window',
          entry: 'ask turnStopping',
          on: { 'stopping.answered': after, 'turn.abort': 'converging' },
        },
        sealing: {
          description: 'W23: the error is sealed and announced; a cancel cannot change it.',
          tags: 'cancel-window',
          entry: ['seal and announce error', 'post gate.close'],
          on: { 'gate.close': 'closing', 'turn.abort': {} },
        },
        converging: {
          description: 'The turn was aborted; it closes in a later microtask.',
          entry: 'hop gate.converge',
          on: { 'gate.converge': 'closing' },
        },
        closing: {
          description: 'turn/end is recorded; refused once, it is tried again.',
          entry: ['append turn/end', 'post gate.closed'],
          on: {
            'gate.closed': [
              { guard: 'must announce', target: 'sealing' },
              { guard: 'must retry', target: 'closing', reenter: true },
              { guard: 'must restore', target: 'restoring' },
              { guard: 'is abandoned', target: 'refused' },
              { target: 'resting' },
            ],
          },
        },
        restoring: {
          description: 'Claimed messages go back to the head of their lists.',
          entry: ['append restored insertions', 'post gate.rest'],
          on: { 'gate.rest': 'resting' },
        },
        refused: {
          description: 'The log refused to open or to close the turn; the queue is parked.',
          entry: ['announce refusal', 'post gate.rest'],
          on: { 'gate.rest': 'resting' },
        },
        resting: {
          description: 'The turn is over.',
          entry: 'report turn.ended',
          on: { 'turn.open': 'opening' },
        },
      },
    },
  },
})
