/**
 * The part of the step chart in which its tool calls run: starts and commits in the model's order, bodies side by side.
 *
 * Starting (`announcing` … `flushing`) and accounting (`accounting`, `recording`) are one thing at a time; only bodies
 * overlap. A body that settles meanwhile is noted at once and committed when it is its turn.
 *
 * @module
 */

/** Where the calls of a step may go next, while nothing is aborted. */
const next = [
  { guard: 'must account', target: 'accounting', actions: 'ask toolPost' },
  { guard: 'must record', target: 'recording', reenter: true },
  { guard: 'may announce', target: 'announcing' },
  { guard: 'must answer', target: 'answering', reenter: true },
  { guard: 'must withdraw', target: 'withdrawing', reenter: true },
  { guard: 'is done', target: '#step.closing' },
  { target: 'running' },
] as const

/** On the way from `tool/call` to its body. */
const admit = [
  { guard: 'must ask', target: 'admitting' },
  { guard: 'must question', target: 'questioning' },
  { guard: 'must wait', target: 'approving' },
  { guard: 'must secure', target: 'flushing' },
  { guard: 'may start', target: 'running', actions: ['start body', 'post gate.next'] },
  { target: 'running', actions: ['note settled call', 'post gate.next'] },
] as const

/** After an abort: nothing starts, and the look at the calls came in a later microtask. */
const drain = [
  { guard: 'must account', target: 'accounting', actions: 'ask toolPost' },
  { guard: 'must record', target: 'recording', reenter: true },
  { guard: 'must answer', target: 'answering', reenter: true },
  { guard: 'must withdraw', target: 'withdrawing', reenter: true },
  { guard: 'is done', target: '#step.closing' },
  { target: 'waiting' },
] as const

const abort = { target: '#step.draining', actions: 'hop gate.drain' } as const

/** Calls are started, run and committed. */
export const calling = {
  description: 'The calls of the message are started, run and committed.',
  initial: 'running',
  on: { 'tool.settled': { actions: 'note settled call' } },
  states: {
    running: {
      description: 'W18: bodies run; the next start or commit is looked for.',
      tags: 'cancel-window',
      on: {
        'gate.next': next,
        'tool.settled': { actions: ['note settled call', 'post gate.next'] },
        'step.abort': abort,
      },
    },
    announcing: {
      description: 'W17: tool/call is recorded, nothing of the call has run.',
      tags: 'cancel-window',
      entry: ['append tool/call', 'post gate.admit'],
      on: { 'gate.admit': admit, 'step.abort': abort },
    },
    admitting: {
      description: 'W17: toolPre decides.',
      tags: 'cancel-window',
      entry: 'ask toolPre',
      on: { 'toolPre.answered': admit, 'step.abort': abort },
    },
    questioning: {
      description: 'W17: the questions of the approval are recorded.',
      tags: 'cancel-window',
      entry: ['append approval/asked', 'post gate.approval'],
      on: { 'gate.approval': admit, 'step.abort': abort },
    },
    approving: {
      description: 'W17: waits for the answer of a person or a policy.',
      tags: 'cancel-window',
      entry: 'start wait for the answer',
      on: { 'approval.answered': admit, 'step.abort': abort },
    },
    flushing: {
      description: 'W17: message and call become durable before the body runs.',
      tags: 'cancel-window',
      entry: 'start wait for the call',
      on: { 'call.secured': admit, 'step.abort': abort },
    },
    accounting: {
      description: 'W19: toolPost decides about the settled head.',
      tags: 'cancel-window',
      on: {
        'toolPost.answered': 'recording',
        'toolPost.waited': { actions: 'append tool/settled' },
        'step.abort': '#step.draining.accounting',
      },
    },
    recording: {
      description: 'W19: the result is recorded and its contexts are accepted.',
      tags: 'cancel-window',
      entry: ['append tool/result', 'post gate.next'],
      on: { 'gate.next': next, 'step.abort': abort },
    },
    answering: {
      description: 'W19: after a failure, a call that will not run gets its outcome.',
      tags: 'cancel-window',
      entry: ['append synthetic outcome', 'post gate.next'],
      on: { 'gate.next': next, 'step.abort': abort },
    },
    withdrawing: {
      description: 'W17: after a failure, an open question is closed.',
      tags: 'cancel-window',
      entry: ['append withdrawn approval', 'post gate.next'],
      on: { 'gate.next': next, 'step.abort': abort },
    },
  },
} as const

/** The turn is aborted: started bodies are waited for under the grace, the rest is answered. */
export const draining = {
  description: 'Aborted with calls: started bodies drain, the rest is answered.',
  initial: 'waiting',
  entry: 'start grace',
  exit: 'stop grace',
  on: {
    'tool.settled': { actions: 'note settled call' },
    'grace.ended': { actions: ['abandon open calls', 'post gate.drain'] },
  },
  states: {
    waiting: {
      description: 'Bodies are settling.',
      on: {
        'gate.drain': drain,
        'tool.settled': { actions: ['note settled call', 'post gate.drain'] },
      },
    },
    accounting: {
      description: 'toolPost decides about a drained call.',
      on: {
        'toolPost.answered': 'recording',
        'toolPost.waited': { actions: 'append tool/settled' },
        'grace.ended': { target: 'recording', actions: 'abandon open calls' },
      },
    },
    recording: {
      description: 'A drained result is recorded.',
      entry: ['append tool/result', 'post gate.drain'],
      on: { 'gate.drain': drain },
    },
    answering: {
      description: 'A call that will not run gets its synthetic outcome.',
      entry: ['append synthetic outcome', 'post gate.drain'],
      on: { 'gate.drain': drain },
    },
    withdrawing: {
      description: 'An open question is closed as cancelled.',
      entry: ['append withdrawn approval', 'post gate.drain'],
      on: { 'gate.drain': drain },
    },
  },
} as const
