/**
 * Events of your own in the same log: namespaced, typed, checked by a schema of any vendor.
 *
 * ```ts
 * declare module 'turnwise' {
 *   interface CustomEvents { 'acme/note': { text: string } }
 * }
 * const note = defineEvent('acme/note', v.object({ text: v.string() }))
 * agent.record(note.make({ text: 'remember the milk' }))
 * ```
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import { asJson, ShapeError, show } from './shape.ts'

/** The part of Standard Schema that is used here (https://standardschema.dev). Its answer must be synchronous. */
export interface EventSchema<Data> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => EventVerdict<Data> | Promise<EventVerdict<Data>>
  }
}

type EventVerdict<Data> =
  | { readonly value: Data; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string
        readonly path?: readonly unknown[] | undefined
      }[]
    }

export interface EventKindOptions {
  /** Readers that do not know the type may skip it. Default: false, they refuse the log. */
  readonly optional?: boolean
  /** Version that is written; give upcasters for the older ones. Default 1. */
  readonly version?: number
}

/** An event of this kind, before it stands in a log. */
export interface CustomEvent<Type extends string, Data> {
  readonly type: Type
  readonly data: Data
  readonly optional?: true
  readonly v?: number
}

/** What a reader must know of a kind of events, whatever its payload is. */
export interface KnownEvent {
  readonly type: string
  readonly optional: boolean
  readonly version: number
  /** The fault of a payload in words; undefined if it has none. */
  readonly fault: (data: unknown) => string | undefined
}

/** A kind of events of your own. */
export interface EventKind<Type extends string = string, Data = unknown> extends KnownEvent {
  readonly type: Type
  /** Makes an event to record. @throws TurnwiseError INVALID_MESSAGE when `data` is refused. */
  readonly make: (data: Data) => CustomEvent<Type, Data>
  /** Is `event` of this kind? */
  readonly is: (event: { readonly type: string }) => event is CustomEvent<Type, Data>
}

/** Namespaces of this library's own events. */
const RESERVED = new Set([
  'session',
  'inbox',
  'turn',
  'step',
  'user',
  'context',
  'request',
  'assistant',
  'tool',
  'gate',
  'cancel',
  'approval',
  'compaction',
  'goal',
  'child',
])
const NAMESPACED = /^([a-z][a-z0-9-]*)\/[a-z][a-z0-9/-]*$/

/**
 * Defines a kind of events.
 *
 * @param type - `namespace/fact` in lower case, such as `acme/note`; not in a namespace of this library.
 * @throws TurnwiseError INVALID_OPTION
 */
export function defineEvent<const Type extends string, Data>(
  type: Type,
  schema: EventSchema<Data>,
  options: EventKindOptions = {},
): EventKind<Type, Data> {
  checkCustomType(type)
  const { optional = false, version = 1 } = options
  checkVersion(version)
  const envelope = {
    ...(optional && { optional: true as const }),
    ...(version > 1 && { v: version }),
  }
  return Object.freeze({
    type,
    optional,
    version,
    make: (data: Data) => ({ type, data: valid(type, schema, data), ...envelope }),
    is: (event: { readonly type: string }): event is CustomEvent<Type, Data> => event.type === type,
    fault: (data: unknown) => faultOf(validate(type, schema, data)),
  })
}

/** @throws TurnwiseError INVALID_OPTION unless `type` is namespaced, outside the namespaces of this library. */
export function checkCustomType(type: string): void {
  const namespace = NAMESPACED.exec(type)?.[1]
  if (namespace !== undefined && !RESERVED.has(namespace)) return
  throw new TurnwiseError(
    'INVALID_OPTION',
    `expected an event type such as acme/note outside the namespaces of turnwise, found ${show(type)}; nothing was changed.`,
  )
}

function checkVersion(version: number): void {
  if (Number.isSafeInteger(version) && version >= 1) return
  throw new TurnwiseError(
    'INVALID_OPTION',
    `expected a version from 1 on, found ${show(version)}; nothing was defined.`,
  )
}

/** What is recorded is what was given, not what the schema makes of it: reading it must give the same again. */
function valid<Data>(type: string, schema: EventSchema<Data>, data: Data): Data {
  const fault = faultOf(validate(type, schema, data))
  if (fault !== undefined) throw refused(type, fault)
  try {
    return asJson(data, 'data') as Data
  } catch (error) {
    if (error instanceof ShapeError) throw refused(type, error.message)
    throw error
  }
}

const refused = (type: string, fault: string): TurnwiseError =>
  new TurnwiseError(
    'INVALID_MESSAGE',
    `the payload of ${type} is refused: ${fault}; nothing was written.`,
  )

function validate<Data>(
  type: string,
  schema: EventSchema<Data>,
  data: unknown,
): EventVerdict<Data> {
  const verdict = schema['~standard'].validate(data)
  if (!(verdict instanceof Promise)) return verdict
  throw new TurnwiseError(
    'INVALID_OPTION',
    `expected the schema of ${type} to answer at once, found a promise.`,
  )
}

function faultOf(verdict: EventVerdict<unknown>): string | undefined {
  if (verdict.issues === undefined) return undefined
  return verdict.issues.map((issue) => `${pathOf(issue.path)}${issue.message}`).join('; ')
}

function pathOf(path: readonly unknown[] | undefined): string {
  if (path === undefined || path.length === 0) return ''
  const keys = path.map((part) =>
    typeof part === 'object' && part !== null && 'key' in part ? part.key : part,
  )
  return `${keys.map(String).join('.')}: `
}
