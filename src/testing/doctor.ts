/**
 * The doctor: is a stored log sound, and if not, which event broke which rule?
 *
 * D1 It changes nothing; mending is asked for apart, and only appends.
 * D2 It needs no catalogue: events of others are looked at as far as they can be, their payloads are not.
 * D3 A fault of the file hides what stands behind it. Everything before it is judged.
 *
 * @module
 */
import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { LogCorruptError, TurnwiseError } from '../errors.ts'
import type { LogHeader, StoredEvent } from '../events/event.ts'
import { lenientCatalogue } from '../events/lenient-catalogue.ts'
import { parseEvent } from '../events/parse-event.ts'
import { openFileLog } from '../log/file-log.ts'
import { parseHeader } from '../log/header.ts'
import { repairEvents, repairLog } from '../sessions/repair.ts'
import { checkInvariants, type Invariant } from './check-invariants.ts'

/** One thing that the doctor says of a log. */
export interface Finding {
  /** `fault`: the log is not sound. `open`: a repair closes it. `note`: worth knowing. */
  readonly kind: 'fault' | 'open' | 'note'
  /** The rule that was broken, or what was found. */
  readonly rule: string
  readonly invariant?: Invariant
  /** Line of the file, counted from 1 as editors do; null for a log that is no file. */
  readonly line: number | null
  /** The event; null for the header and for what is no event. */
  readonly seq: number | null
  readonly type: string | null
  readonly message: string
}

/** What the doctor says of a log. */
export interface Diagnosis {
  readonly session: string | null
  /** Number of events that could be read. */
  readonly events: number
  readonly findings: readonly Finding[]
  /** Number of events that a repair would append. */
  readonly repair: number
  /** Nothing is wrong. What a process has open, or left open, is not wrong. */
  readonly sound: boolean
}

/** What could be read of a log. */
interface Reading {
  header: LogHeader | undefined
  readonly events: StoredEvent[]
  readonly findings: Finding[]
}

const NEWLINE = 0x0a

/** Examines a log file. @throws what the system says of a file that cannot be read. */
export async function examineFile(file: string): Promise<Diagnosis> {
  const bytes = await readFile(file)
  const reading: Reading = { header: undefined, events: [], findings: [] }
  let from = 0
  for (let line = 1; from < bytes.length; line += 1) {
    const end = bytes.indexOf(NEWLINE, from)
    if (end === -1) {
      reading.findings.push(torn(line, bytes.length - from))
      break
    }
    if (!take(reading, bytes.subarray(from, end), line)) return conclude(reading, true)
    from = end + 1
  }
  if (reading.header === undefined) {
    reading.findings.push(fileFault('header', 1, 'expected a header line, found nothing'))
  }
  return conclude(reading, true)
}

/** Examines a log that was read from any store. */
export function examineLog(header: LogHeader, events: readonly StoredEvent[]): Diagnosis {
  return conclude({ header, events: [...events], findings: [] }, false)
}

/**
 * Appends what closes a turn that a crash has left open, and cuts a torn last line.
 *
 * @returns the number of appended events.
 * @throws TurnwiseError SESSION_LIVE, UNKNOWN_EVENT; LogCorruptError for a log that a repair cannot mend.
 */
export async function mendFile(file: string): Promise<number> {
  const log = await openFileLog(file, { catalogue: lenientCatalogue })
  try {
    return repairLog(log)
  } finally {
    await log.close()
  }
}

/** Takes one line. @returns whether it could be read. */
function take(reading: Reading, bytes: Uint8Array, line: number): boolean {
  const { events, findings } = reading
  try {
    if (!isUtf8(bytes)) throw new SyntaxError('it is no UTF-8')
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (reading.header === undefined) reading.header = parseHeader(value)
    else events.push(parseEvent(value, events.length, lenientCatalogue))
    return true
  } catch (error) {
    findings.push(faultOf(error, line, reading))
    return false
  }
}

function faultOf(error: unknown, line: number, { header, events }: Reading): Finding {
  const seq = header === undefined ? null : events.length
  const at = { kind: 'fault', line, seq, type: null } as const
  if (error instanceof SyntaxError) {
    return { ...at, rule: 'line', message: `the line cannot be read: ${error.message}` }
  }
  if (error instanceof LogCorruptError) {
    const rule = header === undefined ? 'header' : ruleOf(error)
    return { ...at, rule, message: error.summary }
  }
  if (error instanceof TurnwiseError) {
    return { ...at, rule: 'unknown-event', message: error.summary }
  }
  throw error
}

/** The envelope names its own parts first. */
const ruleOf = ({ summary }: LogCorruptError): string => {
  if (/damaged: seq/.test(summary)) return 'seq'
  return /damaged: (?:the event|time|type|data|optional|cites|v)\b/.test(summary)
    ? 'envelope'
    : 'payload'
}

const fileFault = (rule: string, line: number, message: string): Finding => ({
  kind: 'fault',
  rule,
  line,
  seq: null,
  type: null,
  message,
})

const torn = (line: number, bytes: number): Finding => ({
  ...fileFault(
    'torn-tail',
    line,
    `the last line has no line break: ${bytes} bytes of it will be cut when the log is opened`,
  ),
  kind: 'note',
})

/** Judges what could be read. */
function conclude({ header, events, findings }: Reading, isFile: boolean): Diagnosis {
  const place = (seq: number | null): Pick<Finding, 'line' | 'seq' | 'type'> => ({
    line: isFile && seq !== null ? seq + 2 : null,
    seq,
    type: seq === null ? null : (events[seq]?.type ?? null),
  })
  const broken: Finding[] = checkInvariants(events).map(({ seq, ...violation }) => ({
    kind: 'fault',
    ...violation,
    ...place(seq),
  }))
  const all = [
    ...broken,
    ...(header === undefined ? [] : checkFork(header, events, isFile)),
    ...findings,
  ]
  const repair = findings.some(({ kind }) => kind === 'fault') ? 0 : owed(events)
  if (repair > 0 && broken.length === 0) all.push(openAt(events, repair, place))
  const sound = all.every(({ kind }) => kind !== 'fault')
  return { session: header?.id ?? null, events: events.length, findings: all, repair, sound }
}

/** Number of events that a repair would append; a log that breaks a rule cannot be repaired. */
function owed(events: readonly StoredEvent[]): number {
  try {
    return repairEvents(events).length
  } catch (error) {
    if (error instanceof LogCorruptError) return 0
    throw error
  }
}

function openAt(
  events: readonly StoredEvent[],
  repair: number,
  place: (seq: number | null) => Pick<Finding, 'line' | 'seq' | 'type'>,
): Finding {
  const seq = events.findLastIndex(({ type }) => type === 'turn/start')
  const message = `the turn is not through: its process is at work, or it died; a repair would append ${repair} events`
  return { kind: 'open', rule: 'open-turn', ...place(seq), message }
}

/** A fork says twice how much it has copied. */
function checkFork(header: LogHeader, events: readonly StoredEvent[], isFile: boolean): Finding[] {
  const { inheritedLength } = header
  if (inheritedLength === undefined) return []
  const marker = events.find(
    (event) => event.type === 'session/opened' && event.data.inherited === inheritedLength,
  )
  if (marker !== undefined && marker.seq >= inheritedLength) return []
  const found = marker === undefined ? 'none' : `one at ${marker.seq}`
  const message = `expected session/opened of a fork behind the ${inheritedLength} copied events, found ${found}`
  return [{ ...fileFault('fork-marker', 1, message), line: isFile ? 1 : null }]
}
