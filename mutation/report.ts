/**
 * What is kept of a run over one room: how many mutants there were, what became of them, and each one that nothing noticed.
 *
 * @module
 */
import type { Stryker } from '@stryker-mutator/core'
import { EXPLAINED } from './explained.ts'
import type { Explained } from './explained/because.ts'

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

/** A mutant that no test noticed. */
export interface Survivor {
  readonly file: string
  /** Of the file as it was then; from 1. */
  readonly line: number
  readonly mutator: string
  /** The source that was replaced, on one line. */
  readonly from: string
  /** What stood there instead. */
  readonly to: string
  /** Why no test can tell the two apart, or need not. */
  readonly why?: string
}

export interface Report {
  readonly room: string
  /** Mutants that were tried. */
  readonly mutants: number
  readonly killed: number
  /** Noticed because nothing ended. */
  readonly timedOut: number
  readonly survivors: readonly Survivor[]
}

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 120 ? `${line.slice(0, 117)}...` : line
}

/** The text between two places of a source; lines and columns from 1. */
function textAt(source: string, { start, end }: MutantResult['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  lines[last] = (lines[last] ?? '').slice(0, end.column - 1)
  lines[0] = (lines[0] ?? '').slice(start.column - 1)
  return lines.join('\n')
}

const lineOf = (source: string, { start }: MutantResult['location']): string =>
  source.split('\n')[start.line - 1] ?? ''

const fits = (known: Explained, of: Survivor, line: string): boolean =>
  known.file === of.file &&
  known.to === of.to &&
  line.includes(known.on ?? '') &&
  (known.from === of.from ||
    (known.from.endsWith('...') && of.from.startsWith(known.from.slice(0, -3))))

/** @param sourceOf the source of a file that was mutated, by its path from the root */
export function reportOf(
  room: string,
  results: readonly MutantResult[],
  sourceOf: (file: string) => string,
): Report {
  const of = (...statuses: readonly MutantResult['status'][]): readonly MutantResult[] =>
    results.filter(({ status }) => statuses.includes(status))
  // One whose run broke down twice was not noticed either.
  const survivors = of('Survived', 'NoCoverage', 'RuntimeError').map((mutant): Survivor => {
    const source = sourceOf(mutant.fileName)
    const survivor = {
      file: mutant.fileName,
      line: mutant.location.start.line,
      mutator: mutant.mutatorName,
      from: oneLine(textAt(source, mutant.location)),
      to: oneLine(mutant.replacement ?? ''),
    }
    const line = lineOf(source, mutant.location)
    const why = EXPLAINED.find((known) => fits(known, survivor, line))?.why
    return why === undefined ? survivor : { ...survivor, why }
  })
  const killed = of('Killed').length
  const timedOut = of('Timeout').length
  return { room, mutants: killed + timedOut + survivors.length, killed, timedOut, survivors }
}

/** Share of the mutants that a test noticed, in percent. */
export const scoreOf = ({ mutants, killed, timedOut }: Report): number =>
  mutants === 0 ? 100 : ((killed + timedOut) / mutants) * 100
