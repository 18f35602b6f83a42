/**
 * Reads the tools of a setup: `p (parallel), gated per call`, `t throws "kaput"`, `t: concludes the turn on success`.
 *
 * @module
 */
import type { AnyTool, ToolContext } from '../../actors/tool.port.ts'
import { defined } from '../defined.ts'
import { applies, readClauses, type Clauses } from './clauses.ts'
import { group, match, splitTop, take } from './phrase.ts'
import type { Asked } from './scope.ts'
import type { Setup } from './setup.ts'
import { marksOf, toolHead, type Marks } from './tool-marks.ts'
import { readToolStep, type BodyCtx, type ToolStep } from './tool-steps.ts'
import type { Body } from './world.ts'

const REGISTERS =
  /^(?:unregisters? (?:the )?(?:parallel |exclusive )?\w+(?:,| and|,? then) )?(?:registers?|replaces \w+ by|installs) (?:an? |the )?(.*?)\s*\b(\w+)$/
const UNREGISTERS = /^(?:unregisters?|removes tool) (?:the )?(?:parallel |exclusive )?(\w+)$/

/** `unregisters parallel x, registers exclusive gated x`: the body changes the registry. */
function registering(text: string, setup: Setup): ToolStep | undefined {
  const removed = group(UNREGISTERS, text)
  if (removed !== undefined) return { kind: 'act', run: () => setup.tools.delete(removed) }
  const hit = match(REGISTERS, text)
  if (hit === undefined) return undefined
  const words = hit.at(1)
  const marked = words.includes('parallel') ? '(parallel)' : '(exclusive)'
  const does = words.replace(/parallel|exclusive/, '').trim()
  const phrase = `${hit.at(2)} ${marked}: ${does === '' ? 'returns' : does}`
  return { kind: 'act', run: () => readTool(phrase, setup) }
}

/** `c1 returns normally` in front of a clause is a scope like `for c1`; a result with a context is two clauses. */
const spelledOut = (text: string): string =>
  text
    .replaceAll(/(^|[,;] |\sand |\sthen )(c\d+) (?=[a-z])/g, '$1for $2 ')
    .replaceAll(
      /(^|[,;] )(?:the )?(first|second|third) (?:body|call) (?=[a-z])/g,
      '$1for the $2 call ',
    )
    .replaceAll(/(returns? "[^"]*") with (?:an? |the )?(?:deferred )?context/g, '$1, adds context')

async function runBody(clauses: Clauses<ToolStep>, ctx: BodyCtx, asked: Asked): Promise<unknown> {
  let value: unknown
  for (const clause of clauses.clauses) {
    if (!applies(clauses, clause, asked)) continue
    const done = clause.step.run(ctx)
    const answer: unknown = done instanceof Promise ? await done : done
    if (clause.step.kind === 'return') value = answer
  }
  return value ?? ownValue(ctx)
}

/** The value of a body that does not say which: that of the expectation, or `ok`. */
function ownValue(ctx: BodyCtx): string {
  const hint = ctx.setup.hints.tool(ctx.call, ctx.nth)
  if (hint?.kind === 'ok') return hint.text
  return ctx.threw ? 'threw' : 'ok'
}

/** Keeps account of a body and tells the commands that wait for it. */
class Bodies {
  readonly #name: string
  readonly #clauses: Clauses<ToolStep>
  readonly #setup: Setup
  #n = 0

  constructor(name: string, clauses: Clauses<ToolStep>, setup: Setup) {
    this.#name = name
    this.#clauses = clauses
    this.#setup = setup
  }

  async run(input: unknown, context: ToolContext): Promise<unknown> {
    this.#n += 1
    const { world } = this.#setup
    const { providerId: call, key } = context.call
    const body: Body = { call, key, tool: this.#name, running: true }
    world.bodies.push(body)
    const asked = { n: this.#n, turn: context.turn, step: context.step, call, tool: this.#name }
    const over = world.wait('tool')
    try {
      const before = world.answers.length
      await world.emit({ kind: 'tool', agent: context.agent, asked })
      const threw = world.answers.slice(before).some((one) => one.threw !== undefined)
      return await runBody(this.#clauses, this.#ctx(input, context, threw), asked)
    } finally {
      body.running = false
      over()
    }
  }

  #ctx(input: unknown, context: ToolContext, threw: boolean): BodyCtx {
    const { world } = this.#setup
    const call = context.call.providerId
    return {
      setup: this.#setup,
      run: world.run(context.agent),
      context,
      input,
      tool: this.#name,
      call,
      nth: world.bodies.filter((one) => one.call === call).length,
      threw,
    }
  }
}

function makeTool(name: string, marks: Marks, clauses: Clauses<ToolStep>, setup: Setup): AnyTool {
  const bodies = new Bodies(name, clauses, setup)
  const { input, timeoutMs, repeatable } = marks
  const tool = {
    name,
    parameters: { type: 'object' },
    parallel: marks.parallel ?? setup.hints.parallel(name),
    run: (args: unknown, context: ToolContext) => bodies.run(args, context),
    ...defined({ input, timeoutMs, repeatable: repeatable ? true : undefined }),
  }
  return tool as unknown as AnyTool
}

/** Tools that stand in one phrase: `r (parallel), w (exclusive)`. */
const several = (phrase: string): string[] =>
  /\((?:parallel|exclusive)\)(?:,| and) \w+ \((?:parallel|exclusive)\)/.test(phrase)
    ? splitTop(phrase, /(?:,| and) (?=\w+ \((?:parallel|exclusive))/)
    : [phrase]

/** Installs the tools a phrase describes; what cannot be read is told to `setup.unread`. */
export function readTool(given: string, setup: Setup): void {
  for (const phrase of several(given.trim())) readOne(phrase, setup)
}

function readOne(phrase: string, setup: Setup): void {
  const head = toolHead(phrase)
  const names = [head?.maybe(1), head?.maybe(2)].filter((name) => name !== undefined)
  const cap = take(phrase.slice(head?.at(0).length ?? 0), /[,;]?\s*\(?\bcap (?:of )?(\d+)\)?/)
  if (cap.hit !== undefined) setup.world.values.set('cap', Number(cap.hit.at(1)))
  const marks = marksOf(cap.rest.replace(/\s*\(variant:[^)]*\)/, ''), setup)
  const unread: string[] = []
  const clauses = readClauses<ToolStep>(
    spelledOut(marks.rest),
    (text) => registering(text, setup) ?? readToolStep(text, setup),
    // A scope of a body belongs to its own clause.
    () => true,
    unread,
  )
  setup.unread.push(
    ...unread
      .filter((part) => part !== '')
      .map((part) => `tool ${JSON.stringify(phrase)}: ${part}`),
  )
  for (const name of names) setup.tools.set(name, makeTool(name, marks, clauses, setup))
}
