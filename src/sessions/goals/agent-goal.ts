/**
 * The goal of one agent: its changes, each a compare-and-set on the revision, and the rounds that follow from it.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import type { Agent } from '../../actors/agent-handle.ts'
import { currentInitiator } from '../../actors/initiator.ts'
import { doorOf, type ServiceDoor } from '../../actors/service-door.ts'
import { AgentDisposedError, TurnwiseError } from '../../errors.ts'
import { goal, type GoalChange, type GoalPhase, type GoalState } from '../../projections/goal.ts'
import type { AgentGoal, Disarmed, GoalAnswer, GoalChangeOptions } from './goal-port.ts'
import type { RoundsOwner, Verdict } from './round-end.ts'
import { Rounds } from './rounds.ts'

type RoundOptions = Pick<RoundsOwner, 'maxGoalRounds' | 'prompt'>

/** Phases from which one may be reached; another one is a conflict. */
const FROM: Readonly<Record<GoalPhase, readonly GoalPhase[]>> = {
  active: ['paused', 'blocked'],
  paused: ['active', 'blocked'],
  blocked: ['active', 'paused'],
  complete: ['active', 'paused', 'blocked'],
}

/** The goal of one agent. */
export class LocalGoal implements AgentGoal, RoundsOwner {
  readonly agent: Agent
  readonly maxGoalRounds: number
  readonly prompt: RoundsOwner['prompt']
  private readonly door: ServiceDoor
  private readonly rounds: Rounds
  private unloading: Promise<void> | undefined

  constructor(agent: Agent, { maxGoalRounds, prompt }: RoundOptions, onUnload: () => void) {
    this.agent = agent
    this.maxGoalRounds = maxGoalRounds
    this.prompt = prompt
    this.door = doorOf(agent)
    this.rounds = new Rounds(agent, this.door, this)
    this.onUnload = onUnload
  }

  private readonly onUnload: () => void

  get state(): GoalState | null {
    return this.agent.read(goal)
  }

  get armed(): boolean {
    return this.rounds.disarmed === null
  }

  get disarmed(): Disarmed | null {
    return this.rounds.disarmed
  }

  set(
    objective: string,
    { expect, id = randomUUID() }: Pick<GoalChangeOptions, 'expect'> & { id?: string } = {},
  ): GoalAnswer {
    checkObjective(objective)
    return this.change(expect, () => ({ id, change: { kind: 'set', objective } }))
  }

  edit(objective: string, { expect }: Pick<GoalChangeOptions, 'expect'> = {}): GoalAnswer {
    checkObjective(objective)
    return this.change(expect, (state) => {
      const { id, phase } = present(state)
      if (phase === 'complete') throw conflict('an unfinished goal', 'a complete one')
      return { id, change: { kind: 'edit', objective } }
    })
  }

  arm(): void {
    this.door.apply(() => {
      const { phase } = present(this.state)
      if (phase !== 'active') throw conflict('an active goal', `a goal that is ${phase}`)
      this.rounds.arm()
    })
  }

  disarm(): void {
    this.rounds.disarm('asked')
  }

  resume(options: GoalChangeOptions = {}): GoalAnswer {
    const answer =
      this.state?.phase === 'active'
        ? this.look(options.expect)
        : this.toPhase('active', undefined, options)
    this.arm()
    return answer
  }

  pause(options: GoalChangeOptions = {}): GoalAnswer {
    return this.toPhase('paused', 'asked', options)
  }

  block(options: GoalChangeOptions = {}): GoalAnswer {
    return this.toPhase('blocked', 'asked', options)
  }

  complete(options: GoalChangeOptions = {}): GoalAnswer {
    return this.toPhase('complete', undefined, options)
  }

  /** A goal that is no longer active keeps what it came to. */
  conclude({ phase, code, reason }: Verdict): void {
    if (this.state?.phase !== 'active') return
    try {
      this.toPhase(phase, code, reason === undefined ? {} : { reason })
    } catch (error) {
      this.rounds.disarm('error')
      if (!(error instanceof AgentDisposedError)) this.door.diagnose(error)
    }
  }

  unload(): Promise<void> {
    this.unloading ??= this.rounds.unload().then(this.onUnload)
    const initiator = currentInitiator()
    if (initiator?.agent !== this.agent.id || !initiator.open) return this.unloading
    return Promise.reject(
      new TurnwiseError(
        'SELF_WAIT',
        `unload() of the goal of agent ${this.agent.id} was awaited inside its own ${initiator.what}, which would wait for itself; only this promise rejects. Do not await it.`,
      ),
    )
  }

  /** Compares the revision and changes nothing. */
  private look(expect: number | undefined): GoalAnswer {
    return this.door.apply(() => {
      checkRevision(this.state, expect)
      return present(this.state)
    })
  }

  private toPhase(
    phase: GoalPhase,
    code: string | undefined,
    { expect, reason }: GoalChangeOptions,
  ): GoalAnswer {
    return this.change(expect, (state) => {
      const { id, phase: from } = present(state)
      if (!FROM[phase].includes(from))
        throw conflict(`a goal that is ${FROM[phase].join(' or ')}`, `one that is ${from}`)
      const why = { ...(code !== undefined && { code }), ...(reason !== undefined && { reason }) }
      return { id, change: { kind: 'phase', phase, ...why } }
    })
  }

  private change(
    expect: number | undefined,
    make: (state: GoalState | null) => { readonly id: string; readonly change: GoalChange },
  ): GoalAnswer {
    return this.door.apply((append) => {
      const { state } = this
      checkRevision(state, expect)
      const { id, change } = make(state)
      const revision = (state?.revision ?? 0) + 1
      append({ type: 'goal/change', data: { goal: id, revision, change: { ...change } } })
      return this.state as GoalState
    })
  }
}

function checkObjective(objective: unknown): void {
  if (typeof objective === 'string' && objective.trim() !== '') return
  throw new TurnwiseError(
    'INVALID_OPTION',
    `expected an objective in words, found ${JSON.stringify(objective) ?? String(objective)}; nothing was written.`,
  )
}

function checkRevision(state: GoalState | null, expect: number | undefined): void {
  if (expect === undefined || expect === (state?.revision ?? 0)) return
  throw conflict(`revision ${expect}`, `revision ${state?.revision ?? 0}`)
}

function present(state: GoalState | null): GoalState {
  if (state === null) throw conflict('a goal', 'none')
  return state
}

const conflict = (expected: string, found: string): TurnwiseError =>
  new TurnwiseError(
    'GOAL_CONFLICT',
    `expected ${expected}, found ${found}; nothing was written. Read the goal again and decide anew.`,
  )
