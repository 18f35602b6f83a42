/**
 * `turnwise doctor`: is a stored log sound, and if not, which event broke which rule?
 *
 * It changes nothing without `--repair`, and then only appends.
 *
 * @module
 */
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { causeChain, TurnwiseError } from '../errors.ts'
import { type Diagnosis, examineFile, type Finding, mendFile } from '../testing/doctor.ts'
import { oneLine } from './live/printable.ts'
import { plural } from './offline/words.ts'
import type { DoctorAsked } from './session-arguments.ts'
import type { Surroundings } from './surroundings.ts'
import { EXIT } from './usage.ts'
import type { ExitCode } from './usage.ts'

/** What became of one log. */
interface Examined {
  /** As it was asked for. */
  readonly file: string
  readonly diagnosis?: Diagnosis
  /** Events that were appended. */
  readonly repaired?: number
  /** It could not be read, or not be repaired. */
  readonly error?: string
}

/** Examines the logs, one after another. @returns 0 if all are sound in the end. */
export async function doctorCommand(asked: DoctorAsked, at: Surroundings): Promise<ExitCode> {
  let sound = true
  for (const file of await filesOf(asked.logs, at.cwd)) {
    const examined = await examine(file, asked.repair, at.cwd)
    sound &&= examined.error === undefined && examined.diagnosis?.sound === true
    for (const line of asked.json ? [JSON.stringify(examined)] : linesOf(examined))
      at.stdout.write(`${line}\n`)
  }
  return sound ? EXIT.ok : EXIT.failed
}

/** A folder stands for the logs in it. */
async function filesOf(logs: readonly string[], cwd: string): Promise<string[]> {
  const files: string[] = []
  for (const log of logs) {
    const isFolder = await stat(resolve(cwd, log)).then(
      (found) => found.isDirectory(),
      () => false,
    )
    if (!isFolder) {
      files.push(log)
      continue
    }
    const names = await readdir(resolve(cwd, log))
    const found = names.filter((name) => name.endsWith('.jsonl')).toSorted()
    files.push(...found.map((name) => join(log, name)))
  }
  return files
}

async function examine(file: string, repair: boolean, cwd: string): Promise<Examined> {
  const path = resolve(cwd, file)
  try {
    const diagnosis = await examineFile(path)
    if (!repair || !isMendable(diagnosis)) return { file, diagnosis }
    const repaired = await mendFile(path)
    return { file, diagnosis: await examineFile(path), repaired }
  } catch (error) {
    const code =
      error instanceof TurnwiseError ? `${error.code}: ${error.summary}` : causeChain(error)
    return { file, error: code }
  }
}

const isMendable = ({ repair, findings }: Diagnosis): boolean =>
  repair > 0 || findings.some(({ rule }) => rule === 'torn-tail')

function linesOf({ file, diagnosis, repaired, error }: Examined): string[] {
  if (error !== undefined || diagnosis === undefined) return [`${file}: ${oneLine(error ?? '')}`]
  const { sound, events, findings } = diagnosis
  const mended = repaired === undefined ? '' : `, repaired by ${plural(repaired, 'event')}`
  const head = `${file}: ${sound ? 'sound' : 'NOT SOUND'}, ${plural(events, 'event')}${mended}`
  return [head, ...findings.map((finding) => `  ${lineOf(finding)}`)]
}

function lineOf({ kind, rule, line, seq, type, message }: Finding): string {
  const place =
    seq === null ? `line ${line ?? 1}` : `event ${seq}${type === null ? '' : ` (${type})`}`
  const what = kind === 'fault' ? rule : `${kind}, ${rule}`
  return oneLine(`${place}: ${what}: ${message}`)
}
