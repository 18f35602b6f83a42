/**
 * Builds what is no gate from phrases: assembly of the system prompt, observers and listeners, a dispatcher that breaks,
 * providers of context.
 *
 * @module
 */
import { defined } from '../defined.ts'
import { readClauses, applies, type Clauses } from './clauses.ts'
import type { Moment, Place } from './moment.ts'
import { eventType, parsePlace } from './parse-place.ts'
import { match, quotedIn, splitTop, take } from './phrase.ts'
import type { Asked } from './scope.ts'
import type { Setup } from './setup.ts'
import { isEnd, readAct, readPlain, readThrow, readWait, type Step, type StepCtx } from './step.ts'
import type { AgentRun } from './world.ts'

const steps = (text: string, setup: Setup, phrase: string): Clauses<Step> => {
  const unread: string[] = []
  const clauses = readClauses<Step>(
    text,
    (part) => readWait(part) ?? readThrow(part, setup) ?? readPlain(part) ?? readAct(part, setup),
    isEnd,
    unread,
  )
  setup.unread.push(...unread.map((part) => `hook ${JSON.stringify(phrase)}: ${part}`))
  return clauses
}

/** `assembly waits for abort`, `system-prompt assembly throws for turn 1`. */
export function readAssembly(phrase: string, setup: Setup): boolean {
  const head =
    /^(?:the )?(?:system[- ]prompt(?: assembly)?|assembly)(?: of the system prompt)?\s+/.exec(
      phrase,
    )
  if (head === null) return false
  const clauses = steps(phrase.slice(head[0].length), setup, phrase)
  let n = 0
  setup.assemblies.push(async (at) => {
    n += 1
    const ctx: StepCtx = {
      setup,
      run: setup.world.run(at.agent),
      signal: at.signal,
      n,
      waits: ['assembly', 'gate of assembly'],
    }
    const asked = { n, turn: at.turn, step: at.step }
    for (const clause of clauses.clauses)
      if (applies(clauses, clause, asked)) await clause.step.run(ctx, {})
  })
  return true
}

/** `dispatch of c1 is broken and rejects "m"`. */
export function readDispatch(phrase: string, setup: Setup): boolean {
  const hit = /^(?:the )?dispatch(?:er)? (?:of|for) "?(\w+)"? (.*)$/.exec(phrase)
  if (hit === null) return false
  const [, call = '', how = ''] = hit
  const message = quotedIn(how)[0] ?? setup.hints.error()
  setup.dispatch = async (dispatched, body) => {
    if (dispatched.call.providerId !== call) return body()
    if (setup.commanded.has(`release ${call}`)) await setup.world.latches.wait(call)
    throw new Error(message)
  }
  return true
}

const VERB =
  '(?:throws?|fails?|records?|counts?|calls?|steers?|injects?|cancels?|aborts?|disposes?|starts|sends?|removes?|replaces?|moves?|followups?|logs|sees|notes|issues|waits?|observes)'

/** Places named together: `inserted and claimed listeners`. */
function placesIn(text: string): Place[] | undefined {
  if (text === '') return undefined
  const kind =
    /\b(listeners?|observers?|notifications?)$/.exec(text)?.[1]?.replace(/s$/, '') ?? 'observer'
  const words = splitTop(text, /\s*(?:,| and )\s*/)
  const places = words.map((word) =>
    parsePlace(
      /listener|observer|notification|body/.test(word) ? word.replace(/s$/, '') : `${word} ${kind}`,
    ),
  )
  const whole = parsePlace(text)
  if (whole !== undefined && words.length === 1) return [whole]
  return places.every((place) => place !== undefined) ? places : undefined
}

/** Name of what a listener records: `durable observer` as `durableObserver`. */
const camel = (text: string): string =>
  text
    .replaceAll(/[^A-Za-z ]/g, ' ')
    .trim()
    .replaceAll(/\s+(\w)/g, (_, c: string) => c.toUpperCase())

const LISTENS = new RegExp(`^(?:an? |the |every |all |async )?(.+?)\\s+(${VERB}\\b.*)$`)

