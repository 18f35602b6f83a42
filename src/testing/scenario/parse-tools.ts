/**
 * Reads the tools of a setup: `p (parallel), gated per call`, `t throws "kaput"`, `t: concludes the turn on success`.
 *
 * @module
 */
import type { StandardSchema, ToolContext, AnyTool } from '../../actors/tool.port.ts'
import { applies, readClauses, type Clauses } from './clauses.ts'
import { msIn, take } from './phrase.ts'
import type { Asked } from './scope.ts'
import type { Setup } from './setup.ts'
import { isDeaf, readToolStep, type BodyCtx, type ToolStep } from './tool-steps.ts'
import type { Body } from './world.ts'

interface Marks {
  /** Undefined where the phrase does not say. */
  readonly parallel: boolean | ((input: unknown) => unknown) | undefined
  readonly repeatable: boolean
  readonly timeoutMs: number | undefined
  readonly schema: boolean
  readonly rest: string
}

const PARALLEL = /\s*\(?\bparallel(?:-safe)?\)?(?=$|[\s,;:])/
const EXCLUSIVE = /\s*\(?\bexclusive\)?(?=$|[\s,;:])/
const CLASSIFIER =
  /[,;:]?\s*(?:its |the |with a )?\(?(throwing classifier|truthy classifier|classifier (?:throws|returns? [^,;)]+|answers? [^,;)]+))\)?/

/** A classifier that throws, or answers something that is not exactly `true`. */
function classifier(text: string | undefined, setup: Setup): Marks['parallel'] | undefined {
  if (text === undefined) return undefined
  return () => {
    void setup.world.emit({ kind: 'classifier', agent: 's1', asked: { n: 1 } })
    if (/throw/.test(text)) throw new Error('classifier')
    if (/returns? true$|answers? true$/.test(text)) return true
    return /false/.test(text) ? false : 'yes'
  }
}

const marked = (parallel: unknown, exclusive: unknown): boolean | undefined =>
  parallel !== null ? true : exclusive !== null ? false : undefined

function marksOf(text: string, setup: Setup): Marks {
  const classified = take(text, CLASSIFIER)
  const parallel = take(classified.rest, PARALLEL)
  const exclusive = take(parallel.rest, EXCLUSIVE)
  const repeatable = take(exclusive.rest, /[,;]?\s*\(?\b(?:is |declared )?(repeatable)\)?/)
  const timeout = take(
    repeatable.rest,
    /[,;]?\s*\(?\b(?:toolTimeoutMs|timeoutMs|time limit|times out after)(?: of|:)? (\d+(?:\s*ms|\s*s)?)\)?/,
  )
  const schema = take(
    timeout.rest,
    /[,;]?\s*\b(?:accepts (?:anything|objects?(?: only)?|only objects|any object)|validates its arguments|with a schema)\b/,
  )
  const ms = timeout.hit?.[1]
  return {
    parallel: classifier(classified.hit?.[1], setup) ?? marked(parallel.hit, exclusive.hit),
    repeatable: repeatable.hit !== null,
    timeoutMs: ms === undefined ? undefined : (msIn(ms) ?? Number(ms)),
    schema: schema.hit !== null,
    rest: schema.rest.replace(/^[\s,;:]+/, ''),
  }
}

/** Accepts objects; keeps what it was asked for the probe. */
const objects = (setup: Setup): StandardSchema => ({
  '~standard': {
    version: 1,
    vendor: 'scenario',
    validate(value) {
      const seen = (setup.world.values.get('validatorSaw') ?? []) as unknown[]
      setup.world.values.set('validatorSaw', [...seen, value])
      const fine = typeof value === 'object' && value !== null && !Array.isArray(value)
      return fine ? { value } : { issues: [{ message: 'expected an object' }] }
    },
  },
})

/** `unregisters parallel x, registers exclusive gated x`: the body changes the registry. */
function registering(text: string, setup: Setup): ToolStep | undefined {
  const hit =
    /^(?:unregisters? (?:parallel |the parallel )?\w+(?:,| and|,? then) )?(?:registers?|replaces \w+ by|installs) (?:an? |the )?(.*?)\s*\b(\w+)$/.exec(
      text,
    )
  const removed = /^(?:unregisters?|removes tool) (?:the )?(?:parallel |exclusive )?(\w+)$/.exec(
    text,
  )?.[1]
  if (removed !== undefined) return { kind: 'act', run: () => setup.tools.delete(removed) }
  if (hit === null) return undefined
  const [, words = '', name = ''] = hit
  return {
    kind: 'act',
    run: () =>
      addTool(
        `${name} ${words.includes('parallel') ? '(parallel)' : '(exclusive)'}: ${words.replace(/parallel|exclusive/, '').trim() || 'returns'}`,
        setup,
      ),
  }
}

