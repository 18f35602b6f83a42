/**
 * Walks a real agent along a path and judges it by its log: after each move, and when everything is over.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import { causeChain, TurnwiseError } from '../../errors.ts'
import type { StoredEvent } from '../../events/event.ts'
import { checkInvariants } from '../check-invariants.ts'
import { checkRun } from '../check-run.ts'
import type { Phase } from './facts.ts'
import { announced, foretold, found } from './judge.ts'
import type { Check, LifecycleModel } from './model.ts'
import type { Path } from './paths.ts'
import { heardRejections } from './rejections.ts'
import type { Remembered } from './remembered.ts'
import { Stage } from './stage.ts'
import { foresee, type Foreseen, moveOf, startOf, stateOf } from './standing.ts'

/** What an agent did that the model, or what holds for every run, does not allow. */
export interface Disagreement {
  /**
   * - `answer`: the move was answered otherwise, or could not be made.
   * - `standing`: the log puts the agent elsewhere, something else pends, or something else waits.
   * - `status`: other statuses were announced.
   * - `run`: the whole log, or what was seen beside it, breaks a rule.
   * - `check`: a check of the model says so.
   */
  readonly kind: 'answer' | 'standing' | 'status' | 'run' | 'check'
  /** What the model says, where it says anything. */
  readonly expected?: string
  readonly found: string
}

/** One move that was made. */
export interface MoveMade {
  readonly move: string
  /** Where the model says that the agent stands after it. */
  readonly state: string
  /** Length of the log after it. */
  readonly length: number
}

/** A path that was walked. */
export interface PathRun {
  /** The agent did what the model says. */
  readonly ok: boolean
  /** What it did otherwise; the first is the cause. After a disagreement in mid-path no further move is made. */
  readonly disagreements: readonly Disagreement[]
  readonly moves: readonly MoveMade[]
  /** The log at the last move that was made, or at the end of a path that was walked whole. */
  readonly log: readonly StoredEvent[]
}

export interface RunPathOptions {
  /** Makes the agent of the path, with what the stage offers. Default: that of the model. */
  readonly agent?: (stage: Stage) => Agent
  /** Judges the run beside the checks of the model. */
  readonly check?: Check
}

/**
 * Walks a new agent along `path`. One at a time: a rejection that nobody handles is laid to the path under way.
 *
 * @param path - one of `pathsOf`, or the names of moves.
 * @throws TurnwiseError INVALID_OPTION for a move that the model does not foresee; what making the agent throws.
 */
export async function runPath<
  State extends string,
  Event extends string,
  Memory extends Remembered,
>(
  model: LifecycleModel<State, Event, Memory>,
  path: Path<State, Event> | readonly Event[],
  options: RunPathOptions = {},
): Promise<PathRun> {
  const plan = planOf(model, 'moves' in path ? path.moves : path)
  const rejections = heardRejections()
  try {
    const walk = new Walk(model, new Stage(options.agent ?? model.agent))
    for (const { move, foreseen } of plan) {
      const agrees = walk.move(move, foreseen)
      // No microtask passes where the model says so.
      if (!(typeof agrees === 'boolean' ? agrees : await agrees)) return await walk.abandon()
    }
    await walk.finish(
      [...model.checks, ...(options.check ? [options.check] : [])],
      rejections.heard,
    )
    return walk.run()
  } finally {
    rejections.stop()
  }
}

/** A move, and what the model foresees for it. */
interface Planned<State extends string, Event extends string, Memory extends Remembered> {
  readonly move: Event
  readonly foreseen: Foreseen<State, Memory>
}

/** What the model foresees. A path that ends before a microtask has passed goes on until it has. */
function planOf<State extends string, Event extends string, Memory extends Remembered>(
  model: LifecycleModel<State, Event, Memory>,
  moves: readonly Event[],
): Planned<State, Event, Memory>[] {
  const plan: Planned<State, Event, Memory>[] = []
  let at = startOf(model)
  const add = (move: Event): void => {
    const foreseen = foresee(model, at, move)
    if (foreseen === undefined) throw impossible(model.name, move, at.state, plan.length)
    plan.push({ move, foreseen })
    at = foreseen.to
  }
  for (const move of moves) add(move)
  const { unsettled } = stateOf(model, at.state)
  if (unsettled !== undefined) add(unsettled)
  return plan
}

