/**
 * Every word that an event of a chart may carry. The types hold the lists complete: a new event or word does not compile
 * until it stands here, and then every graph and walk takes it.
 *
 * @module
 */
import type { AgentMachineEvents } from '../../src/machines/agent.machine.ts'
import type { StepEvents } from '../../src/machines/step.events.ts'
import type { TurnEvents } from '../../src/machines/turn.machine.ts'

interface AnyEvent {
  readonly type: string
  readonly next?: string
}

/** By event type: its words as keys, or null for an event that carries none. */
type Words<E extends AnyEvent> = {
  readonly [K in E as K['type']]: K extends { next: infer N extends string }
    ? Readonly<Record<N, true>>
    : null
}

const admission = {
  assemble: true,
  secure: true,
  ask: true,
  enter: true,
  empty: true,
  reject: true,
  limit: true,
  fail: true,
} as const
const goingOn = {
  fail: true,
  abort: true,
  limit: true,
  decide: true,
  record: true,
  claim: true,
  stop: true,
  close: true,
  assemble: true,
  secure: true,
  ask: true,
  enter: true,
} as const
const compose = {
  ask: true,
  header: true,
  secure: true,
  stream: true,
  fail: true,
  refused: true,
} as const
const calls = {
  announce: true,
  account: true,
  record: true,
  answer: true,
  withdraw: true,
  wait: true,
  done: true,
} as const
const admit = {
  ask: true,
  question: true,
  wait: true,
  secure: true,
  start: true,
  known: true,
} as const
const agentNext = { turn: true, rest: true, leave: true, secure: true } as const

export const agentWords: Words<AgentMachineEvents> = {
  'agent.wake': null,
  'agent.cancel': null,
  'agent.dispose': null,
  'agent.maintain': null,
  'agent.injectTurn': null,
  'agent.adopt': null,
  'agent.suspend': null,
  'turn.ended': null,
  'maintenance.ended': null,
  'log.secured': null,
  'log.flushed': null,
  'gate.wake': agentNext,
  'gate.start': agentNext,
  'gate.decide': agentNext,
  'gate.dispose': { flush: true, leave: true },
  'gate.leave': null,
}

export const turnWords: Words<TurnEvents> = {
  'turn.open': null,
  'turn.adopt': null,
  'turn.abort': null,
  'step.ended': null,
  'gate.claim': { claim: true, empty: true, inject: true, refused: true },
  'gate.injected': { fail: true, close: true },
  'gate.claimed': { ...admission, yield: true },
  'gate.assemble': admission,
  'assembly.ended': admission,
  'claim.secured': admission,
  'preStep.answered': admission,
  'gate.continue': goingOn,
  'continuation.answered': goingOn,
  'gate.decided': goingOn,
  'stopping.answered': goingOn,
  'gate.close': null,
  'gate.converge': null,
  'gate.closed': { error: true, retry: true, restore: true, done: true, abandon: true },
  'gate.rest': null,
}

export const stepWords: Words<StepEvents> = {
  'step.open': null,
  'step.adopt': null,
  'step.abort': null,
  'gate.compose': compose,
  'request.composed': compose,
  'gate.request': compose,
  'inputs.secured': compose,
  'model.ended': { transform: true, commit: true, recover: true, note: true, end: true },
  'grace.ended': null,
  'gate.finalise': null,
  'recovery.answered': null,
  'gate.note': null,
  'gate.retry': { 'back-off': true, end: true },
  'backOff.ended': compose,
  'backOff.dropped': null,
  'result.transformed': { commit: true, fail: true },
  'gate.dispatch': { close: true, answer: true, calls: true },
  'gate.next': calls,
  'gate.drain': calls,
  'gate.converge': null,
  'gate.admit': admit,
  'toolPre.answered': admit,
  'gate.approval': admit,
  'approval.answered': admit,
  'call.secured': admit,
  'tool.settled': null,
  'toolPost.waited': null,
  'toolPost.answered': null,
  'gate.close': null,
  'gate.closed': { retry: true, ended: true },
}

/** All events of a chart, once for each word. */
export const eventsOf = <E extends AnyEvent>(words: Words<E>): E[] =>
  Object.entries(words as Readonly<Record<string, object | null>>).flatMap(([type, said]) =>
    said === null ? [{ type }] : Object.keys(said).map((next) => ({ type, next })),
  ) as unknown as E[]
