/**
 * Reads the command lines of `trace`, `replay`, `export` and `machines`. It looks at words only.
 *
 * @module
 */
import {
  CHART_FORMATS,
  type ChartFormat,
  CHART_NAMES,
  type ChartName,
} from '../inspect/chart-formats.ts'
import { UsageFault } from './fault.ts'
import { FLAG, Given, TEXT } from './given.ts'

/** `turnwise trace` as it was asked for. */
export interface TraceAsked {
  readonly command: 'trace'
  /** A log file, or a folder: the log in it that was written last. */
  readonly log: string
  readonly format: 'text' | 'mermaid'
  readonly reveal: boolean
  readonly from?: number
  readonly to?: number
  readonly json: boolean
}

/** `turnwise replay` as it was asked for. */
export interface ReplayAsked {
  readonly command: 'replay'
  readonly log: string
  readonly to?: number
  /** Times as fast as it was; 0 is at once. */
  readonly speed: number
  readonly json: boolean
}

/** `turnwise export` as it was asked for. */
export interface ExportAsked {
  readonly command: 'export'
  readonly log: string
  readonly format: 'jsonl' | 'markdown' | 'mermaid' | 'otel-json'
  readonly reveal: boolean
}

/** `turnwise machines` as it was asked for. */
export interface MachinesAsked {
  readonly command: 'machines'
  readonly format: ChartFormat
  /** Default: all three. */
  readonly machine?: ChartName
}

/** What one of these commands asks for. */
export type LogAsked = TraceAsked | ReplayAsked | ExportAsked | MachinesAsked

/** The names of these commands. */
export const LOG_COMMANDS = ['trace', 'replay', 'export', 'machines'] as const
export type LogCommand = (typeof LOG_COMMANDS)[number]

/** Is it one of these commands? */
export const isLogCommand = (word: string | undefined): word is LogCommand =>
  LOG_COMMANDS.some((name) => name === word)

const HELP = { help: { ...FLAG, short: 'h' } } as const
const OPTIONS = {
  trace: { ...HELP, format: TEXT, reveal: FLAG, from: TEXT, to: TEXT, json: FLAG },
  replay: { ...HELP, to: TEXT, speed: TEXT, json: FLAG },
  export: { ...HELP, format: TEXT, reveal: FLAG },
  machines: { ...HELP, format: TEXT, machine: TEXT },
} as const

type Reader = (given: Given) => LogAsked

const READERS: { readonly [command in LogCommand]: Reader } = {
  trace: (given) => {
    const json = given.flag('json')
    if (json && given.text('format') !== undefined)
      throw new UsageFault('--json and --format exclude each other')
    return {
      command: 'trace',
      log: logOf(given),
      format: given.oneOf('format', ['text', 'mermaid']),
      reveal: given.flag('reveal'),
      ...seqs(given, ['from', 'to']),
      json,
    }
  },
  replay: (given) => ({
    command: 'replay',
    log: logOf(given),
    ...seqs(given, ['to']),
    speed: speedOf(given),
    json: given.flag('json'),
  }),
  export: (given) => {
    const format = given.text('format')
    if (format === undefined)
      throw new UsageFault('--format is needed: jsonl, markdown, mermaid or otel-json')
    const reveal = given.flag('reveal')
    if (reveal && (format === 'jsonl' || format === 'markdown'))
      throw new UsageFault(`--reveal changes nothing: ${format} always holds what was said`)
    return {
      command: 'export',
      log: logOf(given),
      format: given.oneOf('format', ['jsonl', 'markdown', 'mermaid', 'otel-json']),
      reveal,
    }
  },
  machines: (given) => {
    given.none()
    const asked = given.text('machine')
    return {
      command: 'machines',
      format: given.oneOf('format', CHART_FORMATS),
      ...(asked !== undefined && { machine: given.oneOf('machine', CHART_NAMES) }),
    }
  },
}

function logOf({ rest }: Given): string {
  const [log, ...others] = rest
  if (log === undefined || log === '')
    throw new UsageFault('expected a log file or a folder of logs')
  if (others.length > 0) throw new UsageFault(`one log was expected, found ${rest.length}`)
  return log
}

function seqs<N extends 'from' | 'to'>(
  given: Given,
  names: readonly N[],
): { readonly [name in N]?: number } {
  const found: { [name in N]?: number } = {}
  for (const name of names) {
    const seq = given.seq(name)
    if (seq !== undefined) found[name] = seq
  }
  return found
}

function speedOf(given: Given): number {
  const text = given.text('speed') ?? '1'
  if (!/^\d{1,6}(?:\.\d{1,6})?$/.test(text))
    throw new UsageFault(
      `--speed must be a number from 0, such as 2 or 0.5, found ${JSON.stringify(text)}`,
    )
  return Number(text)
}

/** Reads the words behind `command`. @returns undefined where help is asked for. @throws UsageFault */
export function readLogArguments(
  command: LogCommand,
  words: readonly string[],
): LogAsked | undefined {
  const given = new Given(OPTIONS[command], words)
  return given.flag('help') ? undefined : READERS[command](given)
}
