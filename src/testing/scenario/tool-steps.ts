/**
 * What a tool body of a scenario does, clause by clause.
 *
 * @module
 */
import type { ToolContext } from '../../actors/tool.port.ts'
import { aborted } from '../latches.ts'
import { looseValue } from './loose-value.ts'
import { DURATION, msIn } from './phrase.ts'
import { readVerb } from './parse-verbs.ts'
import type { Setup } from './setup.ts'
import type { AgentRun } from './world.ts'

/** One call of a body. */
export interface BodyCtx {
  readonly setup: Setup
  readonly run: AgentRun
  readonly context: ToolContext
  readonly input: unknown
  readonly tool: string
  readonly call: string
  /** Counts the calls of this provider id from 1. */
  readonly nth: number
  /** Did a command inside the body throw? */
  threw: boolean
}

export interface ToolStep {
  readonly kind: 'wait' | 'act' | 'throw' | 'return' | 'note'
  run(ctx: BodyCtx): unknown
}

type Rule = readonly [RegExp, (hit: RegExpExecArray, setup: Setup) => ToolStep | undefined]

const wait = (run: (ctx: BodyCtx) => Promise<unknown>): ToolStep => ({ kind: 'wait', run })
const act = (run: (ctx: BodyCtx) => unknown): ToolStep => ({ kind: 'act', run })
const OWN =
  /^(?:is )?gated(?: per call| each)?$|^(?:each )?(?:call |body )?waits? (?:for|on|at) (?:its|a|an) (?:own )?(?:gate|release|door)(?: of its own)?$/

/** A call waits for its own release; the name of the tool opens it too. */
const own = wait(({ setup, call, tool }) =>
  Promise.race([setup.world.latches.wait(call), setup.world.latches.wait(tool)]),
)

const context = (text: string): ToolStep =>
  act((ctx) => {
    const id = text.replace(/<(?:id|call)>/, ctx.call)
    const kind = ctx.setup.hints.source(id) === 'tool' ? 'tool' : 'plugin'
    ctx.context.addContext({ id, content: id, source: { kind, [kind]: ctx.tool } })
  })

function throwing(message: string | undefined, code: string | undefined): ToolStep {
  return {
    kind: 'throw',
    run(ctx) {
      const hint = ctx.setup.hints.tool(ctx.call, ctx.nth)
      const error = new Error(message ?? (hint?.kind === 'error' ? hint.text : 'boom'))
      throw code === undefined ? error : Object.assign(error, { code })
    },
  }
}

const returning = (text: string): ToolStep => ({
  kind: 'return',
  run: (ctx) => (/^<(?:id|call)>$|^its (?:own )?id$/.test(text) ? ctx.call : looseValue(text)),
})

/** The agent waits for itself. */
const selfWait = (what: string): ToolStep =>
  wait((ctx) => {
    if (!what.startsWith('whenIdle')) ctx.run.disposing = true
    return what.startsWith('whenIdle') ? ctx.run.agent.whenIdle() : ctx.run.agent.dispose()
  })

