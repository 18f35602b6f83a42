/**
 * Performs the commands of a scenario in order: waits for their moment, issues them, keeps what they answer.
 *
 * @module
 */
import { causeChain } from '../../errors.ts'
import type { RunResult } from '../../actors/agent-handle.ts'
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

export class Performer {
  readonly #world: World
  readonly #plan: readonly Planned[]
  readonly #callbacks: Callback[]
  readonly diffs: string[] = []

  constructor(world: World, plan: readonly Planned[]) {
    this.#world = world
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
    const started: Promise<unknown>[] = []
    for (const callback of this.#callbacks) {
      const { place, micro } = callback.planned.when
      if (callback.fired || !place.matches(moment)) continue
      callback.seen += 1
      if (!callback.armed || (place.nth !== undefined && place.nth !== callback.seen)) continue
      callback.fired = true
      if (micro) queueMicrotask(() => void this.#chain(callback.planned.verbs, moment.agent))
      else {
        const done = this.#chain(callback.planned.verbs, moment.agent)
        if (done !== undefined) started.push(done)
      }
    }
    return started.length === 0 ? undefined : Promise.all(started)
  }

  /** Performs verbs one after another; waits only where one asks for it. */
  #chain(verbs: readonly Verb[], session: string): Promise<unknown> | undefined {
    for (const [i, verb] of verbs.entries()) {
      const answered = this.#issue(verb, session)
      if (verb.mode === 'now' || !(answered.value instanceof Promise)) continue
      return answered.value.then(() => this.#chain(verbs.slice(i + 1), session))
    }
    return undefined
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
    const stated = verb.answer !== undefined && !/^throws/.test(verb.answer)
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

const isRunResult = (value: unknown): value is RunResult =>
  typeof value === 'object' && value !== null && 'finalResponse' in value && 'turns' in value

/** An answer in words: `true`, `throws DUPLICATE_ID`, `rejects x`. */
export function describeAnswer(answered: Answered): string {
  if (answered.threw !== undefined) return `throws ${errorWords(answered.threw)}`
  return typeof answered.value === 'object'
    ? JSON.stringify(answered.value)
    : String(answered.value)
}

/** Name, code and message of a thrown value. */
export function errorWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  return `${error.name} ${code} ${causeChain(error)}`
}

function answerMatches(want: string, answered: Answered): boolean {
  const failure = /^(?:throws|rejects)\b(?: synchronously)?(?: with)?\s*"?(.*?)"?$/.exec(want)
  if (failure !== null) {
    return answered.threw !== undefined && errorWords(answered.threw).includes(failure[1] ?? '')
  }
  if (answered.threw !== undefined) return errorWords(answered.threw).includes(want)
  const { value } = answered
  if (typeof value !== 'object' || value === null) return String(value) === want.replaceAll('"', '')
  const words = Object.entries(value).flatMap(([key, item]) => [
    String(item),
    `${key}: ${String(item)}`,
  ])
  return want
    .replace(/^\{|\}$/g, '')
    .split(/\s*,\s*/)
    .every((part) => words.includes(part))
}
