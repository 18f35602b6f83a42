/**
 * What an agent may do, seen from outside: the model the real agent is held to.
 *
 * It knows nothing of turns, gates of machines or a mailbox; only where an agent can stand, what pends, and what each
 * command, answer and outcome leads to. Where the two disagree, one of them is wrong. In `opening`, `converging` and
 * `disposing` the caller has not let a microtask pass yet.
 *
 * @module
 */
import { parts } from './lifecycle.parts.ts'
import { NONE } from './lifecycle.words.ts'

/** Whatever ends a turn: waking work goes on by itself. */
const over = [
  { guard: 'has waking work', target: '#agent.gated', actions: ['end the turn', 'claim'] },
  { target: '#agent.idle', actions: 'end the turn' },
] as const

/** After a step that owes nothing: next-step input goes on in the turn, else the stop may be objected to. */
const stepped = [
  {
    guard: 'has input for the next step',
    target: '#agent.gated again',
    actions: 'claim for a step',
  },
  { target: '#agent.stopping' },
] as const

/** The same where results are owed: the next step opens anyway. */
const owing = { target: '#agent.gated again', actions: 'claim for a step' } as const

const inject = { guard: 'has room for a note', actions: 'note' } as const
const followup = { guard: 'has room for a prompt', actions: 'prompt' } as const

/** Commands that only change what pends. */
const staging = {
  followup,
  steer: { guard: 'has room for a steer', actions: 'steer' },
  inject,
  'inject a turn': inject,
  clear: { actions: 'clear only' },
} as const

/** The same once the turn is aborted: a steer belongs to a later turn. */
const aborted = {
  ...staging,
  steer: followup,
  cancel: { actions: 'clear' },
  'cancel, keep': { actions: 'hold' },
  'cancel, restore': { actions: 'hold' },
  abort: {},
  'abort, restore': {},
} as const

/** A running turn that a cancel takes `into` another state; what it has taken does not go back. */
const cancellable = (into: string, disposing: string) =>
  ({
    ...staging,
    cancel: { target: into, actions: ['forget the batch', 'clear'] },
    'cancel, keep': { target: into, actions: ['forget the batch', 'hold'] },
    'cancel, restore': { target: into, actions: ['forget the batch', 'hold'] },
    abort: { target: into, actions: 'forget the batch' },
    'abort, restore': { target: into, actions: 'forget the batch' },
    dispose: { target: disposing, actions: ['forget the batch', 'clear'] },
  }) as const

/** A turn that ends as soon as a microtask has passed. */
const endable = cancellable('#agent.converging', '#agent.disposing')

/** The same before its first step: what it has taken may go back. */
const restorable = {
  ...endable,
  'cancel, restore': {
    guard: 'has room for the batch',
    target: '#agent.converging',
    actions: ['hold', 'give back, held'],
  },
  'abort, restore': {
    guard: 'has room for the batch',
    target: '#agent.converging',
    actions: 'give back',
  },
} as const

/** A disposed or disposing agent refuses everything. */
const refusing = {
  followup: {},
  steer: {},
  inject: {},
  clear: {},
  cancel: {},
  dispose: {},
  maintain: {},
} as const

export const lifecycle = parts.createMachine({
  id: 'agent',
  context: { pending: NONE, held: false, batch: NONE, restores: 'no' },
  initial: 'idle',
  states: {
    idle: {
      on: {
        followup: { ...followup, target: 'opening', actions: ['prompt', 'claim'] },
        steer: { target: 'opening', actions: ['steer', 'claim'] },
        inject,
        'inject a turn': {},
        clear: { actions: 'clear only' },
        cancel: { actions: 'clear' },
        'cancel, keep': {},
        'cancel, restore': {},
        abort: {},
        'abort, restore': {},
        dispose: { target: 'disposed', actions: 'clear' },
        maintain: 'maintaining',
      },
    },
    opening: { on: { ...restorable, hop: 'gated' } },
    gated: {
      on: {
        ...restorable,
        'gate enters': { target: 'streaming', actions: 'forget the batch' },
        'gate rejects': over,
        'gate throws': over,
      },
    },
    'gated again': {
      on: { ...endable, 'gate enters': 'streaming', 'gate rejects': over, 'gate throws': over },
    },
    streaming: {
      on: {
        ...endable,
        'model says': stepped,
        'model is cut at its limit': stepped,
        'model calls': 'tooling',
        'model fails': over,
        'model flakes': 'backing off',
        'model hangs': 'hanging',
      },
    },
    'backing off': { on: { ...endable, 'back-off ends': 'streaming' } },
    hanging: {
      on: { ...cancellable('#agent.cutting', '#agent.disposing a stream'), silence: over },
    },
    tooling: {
      on: {
        ...cancellable('#agent.draining', '#agent.disposing a tool'),
        'tool returns': owing,
        'tool fails': owing,
        'tool concludes': stepped,
      },
    },
    stopping: {
      on: {
        ...endable,
        'stop is accepted': [
          {
            guard: 'has input for the next step',
            target: 'gated again',
            actions: 'claim for a step',
          },
          ...over,
        ],
        'stop gate throws': over,
      },
    },
    converging: {
      on: { ...aborted, dispose: { target: 'disposing', actions: 'clear' }, hop: over },
    },
    cutting: {
      on: {
        ...aborted,
        dispose: { target: 'disposing a stream', actions: 'clear' },
        'grace ends': over,
      },
    },
    draining: {
      on: {
        ...aborted,
        dispose: { target: 'disposing a tool', actions: 'clear' },
        'tool returns': over,
        'tool fails': over,
        'grace ends': over,
      },
    },
    maintaining: {
      on: {
        ...cancellable('#agent.maintenance aborted', '#agent.disposing a task'),
        maintain: {},
        'task ends': over,
      },
    },
    'maintenance aborted': {
      on: {
        ...aborted,
        steer: { guard: 'has room for a steer', actions: 'steer' },
        dispose: { target: 'disposing a task', actions: 'clear' },
        'task ends': over,
      },
    },
    disposing: { on: { ...refusing, hop: { target: 'disposed', actions: 'end the turn' } } },
    'disposing a stream': { on: { ...refusing, 'grace ends': 'disposed' } },
    'disposing a tool': {
      on: {
        ...refusing,
        'tool returns': 'disposed',
        'tool fails': 'disposed',
        'grace ends': 'disposed',
      },
    },
    'disposing a task': { on: { ...refusing, 'task ends': 'disposed' } },
    disposed: { on: refusing },
  },
})

export type LifecycleState = keyof (typeof lifecycle)['states']

/** States in which the caller has not let a microtask pass yet. */
export const UNSETTLED: ReadonlySet<string> = new Set(['opening', 'converging', 'disposing'])
