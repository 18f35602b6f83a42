/**
 * Schema of the chunks of a stream.
 *
 * @module
 */
import * as v from 'valibot'
import { count, failure, field, file, finish, json, usage } from './parts.ts'

const block = field(count, 'Number of the block in its attempt, from 0.')

export const chunk = field(
  v.variant('kind', [
    v.object({
      kind: v.literal('block-start'),
      block,
      type: v.picklist(['text', 'reasoning', 'tool-call']),
      id: v.exactOptional(field(v.string(), "The provider's call id.")),
      name: v.exactOptional(field(v.string(), "The tool's name.")),
    }),
    v.object({ kind: v.literal('text-delta'), block, text: v.string() }),
    v.object({ kind: v.literal('reasoning-delta'), block, text: v.string() }),
    v.object({ kind: v.literal('tool-call-delta'), block, text: v.string() }),
    v.object({ kind: v.literal('block-end'), block, replay: v.exactOptional(json) }),
    v.object({ kind: v.literal('file'), file }),
    v.object({ kind: v.literal('provider'), type: v.string(), value: json }),
    v.object({ kind: v.literal('usage'), usage }),
    v.object({
      kind: v.literal('finish'),
      reason: finish,
      raw: v.exactOptional(field(v.string(), "The provider's own word.")),
      failure: v.exactOptional(failure),
    }),
  ]),
  'One piece of the stream.',
)
