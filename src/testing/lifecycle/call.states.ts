/**
 * The states of the built-in model from the answer of the model to the end of the turn: calls, and what follows a step.
 *
 * @module
 */
import { type Facts, waitsFor } from './facts.ts'
import type { ModelState } from './model.ts'
import { follows, onCancellable, onEndable, stopsAnyway } from './ways.ts'
import type { LifecycleEvent, LifecycleState, TurnState } from './words.ts'

type State = ModelState<LifecycleState, LifecycleEvent>

const { over, owing, stepped, stopped } = follows
const phase = 'turn'

const answered = ({ step, stream }: Facts): boolean => step && stream === 'answered'

/** From the answer to the outcomes of its calls. */
const calling = {
  admitting: {
    phase,
    waits: 'toolPre',
    seen: (facts) => answered(facts) && waitsFor('toolPre')(facts),
    on: {
      ...onEndable,
      'policy allows': 'tooling',
      'policy denies': owing,
      'policy throws': owing,
      'policy asks': 'asking',
    },
  },
  asking: {
    phase,
    seen: (facts) => answered(facts) && facts.questions.length > 0,
    on: { ...onEndable, 'person allows': 'tooling', 'person denies': owing },
  },
  accounting: {
    phase,
    waits: 'toolPost',
    seen: (facts) => answered(facts) && waitsFor('toolPost')(facts),
    on: { ...onEndable, 'audit passes': owing, 'audit blocks': owing, 'audit throws': owing },
  },
  tooling: {
    phase,
    waits: 'tool',
    seen: (facts) => answered(facts) && facts.calls.length === 1 && waitsFor('tool')(facts),
    on: {
      ...onCancellable('draining', 'disposing a tool'),
      'tool returns': owing,
      'tool returns, audit waits': 'accounting',
      'tool fails': owing,
      'tool concludes': stepped,
      'tool time is up': owing,
    },
  },
  'two tools': {
    phase,
    waits: ['second tool', 'tool'],
    seen: (facts) => answered(facts) && facts.calls.length === 2 && facts.waits.length === 2,
    on: {
      ...onCancellable('draining two', 'disposing two tools'),
      'tool returns': 'last tool',
      'tool fails': 'last tool',
      'second tool returns': 'tooling',
      'second tool fails': 'tooling',
      'tool time is up': owing,
    },
  },
  'one tool of two': {
    phase,
    waits: 'tool',
    seen: (facts) => answered(facts) && facts.calls.length === 2 && facts.waits.length === 1,
    on: {
      ...onCancellable('draining', 'disposing a tool'),
      'tool returns': 'last tool',
      'tool fails': 'last tool',
      'tool time is up': 'last tool',
    },
  },
  'last tool': {
    phase,
    waits: 'second tool',
    seen: (facts) => answered(facts) && facts.calls.length === 1 && waitsFor('second tool')(facts),
    on: {
      ...onCancellable('draining last', 'disposing the last tool'),
      'second tool returns': owing,
      'second tool fails': owing,
      'tool time is up': owing,
    },
  },
} as const satisfies Partial<Record<TurnState, State>>

const between = ({ step, stepped: late }: Facts): boolean => late && !step

/** Between two steps. */
const deciding = {
  weighing: {
    phase,
    waits: 'continuation',
    seen: (facts) => between(facts) && waitsFor('continuation')(facts),
    on: {
      ...onEndable,
      'weighing goes on': owing,
      'weighing stops': stopsAnyway,
      'weighing leaves it': stepped,
      'weighing throws': over,
    },
  },
  'gated again': {
    phase,
    waits: 'preStep',
    seen: (facts) => between(facts) && facts.owes && waitsFor('preStep')(facts),
    on: {
      ...onEndable,
      'gate enters': 'streaming',
      'gate enters, request waits': 'composing',
      'gate rejects': over,
      'gate answers badly': over,
      'gate throws': over,
    },
  },
  stopping: {
    phase,
    waits: 'turnStopping',
    seen: (facts) => between(facts) && !facts.owes && waitsFor('turnStopping')(facts),
    on: { ...onEndable, 'stop is accepted': stopped, 'stop gate throws': over },
  },
} as const satisfies Partial<Record<TurnState, State>>

/** All of them, in the order in which they are asked. */
export const callStates = { ...calling, ...deciding } as const