/** Observers and listeners that throw, record or issue commands. */
export function readListener(phrase: string, setup: Setup): boolean {
  const each = take(phrase, / (?:on|at|for) (?:each|every|any) ([\w/ ]+)$/)
  const hit = match(LISTENS, each.rest)
  const places = placesIn(hit?.at(1) ?? '')
  if (hit === undefined || places === undefined) return false
  const prefix = each.hit === undefined ? '' : (eventType(each.hit.at(1)) ?? '')
  const clauses = steps(hit.at(2), setup, phrase)
  for (const place of places) {
    new Listening(setup, place, prefix, clauses, { name: camel(hit.at(1)), phrase }).attach()
  }
  return true
}

/** One hook that listens somewhere. */
class Listening {
  readonly #setup: Setup
  readonly #place: Place
  readonly #prefix: string
  readonly #clauses: Clauses<Step>
  readonly #named: { readonly name: string; readonly phrase: string }
  #seen = 0

  constructor(
    setup: Setup,
    place: Place,
    prefix: string,
    clauses: Clauses<Step>,
    named: { readonly name: string; readonly phrase: string },
  ) {
    this.#setup = setup
    this.#place = place
    this.#prefix = prefix
    this.#clauses = clauses
    this.#named = named
  }

  attach(): void {
    this.#setup.onAgent.push((run) => subscribe(run, (moment) => this.#reached(run, moment)))
  }

  #reached(run: AgentRun, moment: Moment): void {
    const here = moment.kind !== 'event' || moment.event.type.startsWith(this.#prefix)
    if (!here || !this.#place.matches(moment)) return
    this.#seen += 1
    if (this.#place.nth !== undefined && this.#place.nth !== this.#seen) return
    this.#act(run, { ...moment.asked, n: this.#seen })
  }

  #act(run: AgentRun, asked: Asked): void {
    const { signal } = new AbortController()
    const ctx: StepCtx = { setup: this.#setup, run, signal, n: asked.n, waits: [] }
    for (const clause of this.#clauses.clauses) {
      if (!applies(this.#clauses, clause, asked)) continue
      if (clause.step.kind === 'note') record(this.#setup, run, this.#named)
      void clause.step.run(ctx, {})
    }
  }
}

/** Each hook has a subscription of its own, so that its exception meets the agent and nobody else. */
function subscribe(run: AgentRun, act: (moment: Moment) => void): void {
  run.agent.subscribe({ from: run.agent.log.length }, (event) => {
    act({ kind: 'event', agent: run.name, event, asked: askedOfEvent(event.data) })
  })
  run.agent.listen((notice) => {
    const { disposing } = run
    act({ kind: 'notice', agent: run.name, notice, disposing, asked: askedOfEvent(notice) })
  })
}

/** Turn, step and call of an event or a notification. */
export function askedOfEvent(data: unknown): Moment['asked'] {
  const { turn, step, attempt, call } = (data ?? {}) as {
    turn?: number | null
    step?: number
    attempt?: number
    call?: { providerId: string }
  }
  return { n: 0, ...defined({ turn: turn ?? undefined, step, attempt, call: call?.providerId }) }
}

function record(
  setup: Setup,
  run: AgentRun,
  { name, phrase }: { readonly name: string; readonly phrase: string },
): void {
  const length = run.agent.inbox.nextTurn.length + run.agent.inbox.nextStep.length
  const value = /inbox|pending|list/.test(phrase)
    ? length
    : /status/.test(phrase)
      ? run.agent.status
      : run.lines.at(-1)?.line
  const seen = (setup.world.values.get(`${name}Saw`) ?? []) as unknown[]
  setup.world.values.set(`${name}Saw`, [...seen, value])
}

/** `context provider gives "x" for turn 1`. */
export function readContext(phrase: string, setup: Setup): boolean {
  const hit =
    /^(?:a |the )?(?:runtime[- ])?context(?: provider)?(?: "?\w+"?)? (?:gives|returns|says|is|provides|text) (.+)$/.exec(
      phrase,
    )
  if (hit === null) return false
  const parts = splitTop(hit[1] ?? '', /\s*(?:,| then | and )\s*/)
  const texts = parts.map((part) => quotedIn(part)[0] ?? part)
  setup.contexts.push({ name: 'context', text: (at) => texts[Math.min(at.turn, texts.length) - 1] })
  return true
}
