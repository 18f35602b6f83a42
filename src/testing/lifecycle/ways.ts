/**
 * Where the moves of the built-in model lead: what follows a turn and a step, and what commands do in each phase.
 *
 * @module
 */
import type { Branch, Way } from './model.ts'
import { changes, conditions, parksSomething, type Remembered, sumOf } from './remembered.ts'
import type { EndingState, LifecycleCommand, LifecycleState } from './words.ts'

type Known = Remembered
type Branches = readonly Branch<LifecycleState>[]
type Commands = { readonly [Name in LifecycleCommand]?: Way<LifecycleState> }

const END = changes['end the turn']

/** Whatever ends a turn: waking work goes on by itself. */
const over: Branches = [
  { if: conditions['has waking work'], to: 'gated', do: [END, changes.claim] },
  { to: 'idle', do: END },
]

/** A budget ended the turn: what waited for a step is parked, and joins whatever turn comes next. */
const limited: Branches = [
  { if: conditions['has a prompt'], to: 'gated', do: [END, changes.claim] },
  { to: 'idle', do: [END, changes['park what waits for a step']] },
]

/** Next-step input goes on in the turn. */
const onward: Branch<LifecycleState> = {
  if: conditions['has input for the next step'],
  to: 'gated again',
  do: changes['claim for a step'],
}

/** What follows, for models that extend the built-in one. */
export const follows = {
  /** The turn is over; waking work opens the next one. */
  over,
  /** The turn is over because a budget said so. */
  limited,
  /** A step that owes nothing is over: next-step input goes on in the turn, else the stop may be objected to. */
  stepped: [onward, { to: 'stopping' }],
  /** A step that owes its results is over: the next one opens. */
  owing: { to: 'gated again', do: changes['claim for a step'] },
  /** Nobody objected to the stop. */
  stopped: [onward, ...over],
} as const satisfies Readonly<Record<string, Way<LifecycleState>>>

/** The same where a gate has said that the turn ends although there is input for another step. */
export const stopsAnyway: Branches = [
  { ...over[0], if: conditions['has both'] },
  { if: conditions['has input for the next step'], to: 'idle', do: END },
  { to: 'stopping' },
]

const counted = (word: string, { pending }: Known): string =>
  sumOf(pending) > 0 ? `${word} ${sumOf(pending)}` : word

const hits = (known: Known): string => counted('aborted', known)
const drops = (known: Known): string =>
  sumOf(known.pending) > 0 ? counted('discarded', known) : 'none'
const discards = (known: Known): string =>
  sumOf(known.pending) > 0 || parksSomething(known) ? counted('discarded', known) : 'none'
const parks = (known: Known): string => (parksSomething(known) ? 'discarded' : 'none')

const followup = { if: conditions['has room for a prompt'], do: changes.prompt } as const
const steer = { if: conditions['has room for a steer'], do: changes.steer } as const
const inject = { if: conditions['has room for a note'], do: changes.note } as const
const anotherTurn = { says: 'none TURN_FINISHED' } as const

/** Commands that only change what pends. */
const staging = {
  followup,
  steer,
  inject,
  'inject a turn': inject,
  clear: { do: changes['clear only'], says: ({ pending }: Known) => String(sumOf(pending) > 0) },
  maintain: { says: 'AGENT_BUSY' },
  'cancel another turn': anotherTurn,
} as const satisfies Commands

const clear = { do: changes.clear, says: discards } as const
const drop = { do: changes['clear only'], says: drops } as const
const hold = { do: changes.hold, says: parks } as const

/** Commands on an agent that has nothing to abort, any more or yet. */
const nothingToAbort = {
  ...staging,
  cancel: clear,
  'cancel, keep': hold,
  'cancel, resume': drop,
  'cancel, restore': hold,
  abort: { says: 'none' },
  'abort, restore': { says: 'none' },
} as const satisfies Commands

const disposal = (to: LifecycleState): Commands => ({
  dispose: { to, do: changes.clear },
  'dispose, keep': { to, do: changes.hold },
})

/** Commands on an aborted turn: a steer belongs to a later one. */
export const onAborted = (disposing: EndingState): Commands => ({
  ...nothingToAbort,
  steer: followup,
  'cancel this turn': clear,
  ...disposal(disposing),
})

/** Commands on an aborted maintenance task. */
export const onAbortedTask: Commands = {
  ...nothingToAbort,
  'cancel this turn': anotherTurn,
  ...disposal('disposing a task'),
}

/** Commands on an agent at rest. */
export const onIdle: Commands = {
  ...nothingToAbort,
  followup: { ...followup, to: 'opening', do: [changes.prompt, changes.claim] },
  steer: { if: steer.if, to: 'opening', do: [changes.steer, changes.claim] },
  'inject a turn': { tells: ['running', 'idle'] },
  'cancel this turn': anotherTurn,
  maintain: 'maintaining',
  ...disposal('disposed'),
}

/** Commands on what a cancel takes `into` another state; what a turn has claimed does not go back. */
export function onCancellable(into: LifecycleState, disposing: EndingState): Commands {
  const forget = changes['forget the batch']
  const cancel = { to: into, do: [forget, changes.clear], says: hits } as const
  const keep = { to: into, do: [forget, changes.hold], says: 'aborted' } as const
  const abort = { to: into, do: forget, says: 'aborted' } as const
  return {
    ...staging,
    cancel,
    'cancel this turn': cancel,
    'cancel, resume': { ...cancel, do: [forget, changes['clear only']] },
    'cancel, keep': keep,
    'cancel, restore': keep,
    abort,
    'abort, restore': abort,
    dispose: { to: disposing, do: [forget, changes.clear] },
    'dispose, keep': { to: disposing, do: [forget, changes.hold] },
  }
}

/** Commands on a turn that ends as soon as a microtask has passed. */
export const onEndable: Commands = onCancellable('converging', 'disposing')

/** The same before the first step: what the turn has claimed may go back. */
export const onUnstepped: Commands = {
  ...onEndable,
  'cancel, restore': {
    if: conditions['has room for the batch'],
    to: 'converging',
    do: [changes.hold, changes['give back, held']],
    says: 'aborted',
  },
  'abort, restore': {
    if: conditions['has room for the batch'],
    to: 'converging',
    do: changes['give back'],
    says: 'aborted',
  },
}

const refused = { says: 'refused' } as const
const unheard = { says: 'none' } as const

/** Commands on an agent that is disposing or disposed. */
export const onGone: Commands = {
  followup: refused,
  steer: refused,
  inject: refused,
  'inject a turn': refused,
  clear: refused,
  maintain: refused,
  cancel: unheard,
  'cancel, keep': unheard,
  'cancel, restore': unheard,
  'cancel, resume': unheard,
  'cancel this turn': unheard,
  'cancel another turn': unheard,
  abort: unheard,
  'abort, restore': unheard,
  dispose: {},
  'dispose, keep': {},
}