const RULES: readonly Rule[] = [
  [OWN, () => own],
  [
    /^(?:waits?|blocks?) (?:for|until|on) (?:its |the |an? )?(?:turn's )?(?:abort )?(?:abort|signal)(?: signal)?(?: (?:to abort|aborts))?$/,
    () => wait((ctx) => aborted(ctx.context.signal)),
  ],
  [
    /^(?:waits? (?:on|for|at)|gated(?: by| on)?) (?:gate )?"?(\w+)"?$/,
    ([, gate = '']) => wait(({ setup }) => setup.world.latches.wait(gate)),
  ],
  [
    /^never (?:settles|returns|answers|ends)(?: and ignores its signal)?$|^hangs(?: forever)?$/,
    () => wait(() => new Promise(() => {})),
  ],
  [
    new RegExp(`^(?:takes|waits?|sleeps)(?: for)? ${DURATION}$`),
    (hit) => wait((ctx) => pause(ctx, msIn(hit[0]) ?? 0)),
  ],
  [
    /^(?:ignores|deaf to) (?:its|the) (?:abort )?signal$|^deaf$|^is deaf$/,
    () => ({ kind: 'note', run: () => undefined }),
  ],
  [
    /^(?:returns?|answers?|yields?)(?: normally| then)?$|^succeeds$|^swallows(?: it)?$|^(?:tool |it )?swallows$|^(?:body )?does nothing$/,
    () => ({ kind: 'note', run: () => undefined }),
  ],
  [
    /^(?:returns?|answers?) ("[^"]*"|'[^']*'|[[{].*[\]}]|[^\s,;]+(?: id)?)$/,
    ([, text = '']) => returning(text),
  ],
  [
    /^(?:throws?|fails?|errors|rejects)(?: with)?(?: an? error)?(?: "([^"]*)")?(?: (?:with )?\(?code:? ([A-Z_]+)\)?)?$/,
    ([, message, code]) => throwing(message, code),
  ],
  [
    /^(?:concludes?(?: the turn| turn)?|concludeTurn(?:\(\))?|calls concludeTurn(?:\(\))?|asks to (?:conclude|end)(?: the turn)?)(?: on success)?$/,
    () => act((ctx) => ctx.context.concludeTurn()),
  ],
  [
    /^(?:defers?|adds?|attaches?|accepts) (?:an? |the )?(?:deferred )?contexts? "([^"]*)"(?: <?plugin>?)?$/,
    ([, text = '']) => context(text),
  ],
  [
    /^awaits? (whenIdle|dispose|disposal|the disposal|the dispose)(?:\(\))?(?: of its own (?:agent|handle))?(?: \(.*\))?$/,
    ([, what = '']) => selfWait(what),
  ],
  [
    /^(?:bumps|increments) (?:a |the )?counter$|^counts?(?: its calls)?$|^records?\b.*$/,
    () => act(note),
  ],
]

const pause = (ctx: BodyCtx, ms: number): Promise<void> =>
  new Promise((resolve) => {
    ctx.setup.world.clock.after(ms, resolve)
  })

function note(ctx: BodyCtx): void {
  const seen = (ctx.setup.world.values.get('toolArgs') ?? []) as unknown[]
  ctx.setup.world.values.set('toolArgs', [...seen, ctx.input])
}

/** A command that the body issues, unless it stands among the commands. */
function commanding(text: string, setup: Setup): ToolStep | undefined {
  const phrase = text.replace(/\s*->.*$/, '').replace(/^(?:the )?(?:first |second )?body /, '')
  const verb = readVerb(phrase)
  if (verb === undefined) return undefined
  if (setup.commanded.has(verb.key ?? '')) return act(() => undefined)
  const awaits = verb.mode === 'awaits'
  return act((ctx) => {
    const answered = { text: phrase, stated: false } as {
      text: string
      stated: boolean
      value?: unknown
      threw?: unknown
    }
    setup.world.answers.push(answered)
    try {
      answered.value = verb.act({ world: setup.world, run: ctx.run, agent: ctx.run.agent })
    } catch (error) {
      answered.threw = error
      ctx.threw = true
      return undefined
    }
    if (!(answered.value instanceof Promise)) return undefined
    if (awaits) return answered.value
    answered.value.catch((error: unknown) => {
      answered.threw = error
    })
    return undefined
  })
}

/** Reads one clause of a body. */
export function readToolStep(text: string, setup: Setup): ToolStep | undefined {
  const phrase = text
    .trim()
    .replace(/^(?:the )?(?:body|each|each call|each body|it|tool)(?: of it)? (?=\w)/, '')
  for (const [pattern, make] of RULES) {
    const hit = pattern.exec(phrase)
    const step = hit === null ? undefined : make(hit, setup)
    if (step !== undefined) return step
  }
  return commanding(phrase, setup)
}
