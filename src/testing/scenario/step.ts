/**
 * What a clause of a gate does: wait, act, throw, note, answer.
 *
 * @module
 */
import { aborted } from '../latches.ts'
import { DURATION, group, msIn } from './phrase.ts'
import { readVerb } from './parse-verbs.ts'
import type { Setup } from './setup.ts'
import type { AgentRun } from './world.ts'

/** What a step of a hook may use. */
export interface StepCtx {
  readonly setup: Setup
  readonly run: AgentRun
  readonly signal: AbortSignal
  readonly n: number
  /** Names under which a wait is announced. */
  readonly waits: readonly string[]
}

/** A step that is no answer. It may answer a promise. */
export interface Step {
  readonly kind: 'wait' | 'act' | 'throw' | 'note' | 'pass' | 'answer'
  run(ctx: StepCtx, question: Record<string, unknown>): unknown
}

/** Does the step end the matter? */
export const isEnd = (step: Step): boolean => ['throw', 'pass', 'answer'].includes(step.kind)

const wait = (run: (ctx: StepCtx) => Promise<unknown>): Step => ({
  kind: 'wait',
  async run(ctx) {
    const over = ctx.setup.world.wait(...ctx.waits)
    await run(ctx).finally(over)
  },
})

const ABORT =
  /^waits? (?:for|until|on) (?:its |the |an? )?(?:own )?(?:(?:turn'?s? )?(?:abort )?(?:signal|abort)|cancel)(?: (?:to abort|aborts|is aborted))?$/
const DOOR =
  /^(?:waits?|blocks?|pauses?|holds?) (?:on|for|at|until) (?:gate )?"?(\w+)"?(?: (?:is )?(?:released|opens?))?$/

const DEAF =
  /^(?:never (?:answers|settles|returns|resolves)|hangs?(?: forever)?|ignores (?:its|the) signal)$/
const PAUSE = new RegExp(`^(?:waits?|takes|sleeps)(?: for)? ${DURATION}$`)
const GATED = /^(?:is )?gated(?: (?:by|on))? "?(\w+)"?$/

/** A wait, or undefined. */
export function readWait(text: string): Step | undefined {
  if (ABORT.test(text)) return wait((ctx) => aborted(ctx.signal))
  const door = group(DOOR, text) ?? group(GATED, text)
  if (door !== undefined) return wait((ctx) => ctx.setup.world.latches.wait(door))
  if (DEAF.test(text)) return wait(() => new Promise(() => {}))
  const ms = PAUSE.test(text) ? msIn(text) : undefined
  return ms === undefined ? undefined : wait((ctx) => pause(ctx, ms))
}

const pause = (ctx: StepCtx, ms: number): Promise<void> =>
  new Promise((resolve) => {
    ctx.setup.world.clock.after(ms, resolve)
  })

/** A throw, with the text of the phrase or of the expectation. */
export function readThrow(text: string, setup: Setup): Step | undefined {
  const hit =
    /^(?:throws?|fails?|errors|breaks?)(?: with)?(?: an? error)?(?: "([^"]*)")?(?: caused by "([^"]*)")?$/.exec(
      text,
    )
  if (hit === null) return undefined
  const message = hit[1] ?? setup.hints.error()
  const cause = hit[2] === undefined ? {} : { cause: new Error(hit[2]) }
  return {
    kind: 'throw',
    run() {
      throw new Error(message, cause)
    },
  }
}

const NOTE =
  /^(?:records?|counts?|sees|logs|notes?|observes?|remembers|collects|reads|watches|delegates and records)\b(?!.*\b(?:returns?|answers?|rejects?|throws?|delegates?|enters?|then|waits?)\b)/
const PASS =
  /^(?:delegates?(?: to next(?:\(\))?)?|enters?(?: unchanged)?|passes(?: on)?|calls next(?:\(\))?|default|decides nothing|allows?|accepts?|next\(\)|lets it pass|does nothing|returns? (?:default|nothing|undefined)|answers? (?:default|nothing))$/

/** A note, or a pass to the next gate. */
export function readPlain(text: string): Step | undefined {
  if (NOTE.test(text)) return { kind: 'note', run: () => undefined }
  return PASS.test(text) ? { kind: 'pass', run: () => undefined } : undefined
}

/** Names that count up: `steers S1, S2, S3, ... one per call`. */
function counting(text: string): ((n: number) => string) | undefined {
  const list = /^(\w+) ([A-Za-z]+)1,? .*(?:\.\.\.|…|per call|each (?:call|time))/.exec(text)
  const each =
    /^(\w+) (?:a )?(?:new |fresh )?"?([A-Za-z]+)<?(?:n|N|i)>?"?(?: (?:at|on) (?:each|every) call)$/.exec(
      text,
    )
  const hit = list ?? each
  return hit === null ? undefined : (n) => `${hit[1] ?? ''} ${hit[2] ?? ''}${n}`
}

/** A command that the hook issues; one that stands among the commands too is left to them. */
export function readAct(text: string, setup: Setup): Step | undefined {
  const numbered = counting(text)
  if (numbered !== undefined && readVerb(numbered(1)) !== undefined) {
    return { kind: 'act', run: (ctx) => perform(numbered(ctx.n), ctx) }
  }
  const verb = readVerb(text)
  if (verb === undefined || /^(?:check|status|inbox|parked|activity)/.test(verb.key ?? text))
    return undefined
  if (setup.commanded.has(verb.key ?? '')) return { kind: 'act', run: () => undefined }
  return { kind: 'act', run: (ctx) => perform(text, ctx) }
}

/** Issues a command now. What it throws belongs to the foreign code and is kept for the probe. */
function perform(text: string, ctx: StepCtx): unknown {
  const verb = readVerb(text)
  const answered = { text, stated: false } as {
    text: string
    stated: boolean
    value?: unknown
    threw?: unknown
  }
  ctx.setup.world.answers.push(answered)
  try {
    const answer = verb?.act({ world: ctx.setup.world, run: ctx.run, agent: ctx.run.agent })
    answered.value = answer
    if (!(answer instanceof Promise)) return undefined
    if (verb?.mode === 'awaits') return answer
    answer.catch((error: unknown) => {
      answered.threw = error
    })
  } catch (error) {
    answered.threw = error
  }
  return undefined
}
