/**
 * Spans in the JSON of the OpenTelemetry protocol: ids, times and attributes in its notation.
 *
 * @module
 */
import { createHash } from 'node:crypto'

/** A value of an attribute. Numbers are integers. */
export type Attribute = string | number | boolean | readonly string[] | undefined

/** A named moment of a span. */
export interface SpanEvent {
  readonly timeUnixNano: string
  readonly name: string
  readonly attributes: readonly OtlpAttribute[]
}

/** One attribute, as the protocol writes it. */
export interface OtlpAttribute {
  readonly key: string
  readonly value: object
}

/** One span, as the protocol writes it. */
export interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** 1 internal, 3 client. */
  readonly kind: 1 | 3
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly OtlpAttribute[]
  readonly events: readonly SpanEvent[]
  /** Code 2 is an error; an empty status says nothing. */
  readonly status: { readonly code?: 2; readonly message?: string }
}

/** The same log gives the same ids, so that exporting twice doubles nothing. */
export const idOf = (bytes: 8 | 16, ...names: readonly (string | number)[]): string =>
  createHash('sha256')
    .update(JSON.stringify(names))
    .digest('hex')
    .slice(0, bytes * 2)

/** Ms since the epoch as the nanoseconds of the protocol. */
export const nanos = (ms: number): string => `${BigInt(Math.max(0, ms)) * 1_000_000n}`

/** Attributes that have a value. */
export const attributesOf = (values: Readonly<Record<string, Attribute>>): OtlpAttribute[] =>
  Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: valueOf(value) }],
  )

function valueOf(value: NonNullable<Attribute>): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  // 64-bit integers are texts in the JSON of the protocol.
  if (typeof value === 'number') return { intValue: `${Math.trunc(value)}` }
  return { arrayValue: { values: value.map((item) => ({ stringValue: item })) } }
}
