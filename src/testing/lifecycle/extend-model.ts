/**
 * Extends a lifecycle model by moves and states of your own.
 *
 * The extended model is left as it is. What is yours is asked first where an agent stands, so that a state of yours may
 * be a special case of one of the others.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import { TurnwiseError } from '../../errors.ts'
import { checkModel } from './check-model.ts'
import type { Facts } from './facts.ts'
import type { Check, LifecycleModel, ModelState, Move, Ways } from './model.ts'
import type { Remembered } from './remembered.ts'
import type { Stage } from './stage.ts'

/** A state of your own. */
export interface OwnState<State extends string, Event extends string, Memory, Base extends string> {
  /** A state of the extended model: the phase is the same, and commands lead where they lead from there. */
  readonly like: Base
  /** The moves of yours that are possible here, and commands that lead elsewhere. */
  readonly on?: Ways<State, Event, Memory>
  /** Is this where the log, and what waits outside, put the agent? Asked in the phase of `like` only. */
  readonly seen: (facts: Facts) => boolean
  /** What waits outside for a move; see `Stage.hold`. Default: nothing. */
  readonly waits?: string | readonly string[]
  /** The caller has not let a microtask pass yet: the move that does, which also ends each path that ends here. */
  readonly unsettled?: Event
}

/** What a model is extended by. */
export interface Extension<
  State extends string,
  Event extends string,
  Memory extends Remembered,
  OwnName extends string,
  OwnEvent extends string,
  Own extends object,
> {
  /** Default: that of the extended model. */
  readonly name?: string
  /** How your moves are made; a move of the extended model may be made otherwise. */
  readonly moves?: { readonly [Name in OwnEvent]: Move }
  readonly states?: {
    readonly [Name in OwnName]: OwnState<
      State | NoInfer<OwnName>,
      Event | NoInfer<OwnEvent>,
      Memory & NoInfer<Own>,
      State
    >
  }
  /** Moves in states of the extended model; they take the place of those of the same name. */
  readonly on?: {
    readonly [Name in State]?: Ways<
      State | NoInfer<OwnName>,
      Event | NoInfer<OwnEvent>,
      Memory & NoInfer<Own>
    >
  }
  /** Moves of the extended model that are no longer possible. States that only they lead to are not visited. */
  readonly without?: readonly Event[]
  /** What your changes count, as it is at first; or other bounds, such as `{ most: { prompts: 1, … } }`. */
  readonly remembers?: Own
  /** Makes the agent of one path. Default: as the extended model does. */
  readonly agent?: (stage: Stage) => Agent
  /** Judges each run, beside what holds for every log. */
  readonly check?: Check
}

type AnyState = ModelState<string, string, never>

/**
 * Extends `base`.
 *
 * @throws TurnwiseError INVALID_OPTION for a state that is like none, or a name that is not defined.
 */
export function extendModel<
  State extends string,
  Event extends string,
  Memory extends Remembered,
  OwnName extends string = never,
  OwnEvent extends string = never,
  Own extends object = Partial<Remembered>,
>(
  base: LifecycleModel<State, Event, Memory>,
  extension: Extension<NoInfer<State>, NoInfer<Event>, NoInfer<Memory>, OwnName, OwnEvent, Own>,
): LifecycleModel<State | OwnName, Event | OwnEvent, Memory & Own> {
  const { name = base.name, agent = base.agent, check, remembers = {} } = extension
  const model = {
    ...base,
    name,
    agent,
    remembers: { ...base.remembers, ...remembers },
    states: { ...ownStates(base, extension), ...changedStates(base, extension) },
    moves: { ...base.moves, ...extension.moves },
    checks: check === undefined ? base.checks : [...base.checks, check],
  } as unknown as LifecycleModel<State | OwnName, Event | OwnEvent, Memory & Own>
  checkModel(model)
  return model
}

type AnyModel = Pick<LifecycleModel<string, string, never>, 'name' | 'commands'> & {
  readonly states: object
}
interface AnyExtension {
  readonly states?: object
  readonly on?: object
  readonly without?: readonly string[]
}

function ownStates(base: AnyModel, { states = {} }: AnyExtension): Record<string, AnyState> {
  const known = new Map<string, AnyState>(Object.entries(base.states))
  const own = Object.entries(states) as [string, OwnState<string, string, never, string>][]
  return Object.fromEntries(
    own.map(([name, { like, on, ...rest }]) => {
      const other = known.get(like)
      if (other === undefined) throw likeNothing(base.name, name, like)
      const commands = Object.entries(other.on).filter(([move]) => base.commands.includes(move))
      return [name, { ...rest, phase: other.phase, on: { ...Object.fromEntries(commands), ...on } }]
    }),
  )
}

const likeNothing = (model: string, name: string, like: string): TurnwiseError =>
  new TurnwiseError(
    'INVALID_OPTION',
    `expected the state "${name}" to be like a state of the model "${model}", found "${like}"; nothing was extended. Name one of its states.`,
  )

function changedStates(
  base: AnyModel,
  { on = {}, without = [] }: AnyExtension,
): Record<string, AnyState> {
  const added = new Map<string, object>(Object.entries(on))
  const gone = new Set<string>(without)
  return Object.fromEntries(
    Object.entries(base.states as Record<string, AnyState>).map(([name, state]) => {
      const kept = Object.entries(state.on).filter(([move]) => !gone.has(move))
      return [name, { ...state, on: { ...Object.fromEntries(kept), ...added.get(name) } }]
    }),
  )
}
