/**
 * Performs the commands of a scenario in order: waits for their moment, issues them, keeps what they answer.
 *
 * @module
 */
import { answerMatches, describeAnswer, isRunResult } from './answers.ts'
import type { Moment } from './moment.ts'
import type { When } from './parse-when.ts'
import type { Verb } from './verb.ts'
import { look } from './verbs-wait.ts'
import type { Answered, World } from './world.ts'

/** One command with its moment. */
export interface Planned {
  readonly text: string
  readonly when: When
  readonly verbs: readonly Verb[]
}

type Inside = Planned & { readonly when: Extract<When, { kind: 'inside' }> }

interface Callback {
  readonly planned: Inside
  armed: boolean
  seen: number
  fired: boolean
}

const isInside = (planned: Planned): planned is Inside => planned.when.kind === 'inside'

/** Counts a moment that matches, and says whether it is the one. */
function isNow(callback: Callback, moment: Moment): boolean {
  const { place } = callback.planned.when
  if (callback.fired || !place.matches(moment)) return false
  callback.seen += 1
  return callback.armed && (place.nth === undefined || place.nth === callback.seen)
}

export class Performer {
  readonly #world: World
  readonly #plan: readonly Planned[]
  readonly #callbacks: Callback[]
  readonly #passes: boolean
  readonly diffs: string[] = []

