/**
 * The states of the built-in model outside a running turn: rest, maintenance, what was aborted, what is disposed of.
 *
 * @module
 */
import { waitsFor } from './facts.ts'
import type { ModelState } from './model.ts'
import { changes } from './remembered.ts'
import { follows, onAborted, onAbortedTask, onCancellable, onGone, onIdle } from './ways.ts'
import type { LifecycleEvent, LifecycleState, TurnState } from './words.ts'

type State = ModelState<LifecycleState, LifecycleEvent>

const { over } = follows
const anyway = (): boolean => true

/** An aborted turn whose `tool` still runs, until it settles or its grace is over. */
const draining = (disposing: 'disposing a tool'): State => ({
  phase: 'turn aborted',
  waits: 'tool',
  seen: waitsFor('tool'),
  on: { ...onAborted(disposing), 'tool returns': over, 'tool fails': over, 'grace ends': over },
})

const aborted = {
  cutting: {
    phase: 'turn aborted',
    waits: 'deaf stream',
    seen: waitsFor('deaf stream'),
    on: { ...onAborted('disposing a stream'), 'grace ends': over },
  },
  'draining two': {
    phase: 'turn aborted',
    waits: ['second tool', 'tool'],
    seen: waitsFor('tool', 'second tool'),
    on: {
      ...onAborted('disposing two tools'),
      'tool returns': 'draining last',
      'second tool returns': 'draining',
      'grace ends': over,
    },
  },
  draining: draining('disposing a tool'),
  'draining last': {
    phase: 'turn aborted',
    waits: 'second tool',
    seen: waitsFor('second tool'),
    on: {
      ...onAborted('disposing the last tool'),
      'second tool returns': over,
      'grace ends': over,
    },
  },
  converging: {
    phase: 'turn aborted',
    unsettled: 'hop',
    seen: anyway,
    on: { ...onAborted('disposing'), hop: over },
  },
} as const satisfies Partial<Record<LifecycleState, State>>

const disposing = {
  'disposing a stream': {
    phase: 'turn disposing',
    waits: 'deaf stream',
    seen: waitsFor('deaf stream'),
    on: { ...onGone, 'grace ends': 'disposed' },
  },
  'disposing two tools': {
    phase: 'turn disposing',
    waits: ['second tool', 'tool'],
    seen: waitsFor('tool', 'second tool'),
    on: {
      ...onGone,
      'tool returns': 'disposing the last tool',
      'second tool returns': 'disposing a tool',
      'grace ends': 'disposed',
    },
  },
  'disposing a tool': {
    phase: 'turn disposing',
    waits: 'tool',
    seen: waitsFor('tool'),
    on: {
      ...onGone,
      'tool returns': 'disposed',
      'tool fails': 'disposed',
      'grace ends': 'disposed',
    },
  },
  'disposing the last tool': {
    phase: 'turn disposing',
    waits: 'second tool',
    seen: waitsFor('second tool'),
    on: { ...onGone, 'second tool returns': 'disposed', 'grace ends': 'disposed' },
  },
  disposing: {
    phase: 'turn disposing',
    unsettled: 'hop',
    seen: anyway,
    on: { ...onGone, hop: { to: 'disposed', do: changes['end the turn'] } },
  },
  'disposing a task': {
    phase: 'task disposing',
    waits: 'task',
    seen: waitsFor('task'),
    on: { ...onGone, 'task ends': 'disposed', 'task fails': 'disposed' },
  },
  disposed: { phase: 'disposed', seen: anyway, on: onGone },
} as const satisfies Partial<Record<LifecycleState, State>>

/** All of them, in the order in which they are asked. */
export const endingStates: { readonly [Name in Exclude<LifecycleState, TurnState>]: State } = {
  idle: { phase: 'idle', seen: anyway, on: onIdle },
  maintaining: {
    phase: 'task',
    waits: 'task',
    seen: waitsFor('task'),
    on: {
      ...onCancellable('maintenance aborted', 'disposing a task'),
      'cancel this turn': { says: 'none TURN_FINISHED' },
      'task ends': over,
      'task fails': over,
    },
  },
  'maintenance aborted': {
    phase: 'task aborted',
    waits: 'task',
    seen: waitsFor('task'),
    on: { ...onAbortedTask, 'task ends': over, 'task fails': over },
  },
  ...aborted,
  ...disposing,
}
