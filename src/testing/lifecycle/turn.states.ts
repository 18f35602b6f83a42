/**
 * The states of the built-in model in which a turn runs that nobody has aborted.
 *
 * More than one of `seen` may answer true: they stand from the special to the general.
 *
 * @module
 */
import { waitsFor } from './facts.ts'
import type { ModelState } from './model.ts'
import { changes, conditions } from './remembered.ts'
import { callStates } from './call.states.ts'
import { follows, onCancellable, onEndable, onUnstepped } from './ways.ts'
import type { LifecycleEvent, LifecycleState, TurnState } from './words.ts'

type State = ModelState<LifecycleState, LifecycleEvent>

const { over, limited, owing, stepped } = follows
const phase = 'turn'

/** Before the first step. */
const entering = {
  opening: {
    phase,
    unsettled: 'hop',
    seen: ({ stepped: late, waits }) => !late && waits.length === 0,
    on: { ...onUnstepped, hop: 'gated', 'hop, assembly waits': 'assembling' },
  },
  assembling: {
    phase,
    waits: 'assembly',
    seen: (facts) => !facts.stepped && waitsFor('assembly')(facts),
    on: { ...onUnstepped, 'assembly ends': 'gated', 'assembly throws': over },
  },
  gated: {
    phase,
    waits: 'preStep',
    seen: (facts) => !facts.stepped && waitsFor('preStep')(facts),
    on: {
      ...onUnstepped,
      'gate enters': { to: 'streaming', do: changes['forget the batch'] },
      'gate enters, request waits': { to: 'composing', do: changes['forget the batch'] },
      'gate rejects': over,
      'gate rejects and restores': {
        if: conditions['has room for the batch'],
        to: 'gated',
        do: [changes['give back'], changes['end the turn'], changes.claim],
      },
      'gate drops all': over,
      'gate answers badly': over,
      'gate throws': over,
    },
  },
} as const satisfies Partial<Record<TurnState, State>>

/** From the request to the answer. */
const requesting = {
  composing: {
    phase,
    waits: 'request',
    seen: (facts) => facts.step && facts.stream === 'asked' && waitsFor('request')(facts),
    on: { ...onEndable, 'request passes': 'streaming', 'request gate throws': over },
  },
  streaming: {
    phase,
    waits: 'model',
    seen: (facts) => facts.step && facts.failures === 0 && waitsFor('model')(facts),
    on: {
      ...onEndable,
      'model says': stepped,
      'model says nothing': stepped,
      'model says, review waits': 'reviewing',
      'model says, weighing waits': 'weighing',
      'model is cut at its limit': stepped,
      'model is cut in a call': stepped,
      'model begins': 'speaking',
      'model fails': over,
      'model fails, appeal waits': 'appealing',
      'model flakes': 'backing off',
      'model hangs': 'hanging',
      'model calls': 'tooling',
      'model calls nobody': owing,
      'model calls, policy waits': 'admitting',
      'model calls two': 'one tool of two',
      'model calls two at once': 'two tools',
    },
  },
  'streaming again': {
    phase,
    waits: 'model',
    seen: (facts) => facts.step && facts.failures > 0 && waitsFor('model')(facts),
    on: {
      ...onEndable,
      'model says': stepped,
      'model fails': over,
      'model flakes': limited,
      'model hangs': 'hanging',
      'model calls': 'tooling',
    },
  },
  speaking: {
    phase,
    waits: 'speech',
    seen: (facts) => facts.stream === 'begun' && waitsFor('speech')(facts),
    on: { ...onEndable, 'model ends': stepped, 'model breaks off': over, silence: over },
  },
  hanging: {
    phase,
    waits: 'deaf stream',
    seen: (facts) => facts.stream === 'begun' && waitsFor('deaf stream')(facts),
    on: { ...onCancellable('cutting', 'disposing a stream'), silence: over },
  },
  reviewing: {
    phase,
    waits: 'stepResult',
    seen: (facts) => facts.stream === 'begun' && waitsFor('stepResult')(facts),
    on: { ...onEndable, 'review passes': stepped, 'review throws': over },
  },
  appealing: {
    phase,
    waits: 'requestError',
    seen: (facts) => facts.stream === 'begun' && waitsFor('requestError')(facts),
    on: {
      ...onEndable,
      'appeal retries': 'streaming again',
      'appeal is dropped': over,
      'appeal throws': over,
    },
  },
  'backing off': {
    phase,
    seen: ({ step, stream, waits }) => step && stream === 'failed' && waits.length === 0,
    on: { ...onEndable, 'back-off ends': 'streaming again' },
  },
} as const satisfies Partial<Record<TurnState, State>>

/** All of them, in the order in which they are asked. */
export const turnStates: { readonly [Name in TurnState]: State } = {
  ...entering,
  ...requesting,
  ...callStates,
}