  /** @param passes - do rejections inside callbacks reach the foreign code, although they were stated? */
  constructor(world: World, plan: readonly Planned[], passes: boolean) {
    this.#world = world
    this.#passes = passes
    this.#plan = plan
    this.#callbacks = plan.filter(isInside).map((planned) => ({
      planned,
      armed: planned.when.place.fixed,
      seen: 0,
      fired: false,
    }))
    world.on((moment) => this.#reached(moment))
  }

  /** Fires what was to be issued at this moment. */
  #reached(moment: Moment): Promise<unknown> | undefined {
    const started = this.#callbacks
      .filter((callback) => isNow(callback, moment))
      .map((callback) => this.#fire(callback, moment.agent))
      .filter((done) => done !== undefined)
    return started.length === 0 ? undefined : Promise.all(started)
  }

  #fire(callback: Callback, session: string): Promise<unknown> | undefined {
    const { verbs, when } = callback.planned
    callback.fired = true
    if (!when.micro) return this.#chain(verbs, session)
    queueMicrotask(() => {
      this.#chain(verbs, session)?.catch(() => undefined)
    })
    return undefined
  }

  /** Performs verbs one after another; waits only where one asks for it. */
  #chain(verbs: readonly Verb[], session: string): Promise<unknown> | undefined {
    for (const [i, verb] of verbs.entries()) {
      const answered = this.#issue(verb, session)
      const { value } = answered
      if (!(value instanceof Promise)) {
        this.#checkAnswer(verb, answered)
        continue
      }
      const stated = verb.answer !== undefined && !verb.answer.startsWith('throws')
      if (verb.mode === 'now' && !stated) continue
      const rest = (): unknown => this.#chain(verbs.slice(i + 1), session)
      return value.then(rest, (error: unknown) => this.#rejected(verb, answered, error, rest))
    }
    return undefined
  }

  /** A rejection inside a callback is the callback's own, unless it was stated and the log does not show it. */
  #rejected(verb: Verb, answered: Answered, error: unknown, rest: () => unknown): unknown {
    answered.threw = error
    this.#checkAnswer(verb, answered)
    if (verb.answer === undefined || this.#passes) throw error
    return rest()
  }

  /** Issues one command now. */
  #issue(verb: Verb, session = verb.session): Answered {
    const world = this.#world
    const run = world.run(
      world.agents.has(verb.session) && verb.session !== 's1' ? verb.session : session,
    )
    const answered: Answered = { text: verb.text, stated: verb.answer !== undefined }
    world.answers.push(answered)
    if (verb.key.startsWith('release')) look({ world, run }, `before ${verb.key}`)
    try {
      answered.value = verb.act({ world, run, agent: run.agent })
    } catch (error) {
      answered.threw = error
      world.values.set('throws', world.values.get('throws') ?? error)
    }
    if (answered.value instanceof Promise) this.#follow(verb, answered, answered.value)
    look({ world, run }, `${verb.key} returned`)
    return answered
  }

  /** Keeps a promise under its name, and what it settles with. */
  #follow(verb: Verb, answered: Answered, promise: Promise<unknown>): void {
    const world = this.#world
    const name = verb.name ?? verb.key
    world.promises.delete(name)
    world.promises.set(name, promise)
    const run = world.run(world.agents.has(verb.session) ? verb.session : 's1')
    promise.then(
      (value: unknown) => {
        answered.value = value
        if (isRunResult(value)) world.runs.set(verb.name ?? 'run', value)
        world.values.set(`settled ${name}`, value)
        look({ world, run }, `${name} settled`)
      },
      (error: unknown) => {
        answered.value = undefined
        answered.threw = error
        world.values.set(`settled ${name}`, error)
        world.values.set('rejects', world.values.get('rejects') ?? error)
        look({ world, run }, `${name} settled`)
      },
    )
  }

  /** Arms the callbacks that are listed behind command `i`, before the next command that is none. */
  #arm(i: number): void {
    for (let j = i + 1; j < this.#plan.length; j += 1) {
      const planned = this.#plan[j]
      if (planned === undefined || !isInside(planned)) return
      for (const callback of this.#callbacks)
        if (callback.planned === planned) callback.armed = true
    }
  }

  /** Waits for the moment of a command; undefined where it is now. */
  #wait(planned: Planned, i: number): Promise<unknown> | undefined {
    const { when } = planned
    if (when.kind === 'microtask') return Promise.resolve()
    if (when.kind === 'later') return this.#world.clock.advance(when.ms)
    if (when.kind === 'reach') return this.#reach(planned, () => when.test(this.#world))
    if (when.kind === 'idle') return i === 0 ? undefined : this.#idle(when.session, when.label)
    if (when.kind !== 'then') return undefined
    const before = this.#callbacks.filter((callback) => this.#plan.indexOf(callback.planned) < i)
    if (before.every((callback) => callback.fired)) return undefined
    return this.#reach(planned, () => before.every((callback) => callback.fired))
  }

  async #reach(planned: Planned, test: () => boolean): Promise<void> {
    if (test()) return
    const came = await this.#world.until(test)
    if (!came) this.diffs.push(`the moment of this command never came: ${planned.text}`)
  }

  async #idle(session: string, label: string): Promise<void> {
    const run = this.#world.run(this.#world.agents.has(session) ? session : 's1')
    const calm = await this.#world.settled(run.agent.whenIdle())
    if (!calm) this.diffs.push(`the agent did not become quiescent (${label})`)
    look({ world: this.#world, run }, label === 'idle' ? 'idle' : 'after idle')
  }

  /** Performs the whole plan. */
  async perform(): Promise<void> {
    this.#arm(-1)
    for (const [i, planned] of this.#plan.entries()) {
      if (isInside(planned)) continue
      this.#arm(i)
      const wait = this.#wait(planned, i)
      if (wait !== undefined) await wait
      for (const verb of planned.verbs) {
        const end = this.#end(verb, this.#issue(verb))
        if (end !== undefined) await end
      }
    }
  }

  /** Waits for what a command asks to wait for; undefined where there is nothing. */
  #end(verb: Verb, answered: Answered): Promise<unknown> | undefined {
    const { value } = answered
    if (!(value instanceof Promise)) {
      this.#checkAnswer(verb, answered)
      return undefined
    }
    const stated = verb.answer !== undefined && !verb.answer.startsWith('throws')
    if (verb.mode === 'drives') return value
    if (verb.mode === 'now' && !stated) {
      this.#checkAnswer(verb, answered)
      return undefined
    }
    return this.#world.settled(value).then((settled) => {
      if (!settled) this.diffs.push(`this never settled: ${verb.text}`)
      this.#checkAnswer(verb, answered)
    })
  }

  /** Compares a stated answer with the real one. */
  #checkAnswer(verb: Verb, answered: Answered): void {
    if (verb.answer === undefined) return
    const got = describeAnswer(answered)
    if (answerMatches(verb.answer, answered)) return
    this.diffs.push(`${verb.text} answered ${got}, expected ${verb.answer}`)
  }

  /** Callbacks whose moment never came. */
  get missed(): readonly string[] {
    return this.#callbacks
      .filter((callback) => !callback.fired)
      .map((callback) => callback.planned.text)
  }
}