/** `c1 returns normally` in front of a clause is a scope like `for c1`. */
const callFirst = (text: string): string =>
  text
    .replaceAll(/(^|[,;] |\sand |\sthen )(c\d+) (?=[a-z])/g, '$1for $2 ')
    .replaceAll(
      /(^|[,;] )(?:the )?(first|second|third) (?:body|call) (?=[a-z])/g,
      '$1for the $2 call ',
    )

async function runBody(clauses: Clauses<ToolStep>, ctx: BodyCtx, asked: Asked): Promise<unknown> {
  let value: unknown
  for (const clause of clauses.clauses) {
    if (!applies(clauses, clause, asked)) continue
    const done = clause.step.run(ctx)
    const answer: unknown = done instanceof Promise ? await done : done
    if (clause.step.kind === 'return') value = answer
  }
  if (value !== undefined) return value
  const hint = ctx.setup.hints.tool(ctx.call, ctx.nth)
  if (hint?.kind === 'ok') return hint.text
  return ctx.threw ? 'threw' : 'ok'
}

/** Starts a body: tells the commands that wait for it, and keeps account of it. */
function bodyOf(name: string, clauses: Clauses<ToolStep>, deaf: boolean, setup: Setup) {
  let n = 0
  return async (input: unknown, context: ToolContext): Promise<unknown> => {
    n += 1
    const { world } = setup
    const run = world.run(context.agent)
    const call = context.call.providerId
    const body: Body = { call, key: context.call.key, tool: name, running: true }
    world.bodies.push(body)
    const nth = world.bodies.filter((one) => one.call === call).length
    const asked = { n, turn: context.turn, step: context.step, call, tool: name }
    const ctx: BodyCtx = { setup, run, context, input, tool: name, call, nth, threw: false, deaf }
    const over = world.wait('tool')
    const before = world.answers.length
    try {
      await world.emit({ kind: 'tool', agent: context.agent, asked })
      ctx.threw = world.answers.slice(before).some((answered) => answered.threw !== undefined)
      return await runBody(clauses, ctx, asked)
    } finally {
      body.running = false
      over()
    }
  }
}

function addTool(phrase: string, setup: Setup): void {
  const head =
    /^"?([A-Za-z][\w-]*)"?(?: and "?([\w-]+)"?(?= \())?(?:,? "?([a-z]\w*)"?(?= \(\w+\):))?/.exec(
      phrase.trim(),
    )
  const names = [head?.[1], head?.[2], head?.[3]].filter((name) => name !== undefined)
  const cap = take(phrase.slice(head?.[0].length ?? 0), /[,;]?\s*\(?cap (\d+)\)?/)
  if (cap.hit !== null) setup.options['maxParallelToolCalls'] = Number(cap.hit[1])
  const marks = marksOf(cap.rest.replace(/\s*\(variant:[^)]*\)/, ''), setup)
  const unread: string[] = []
  const clauses = readClauses<ToolStep>(
    callFirst(marks.rest),
    (text) => registering(text, setup) ?? readToolStep(text, setup),
    (step) => step.kind === 'throw' || step.kind === 'return',
    unread,
  )
  if (marks.rest !== '')
    setup.unread.push(...unread.map((part) => `tool ${JSON.stringify(phrase)}: ${part}`))
  for (const name of names)
    setup.tools.set(name, makeTool(name, marks, clauses, isDeaf(phrase), setup))
}

function makeTool(
  name: string,
  marks: Marks,
  clauses: Clauses<ToolStep>,
  deaf: boolean,
  setup: Setup,
): AnyTool {
  return {
    name,
    ...(marks.schema ? { input: objects(setup) } : {}),
    parameters: { type: 'object' },
    parallel: (marks.parallel ?? setup.hints.parallel(name)) as boolean,
    ...(marks.repeatable ? { repeatable: true } : {}),
    ...(marks.timeoutMs === undefined ? {} : { timeoutMs: marks.timeoutMs }),
    run: bodyOf(name, clauses, deaf, setup),
  } as unknown as AnyTool
}

/** Installs the tool a phrase describes; what cannot be read is told to `setup.unread`. */
export function readTool(phrase: string, setup: Setup): void {
  addTool(phrase, setup)
}
