/**
 * What is decided inside one step: open, compose, stream attempts, commit, run the calls, close.
 *
 * S1 Every append is followed by a gate of the mailbox; what acts starts when the gate arrives.
 * S2 Every path ends in `closing`, which writes `step/end`, except that of a step the log refused to open.
 * S3 After an abort nothing starts: what runs is drained under the grace, what never ran is answered.
 * S4 Chunks never come through here: the attempt appends them and reports only its end.
 * S5 The actor outlives its step: it rests until the next `step.open`.
 *
 * @module
 */
import { sendParent, setup } from 'xstate'
import type { StepHost } from './ports.ts'
import { stepActions } from './step.actions.ts'
import { calling, draining } from './step.calls.ts'
import type { StepEvents } from './step.events.ts'

export interface StepMachineContext {
  host: StepHost
}

const is = (event: StepEvents, next: string): boolean => 'next' in event && event.next === next

const compose = [
  { guard: 'must ask', target: 'composing' },
  { guard: 'has new header', target: 'heading' },
  { guard: 'must secure', target: 'securing' },
  { guard: 'may stream', target: 'streaming' },
  { guard: 'was refused', target: 'ended' },
  { target: 'closing' },
] as const

export const stepMachine = setup({
  types: {} as {
    context: StepMachineContext
    input: { host: StepHost }
    events: StepEvents
    tags: 'cancel-window'
  },
  guards: {
    'must ask': ({ event }) => is(event, 'ask'),
    'has new header': ({ event }) => is(event, 'header'),
    'must secure': ({ event }) => is(event, 'secure'),
    'may stream': ({ event }) => is(event, 'stream'),
    'was refused': ({ event }) => is(event, 'refused'),
    'must transform': ({ event }) => is(event, 'transform'),
    'may commit': ({ event }) => is(event, 'commit'),
    'must end': ({ event }) => is(event, 'end'),
    'must recover': ({ event }) => is(event, 'recover'),
    'must back off': ({ event }) => is(event, 'back-off'),
    'has calls': ({ event }) => is(event, 'calls'),
    'must answer': ({ event }) => is(event, 'answer'),
    'may announce': ({ event }) => is(event, 'announce'),
    'must account': ({ event }) => is(event, 'account'),
    'must record': ({ event }) => is(event, 'record'),
    'must withdraw': ({ event }) => is(event, 'withdraw'),
    'is done': ({ event }) => is(event, 'done'),
    'must question': ({ event }) => is(event, 'question'),
    'must wait': ({ event }) => is(event, 'wait'),
    'may start': ({ event }) => is(event, 'start'),
    'must retry': ({ event }) => is(event, 'retry'),
  },
  actions: { ...stepActions, 'report step.ended': sendParent({ type: 'step.ended' }) },
}).createMachine({
  id: 'step',
  context: ({ input }) => ({ host: input.host }),
  initial: 'unopened',
  states: {
    unopened: {
      description: 'Made and not opened yet.',
      on: {
        'step.open': 'opening',
        'step.adopt': { target: 'calling', actions: 'post gate.next' },
      },
    },
    opening: {
      description: 'W10: step/start and its batch are recorded as one group.',
      tags: 'cancel-window',
      entry: ['append step/start and batch', 'post gate.compose'],
      on: { 'gate.compose': compose, 'step.abort': 'converging' },
    },
    composing: {
      description: 'W11: the request gate decides the configuration.',
      tags: 'cancel-window',
      entry: 'ask request',
      on: { 'request.composed': compose, 'step.abort': 'converging' },
    },
    heading: {
      description: 'W11: a new configuration is recorded.',
      tags: 'cancel-window',
      entry: ['append request/header', 'post gate.request'],
      on: { 'gate.request': compose, 'step.abort': 'converging' },
    },
    securing: {
      description: 'W11: the inputs become durable before the model sees them.',
      tags: 'cancel-window',
      entry: 'start wait for the inputs',
      on: { 'inputs.secured': compose, 'step.abort': 'converging' },
    },
    streaming: {
      description: 'W12: an attempt streams; its chunks are appended as they come.',
      tags: 'cancel-window',
      entry: 'start attempt',
      on: {
        'model.ended': [
          { guard: 'must transform', target: 'transforming' },
          { guard: 'may commit', target: 'committing' },
          { guard: 'must recover', target: 'recovering' },
          { guard: 'must end', target: 'closing' },
          { target: 'noting' },
        ],
        'step.abort': 'cutting',
      },
    },
    cutting: {
      description: 'Aborted while streaming: the stream gets the drain grace.',
      entry: 'start grace',
      exit: 'stop grace',
      on: {
        'model.ended': 'finalising',
        'grace.ended': { target: 'finalising', actions: 'abandon attempt' },
      },
    },
    finalising: {
      description: 'The seen prefix is committed as an interrupted message.',
      entry: ['append interrupted assistant/message', 'post gate.close'],
      on: { 'gate.close': 'closing' },
    },
    recovering: {
      description: 'W13: requestError decides about a failed attempt.',
      tags: 'cancel-window',
      entry: 'ask requestError',
      on: { 'recovery.answered': 'noting', 'step.abort': 'conceding' },
    },
    conceding: {
      description: 'Aborted while requestError decided: the attempt is recorded as failed.',
      entry: 'hop gate.note',
      on: { 'gate.note': 'noting' },
    },
    noting: {
      description: 'W14: the failed attempt is recorded, with what follows.',
      tags: 'cancel-window',
      entry: ['append request/failed', 'post gate.retry'],
      on: {
        'gate.retry': [{ guard: 'must back off', target: 'backingOff' }, { target: 'closing' }],
        'step.abort': 'converging',
      },
    },
    backingOff: {
      description: 'W14: waits before the next attempt.',
      tags: 'cancel-window',
      entry: 'start back-off',
      exit: 'stop back-off',
      on: { 'backOff.ended': compose, 'backOff.dropped': 'closing', 'step.abort': 'converging' },
    },
    transforming: {
      description: 'W15: stepResult may change the finished attempt.',
      tags: 'cancel-window',
      entry: 'ask stepResult',
      on: {
        'result.transformed': [
          { guard: 'may commit', target: 'committing' },
          { target: 'closing' },
        ],
        'step.abort': 'discarding',
      },
    },
    discarding: {
      description: 'Aborted before the commit: only the prefix stays.',
      entry: 'hop gate.finalise',
      on: { 'gate.finalise': 'finalising' },
    },
    committing: {
      description: 'W16: the assistant message is recorded, no call has started.',
      tags: 'cancel-window',
      entry: ['append assistant/message', 'post gate.dispatch'],
      on: {
        'gate.dispatch': [
          { guard: 'has calls', target: 'calling', actions: 'post gate.next' },
          { guard: 'must answer', target: 'answering' },
          { target: 'closing' },
        ],
        'step.abort': { target: 'draining', actions: 'hop gate.drain' },
      },
    },
    calling,
    draining,
    answering: {
      description: 'W16: cut calls get their outcome; none of them runs.',
      tags: 'cancel-window',
      entry: ['append synthetic outcome', 'post gate.next'],
      on: {
        'gate.next': [
          { guard: 'must answer', target: 'answering', reenter: true },
          { target: 'closing' },
        ],
        'step.abort': { target: 'draining', actions: 'hop gate.drain' },
      },
    },
    converging: {
      description: 'Aborted with nothing to drain; the step closes in a later microtask.',
      entry: 'hop gate.converge',
      on: { 'gate.converge': 'closing' },
    },
    closing: {
      description: 'W20: step/end is recorded; refused once, it is tried again.',
      tags: 'cancel-window',
      entry: ['append step/end', 'post gate.closed'],
      on: {
        'gate.closed': [
          { guard: 'must retry', target: 'closing', reenter: true },
          { target: 'ended' },
        ],
        'step.abort': {},
      },
    },
    ended: {
      description: 'The step is over.',
      entry: 'report step.ended',
      on: { 'step.open': 'opening' },
    },
  },
})
