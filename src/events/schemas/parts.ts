/**
 * The parts that payloads share, as schemas. They describe what is stored; values that enter are read by `parse-*.ts`.
 *
 * @module
 */
import * as v from 'valibot'
import type { Json } from '../json.ts'

/** A schema with the sentence that docs print beside it. */
export const field = <const S extends v.GenericSchema>(schema: S, text: string) =>
  v.pipe(schema, v.description(text))

/** Any JSON. It is not walked: a stored payload was parsed from JSON. */
export const json = v.custom<Json>(
  (value) => ['string', 'number', 'boolean', 'object'].includes(typeof value),
  'Expected JSON',
)

/** Further fields of a sender; JSON never holds undefined, its type does. */
const rest = v.optional(json)

/** A string that is not empty. */
export const name = v.pipe(v.string(), v.nonEmpty())
export const count = v.pipe(v.number(), v.integer(), v.minValue(0))
export const ordinal = v.pipe(v.number(), v.integer(), v.minValue(1))
export const amount = v.pipe(v.number(), v.minValue(0))

export const turn = field(ordinal, 'Number of the turn in its session, from 1.')
/** Where an event of a step stands. */
export const at = { turn, step: field(ordinal, 'Number of the step in its turn, from 1.') }
export const messageId = field(name, 'Id of a message.')
export const ids = v.array(messageId)
export const list = v.picklist(['next-turn', 'next-step'])
export const actor = field(v.string(), 'Who issued the command.')
export const seqRange = field(
  v.object({ from: field(count, 'First seq.'), to: field(count, 'Last seq.') }),
  'Positions in the log, both inclusive.',
)

const text = field(v.object({ type: v.literal('text'), text: v.string() }), 'Plain text.')
export const file = field(
  v.object({
    type: v.picklist(['file', 'image']),
    mediaType: name,
    data: v.exactOptional(field(v.string(), 'Base64; either this or `url`.')),
    url: v.exactOptional(v.string()),
    name: v.exactOptional(v.string()),
  }),
  'A file or an image.',
)
export const content = v.array(v.variant('type', [text, file]))

export const source = field(
  v.objectWithRest(
    {
      kind: v.picklist(['user', 'plugin', 'tool', 'model', 'goal', 'child']),
      plugin: v.exactOptional(field(v.string(), 'Name of the plugin; may be empty.')),
    },
    rest,
  ),
  'Who the message comes from; further fields belong to the sender.',
)

export const message = field(
  v.object({
    id: messageId,
    role: v.literal('user'),
    content,
    source,
    metadata: v.exactOptional(field(json, "The sender's own facts; never shown to the model.")),
  }),
  'A message to the agent.',
)

export const call = field(
  v.object({
    key: field(name, 'Unique in the session.'),
    index: field(count, 'Position among the calls of its step, from 0.'),
    providerId: field(v.string(), "The provider's id; may repeat."),
  }),
  'The identity of a tool call.',
)

const replay = v.exactOptional(field(json, 'Private data of the provider, sent back unchanged.'))

export const assistantMessage = field(
  v.object({
    role: v.literal('assistant'),
    content: v.array(
      v.variant('type', [
        v.object({ type: v.literal('text'), text: v.string(), replay }),
        v.object({ type: v.literal('reasoning'), text: v.string(), replay }),
        v.object({
          type: v.literal('tool-call'),
          call,
          name: v.string(),
          arguments: v.string(),
          replay,
        }),
        file,
        v.object({ type: v.literal('provider'), kind: v.string(), value: json }),
      ]),
    ),
  }),
  'What the model produced, in its order.',
)

export const usage = field(
  v.object({
    inputTokens: v.exactOptional(amount),
    outputTokens: v.exactOptional(amount),
    totalTokens: v.exactOptional(amount),
    reasoningTokens: v.exactOptional(amount),
    cacheReadTokens: v.exactOptional(amount),
    cacheWriteTokens: v.exactOptional(amount),
  }),
  'Tokens of one attempt; missing numbers are unknown.',
)

export const failureFields = {
  code: field(name, 'Classified code.'),
  message: v.string(),
  status: v.exactOptional(field(v.number(), 'HTTP status of the provider.')),
  retryAfterMs: v.exactOptional(field(amount, 'Wait that the provider asks for, in ms.')),
  requestId: v.exactOptional(v.string()),
}
export const failure = field(v.object(failureFields), 'Why it failed.')

export const cause = field(
  v.objectWithRest({ kind: v.picklist(['user', 'parent', 'hook', 'disposed']) }, rest),
  'Why an activity was aborted; further fields are recorded as given.',
)

export const outcome = field(
  v.variant('kind', [
    v.object({
      kind: v.literal('ok'),
      content,
      concludes: v.exactOptional(
        field(v.literal(true), 'The tool asked to end the turn after this step.'),
      ),
      value: v.exactOptional(field(json, "The tool's structured value.")),
    }),
    v.object({
      kind: v.literal('error'),
      code: v.exactOptional(field(v.string(), 'A code of turnwise or of a classified failure.')),
      content,
      repeatable: v.exactOptional(field(v.literal(true), 'Calling it again is safe.')),
    }),
    v.object({ kind: v.literal('denied'), by: v.string(), reason: v.string(), content }),
  ]),
  'How the call ended.',
)

export const finish = v.picklist([
  'stop',
  'tool-calls',
  'max-tokens',
  'content-filter',
  'error',
  'aborted',
  'other',
])
