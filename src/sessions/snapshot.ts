/**
 * Snapshots of projections: where a fold stood, as JSON, so that only the tail of the log is folded again.
 *
 * A snapshot is a cache. The log is the truth: what does not fit to it is not used, and may be checked against a replay.
 *
 * Z1 A snapshot plus the tail of the log equals a full replay, at every event.
 * Z2 A snapshot of another session, of another event at its place, or of another version is passed over.
 *
 * @module
 */
import { isDeepStrictEqual } from 'node:util'
import type { StoredEvent } from '../events/event.ts'
import type { Json } from '../events/json.ts'
import type { EventLog } from '../log/event-log.ts'
import { AppendList } from '../projections/append-list.ts'
import { fold, type Projection } from '../projections/projection.ts'

/** Raised when the state of any projection of this library changes its shape. */
const VERSION = 1

/** The states of some projections at one event of one session; plain JSON. */
export interface Snapshot {
  readonly version: number
  readonly session: string
  /** Number of folded events. */
  readonly length: number
  /** Time and type of the last of them; null before the first. */
  readonly last: { readonly time: number; readonly type: string } | null
  /** By the name of the projection. */
  readonly states: { readonly [name: string]: Json }
}

/** A projection of any state. */
export interface AnyProjection {
  readonly name: string
  readonly initial: unknown
  readonly evolve: (state: never, event: StoredEvent) => unknown
}

type Source = Pick<EventLog, 'header' | 'length' | 'at' | 'read'>

const lastOf = (event: StoredEvent | undefined): Snapshot['last'] =>
  event === undefined ? null : { time: event.time, type: event.type }

/** The states of `projections` at the present end of `log`. */
export function takeSnapshot(
  log: Source,
  projections: readonly AnyProjection[],
  known?: Snapshot,
): Snapshot {
  const states = projections.map((projection) => {
    const state = foldFrom(known, projection as Projection<unknown>, log)
    return [projection.name, encode(state)] as const
  })
  return {
    version: VERSION,
    session: log.header.id,
    length: log.length,
    last: lastOf(log.at(log.length - 1)),
    states: Object.fromEntries(states),
  }
}

/** The state of `projection` at the end of `log`: from the snapshot if it fits, else from the beginning. */
export function foldFrom<S>(
  snapshot: Snapshot | undefined,
  projection: Projection<S>,
  log: Source,
): S {
  const state = snapshot?.states[projection.name]
  if (snapshot === undefined || state === undefined || !fits(snapshot, log)) {
    return fold(projection, log.read())
  }
  return fold(projection, log.read(snapshot.length), decode(state) as S)
}

/** Names of the projections whose snapshot, with the tail of `log`, differs from a full replay. */
export function checkSnapshot(
  snapshot: Snapshot,
  projections: readonly AnyProjection[],
  log: Source,
): readonly string[] {
  return projections
    .filter((projection) => {
      const known = projection as Projection<unknown>
      const replayed = encode(fold(known, log.read()))
      return !isDeepStrictEqual(encode(foldFrom(snapshot, known, log)), replayed)
    })
    .map(({ name }) => name)
}

function fits({ version, session, length, last }: Snapshot, log: Source): boolean {
  if (version !== VERSION || session !== log.header.id || length > log.length) return false
  return isDeepStrictEqual(last, lastOf(log.at(length - 1)))
}

/** Lists that share their items are the only thing in a state that JSON does not know. */
const LIST = '$list'
/** Marks an object that holds one of these keys by itself. */
const PLAIN = '$plain'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function encode(value: unknown): Json {
  if (value instanceof AppendList) return { [LIST]: value.toArray().map(encode) }
  if (Array.isArray(value)) return value.map(encode)
  if (!isRecord(value)) return value as Json
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  const record = Object.fromEntries(entries.map(([key, item]) => [key, encode(item)]))
  return LIST in record || PLAIN in record ? { [PLAIN]: record } : record
}

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode)
  if (!isRecord(value)) return value
  const { [LIST]: list, [PLAIN]: plain } = value
  if (Array.isArray(list)) return AppendList.of(list.map(decode))
  return decodeRecord(isRecord(plain) ? plain : value)
}

const decodeRecord = (record: Readonly<Record<string, unknown>>): unknown =>
  Object.fromEntries(Object.entries(record).map(([key, item]) => [key, decode(item)]))
