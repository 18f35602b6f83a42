/**
 * Builds what is no gate from phrases: assembly of the system prompt, observers and listeners, a log that refuses, a
 * store that fails, a dispatcher that breaks, providers of context.
 *
 * @module
 */
import type { NewEvent } from '../../events/event.ts'
import { readClauses, applies, type Clauses } from './clauses.ts'
import type { Moment, Place } from './moment.ts'
import { eventType, parsePlace } from './parse-place.ts'
import { namesIn, ORDINAL, ordinal, quotedIn, splitTop, take } from './phrase.ts'
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

/** `the log refuses E once`; without a number the next one only. */
export function readRefusal(phrase: string, setup: Setup): boolean {
  const head = /^the (?:log|store) (?:refuses|rejects)\s+(?:the append of |to append )?/.exec(
    phrase,
  )
  if (head === null) return false
  let rest = phrase.slice(head[0].length)
  const message = take(rest, /(?:,? with)?(?: the error| message)? ?"([^"]*)"$/)
  rest = message.rest.replace(/ until (?:it is )?healed$/, ' always')
  const nth = take(rest, new RegExp(`\\b(?:the )?(${ORDINAL})(?: append of)?\\b(?! turn)`))
  const often = take(nth.rest, /\b(once|twice|always|every|each|all|any|(\w+) times)\b/)
  const types = namesIn(often.rest.replace(/^(?:the|an?|next) /, '')).map((word) =>
    /^(?:appends?|append|flush(?:es)?)$/.test(word) ? '' : eventType(word),
  )
  if (types.some((type) => type === undefined)) return false
  const text = message.hit?.[1] ?? setup.hints.error()
  const flushes = /flush/.test(often.rest)
  setup.refusals.push({
    refuses: refusing(nth.hit?.[1], often.hit?.[1]),
    message: () => text,
    ...(flushes
      ? {}
      : { matches: (event: NewEvent) => types.some((type) => event.type.startsWith(type ?? '?')) }),
  })
  return true
}

function refusing(nth: string | undefined, often: string | undefined): (n: number) => boolean {
  if (nth !== undefined) return (n) => n === ordinal(nth)
  if (often === undefined || often === 'once') return (n) => n === 1
  if (often === 'twice') return (n) => n <= 2
  return () => true
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

/** Observers and listeners that throw, record or issue commands. */
export function readListener(phrase: string, setup: Setup): boolean {
  const each = take(phrase, / (?:on|at|for) (?:each|every|any) ([\w/ ]+)$/)
  const hit = new RegExp(`^(?:an? |the |every |async )?(.+?)\\s+(${VERB}\\b.*)$`).exec(each.rest)
  const places = hit === null ? undefined : placesIn(hit[1] ?? '')
  if (hit === null || places === undefined) return false
  const prefix = eventType(each.hit?.[1] ?? '') ?? ''
  const clauses = steps(hit[2] ?? '', setup, phrase)
  for (const place of places)
    attach(setup, place, prefix, clauses, { name: camel(hit[1] ?? ''), phrase })
  return true
}

function attach(
  setup: Setup,
  place: Place,
  prefix: string,
  clauses: Clauses<Step>,
  named: { readonly name: string; readonly phrase: string },
): void {
  let seen = 0
  const act = (run: AgentRun, moment: Moment): void => {
    if (
      !place.matches(moment) ||
      (moment.kind === 'event' && !moment.event.type.startsWith(prefix))
    )
      return
    seen += 1
    if (place.nth !== undefined && place.nth !== seen) return
    const asked = { ...moment.asked, n: seen }
    const ctx: StepCtx = { setup, run, signal: new AbortController().signal, n: seen, waits: [] }
    for (const clause of clauses.clauses) {
      if (!applies(clauses, clause, asked)) continue
      if (clause.step.kind === 'note') record(setup, run, named)
      void clause.step.run(ctx, {})
    }
  }
  setup.onAgent.push((run) => subscribe(run, act))
}

/** Each hook has a subscription of its own, so that its exception meets the agent and nobody else. */
function subscribe(run: AgentRun, act: (run: AgentRun, moment: Moment) => void): void {
  run.agent.subscribe({ from: run.agent.log.length }, (event) => {
    act(run, { kind: 'event', agent: run.name, event, asked: askedOfEvent(event.data) })
  })
  run.agent.listen((notice) => {
    act(run, {
      kind: 'notice',
      agent: run.name,
      notice,
      disposing: run.disposing,
      asked: askedOfEvent(notice),
    })
  })
}

/** Turn, step and call of an event or a notification. */
export function askedOfEvent(data: unknown): Moment['asked'] {
  const { turn, step, attempt, call } = data as {
    turn?: number | null
    step?: number
    attempt?: number
    call?: { providerId: string }
  }
  return {
    n: 0,
    ...(typeof turn === 'number' ? { turn } : {}),
    ...(step === undefined ? {} : { step }),
    ...(attempt === undefined ? {} : { attempt }),
    ...(call === undefined ? {} : { call: call.providerId }),
  }
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