const impossible = (name: string, move: string, state: string, i: number): TurnwiseError =>
  new TurnwiseError(
    'INVALID_OPTION',
    `expected a path of the model "${name}", found the move "${move}" at place ${i + 1}, which is not possible in "${state}"; nothing was run. Take a path of pathsOf(model).`,
  )

class Walk<State extends string, Event extends string, Memory extends Remembered> {
  readonly #model: LifecycleModel<State, Event, Memory>
  readonly #stage: Stage
  readonly #made: MoveMade[] = []
  readonly #wrong: Disagreement[] = []
  readonly #statuses: string[] = []
  #phase: Phase

  constructor(model: LifecycleModel<State, Event, Memory>, stage: Stage) {
    this.#model = model
    this.#stage = stage
    this.#phase = stateOf(model, model.initial).phase
  }

  /** @returns whether the agent did what was foreseen. */
  move(move: Event, foreseen: Foreseen<State, Memory>): boolean | Promise<boolean> {
    const { to, tells } = foreseen
    const { phase, unsettled } = stateOf(this.#model, to.state)
    this.#statuses.push(...tells, ...announced(this.#phase, phase))
    this.#phase = phase
    const answer = answerOf(() => moveOf(this.#model, move)(this.#stage))
    return unsettled !== undefined
      ? this.#judge(move, foreseen, typeof answer === 'string' ? answer : 'a promise')
      : this.#judgeAtRest(move, foreseen, answer)
  }

  async #judgeAtRest(
    move: Event,
    foreseen: Foreseen<State, Memory>,
    answer: string | Promise<string>,
  ): Promise<boolean> {
    const said = await answer
    await this.#stage.rest()
    return this.#judge(move, foreseen, said)
  }

  #judge(move: Event, { to, says }: Foreseen<State, Memory>, answer: string): boolean {
    const stage = this.#stage
    this.#made.push({ move, state: to.state, length: stage.agent.log.length })
    this.#compare('answer', says, answer)
    this.#compare('standing', foretold(this.#model, to), found(this.#model, stage))
    const told = stage.seen.statuses.map(({ status }) => status)
    this.#compare('status', this.#statuses.join(', '), told.join(', '))
    return this.#wrong.length === 0
  }

  #compare(kind: Disagreement['kind'], expected: string, what: string): void {
    if (expected !== what) this.#wrong.push({ kind, expected, found: what })
  }

  /** Ends what still runs, and judges the whole. */
  async finish(checks: readonly Check[], rejections: () => readonly unknown[]): Promise<void> {
    const stage = this.#stage
    const failure = await stage.finish().then(
      () => undefined,
      (error: unknown) => error,
    )
    if (failure !== undefined) this.#found('run', `disposal failed: ${causeChain(failure)}`)
    const { log } = stage.agent
    const record = { ...stage.seen, rejections: rejections(), atRest: true }
    for (const { invariant, rule, seq, message } of checkInvariants(log, record)) {
      this.#found(
        'run',
        `${invariant} ${rule}${seq === null ? '' : ` at event ${seq}`}: ${message}`,
      )
    }
    for (const problem of checkRun(log.read())) this.#found('run', problem)
    for (const check of checks) this.#check(check)
  }

  #check(check: Check): void {
    try {
      const says = check({ log: this.#stage.agent.log.read(), stage: this.#stage })
      for (const problem of [says ?? []].flat()) this.#found('check', problem)
    } catch (error) {
      this.#found('check', causeChain(error))
    }
  }

  /** Ends what still runs, so that nothing of it reaches the next path. */
  async abandon(): Promise<PathRun> {
    const run = this.run()
    await this.#stage.finish().catch(() => {})
    return run
  }

  #found(kind: Disagreement['kind'], what: string): void {
    this.#wrong.push({ kind, found: what })
  }

  run(): PathRun {
    return {
      ok: this.#wrong.length === 0,
      disagreements: this.#wrong,
      moves: this.#made,
      log: [...this.#stage.agent.log.read()],
    }
  }
}

/** What a move answers; an error answers with its code. */
function answerOf(make: () => string | void | Promise<string | void>): string | Promise<string> {
  try {
    const answer = make()
    return answer instanceof Promise ? answer.then((said) => said ?? '', wordOf) : (answer ?? '')
  } catch (error) {
    return wordOf(error)
  }
}

/** By its code, not by its class: the agent may come from another copy of the library. */
function wordOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string') return causeChain(error)
  return code === 'AGENT_DISPOSED' ? 'refused' : code
}
