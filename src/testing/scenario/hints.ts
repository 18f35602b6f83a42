/**
 * What an expectation says about inputs that the setup leaves open: the text of a hook that throws without one, the
 * value of a tool that returns without saying what, the source of a message that a gate adds.
 *
 * @module
 */
import { match } from './phrase.ts'
import type { Scenario } from './scenario.ts'

/** What a stub may return for one call. */
export interface ToolHint {
  readonly kind: string
  readonly text: string
}

export interface Hints {
  /** Text of the next hook that throws or refuses without one; `boom` where nothing is expected. */
  error(): string
  /** Text for the nth call with this provider id; undefined where nothing is expected. */
  tool(call: string, nth: number): ToolHint | undefined
  /** Source kind of a message that is expected with this text; undefined for a user's. */
  source(text: string): string | undefined
  /** Do calls of this tool run beside each other? */
  parallel(tool: string): boolean
  /** Turns the expected log leaves open. */
  readonly openTurn: boolean
  /** The expected log is one that a fork has opened. */
  readonly forked: boolean
}

const linesOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((line): line is string => typeof line === 'string') : []

/** What the probe expects to be thrown, unless it is a code of this library or a class. */
function thrownIn(observed: unknown): string[] {
  const thrown = (observed as { throws?: unknown } | undefined)?.throws
  return typeof thrown === 'string' && !/^[A-Z_]+$|Error$/.test(thrown) ? [thrown] : []
}

function errorsIn(log: readonly string[], live: readonly string[]): string[] {
  const fromLog = log.map((line) => /turn\/end \d+ error:\w+ "([^"]*)"/.exec(line)?.[1])
  const fromLive = live.map((line) => /^\d+\.\d+ (.*)$/s.exec(line)?.[1])
  const texts = [...fromLog, ...fromLive].filter((text) => text !== undefined && text !== '')
  return [...new Set(texts as string[])].map((text) => text.replace(/^<(.*)>$/, '$1'))
}

const OUTCOME = /tool\/(settled|result) \d+\.\d+ (\S+) (ok|error)(?: "(.*)")?$/

function toolsIn(log: readonly string[]): Map<string, ToolHint[]> {
  const found = new Map<string, ToolHint[]>()
  const last = new Map<string, string>()
  for (const line of log) {
    const hit = match(OUTCOME, line)
    if (hit === undefined) continue
    const call = hit.at(2)
    const repeated = hit.at(1) === 'result' && last.get(call) === 'settled'
    last.set(call, hit.at(1))
    if (repeated || hit.maybe(4) === undefined) continue
    const hint = { kind: hit.at(3), text: hit.at(4).replace(/^Error: /, '') }
    found.set(call, [...(found.get(call) ?? []), hint])
  }
  return found
}

/** Tools of which a call starts while another of the same tool has no outcome. */
function parallelIn(log: readonly string[]): Set<string> {
  const found = new Set<string>()
  let open: string[] = []
  for (const line of log) {
    const [type, , call = '', tool = ''] = line.replace(/^s\d /, '').split(' ')
    if (type === 'step/end') open = []
    if (type === 'tool/result') open = open.filter((one) => !one.startsWith(`${call} `))
    if (type !== 'tool/call') continue
    if (open.some((one) => one.endsWith(` ${tool}`))) found.add(tool)
    open.push(`${call} ${tool}`)
  }
  return found
}

/** Reads the hints of an expectation. */
export function hintsOf(scenario: Scenario): Hints {
  const log = linesOf(scenario.expect?.['log'])
  const errors = errorsIn(log, linesOf(scenario.expect?.['liveErrors']))
  errors.push(...thrownIn(scenario.expect?.['observed']))
  const tools = toolsIn(log)
  const parallel = parallelIn(log)
  let given = 0
  return {
    error() {
      const text = errors[Math.min(given, errors.length - 1)] ?? 'boom'
      given += 1
      return text
    },
    tool: (call, nth) => tools.get(call)?.[nth - 1],
    parallel: (tool) => parallel.has(tool),
    source(text) {
      const line = log.find((one) => one.includes(`"${text}" <`))
      return line === undefined ? undefined : line.split(`"${text}" <`)[1]?.split('>')[0]
    },
    forked: log.some((line) => line.startsWith('session/opened fork')),
    openTurn:
      log.filter((line) => /turn\/start/.test(line)).length >
      log.filter((line) => /turn\/end/.test(line)).length,
  }
}
