/**
 * A session as OTLP/JSON: what an OpenTelemetry collector takes at `/v1/traces`.
 *
 * Each turn is a trace of its own, named by the session and its number; the session is the conversation.
 *
 * @module
 */
import type { LogHeader, StoredEvent } from '../../events/event.ts'
import { fold } from '../../projections/projection.ts'
import { turns, turnsView } from '../../projections/turns.ts'
import { SpanBook } from './span-book.ts'
import { attributesOf, type OtlpSpan } from './span.ts'

export interface OtlpOptions {
  /** Messages, arguments, results and texts of failures are exported too. Default false. */
  readonly reveal?: boolean
  /** `service.name` of the resource. Default `turnwise`. */
  readonly serviceName?: string
}

/** A request of the OTLP trace service, in JSON. */
export interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly object[] }
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string }
      readonly spans: readonly OtlpSpan[]
    }[]
  }[]
}

/** The spans of a log, as the GenAI semantic conventions name them. Every span has its end. */
export function otlpTraces(
  header: LogHeader,
  events: readonly StoredEvent[],
  { reveal = false, serviceName = 'turnwise' }: OtlpOptions = {},
): OtlpTraces {
  // Tokens of a turn are known in its end only; failed and cut attempts count.
  const spent = new Map(turnsView(fold(turns, events)).map(({ turn, usage }) => [turn, usage]))
  const book = new SpanBook(header.id, spent, reveal)
  for (const event of events) book.take(event)
  book.end()
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': serviceName }) },
        scopeSpans: [{ scope: { name: 'turnwise' }, spans: book.spans }],
      },
    ],
  }
}
