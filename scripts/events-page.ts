/**
 * Writes `docs/events.md` from the schemas of the events and from the list of enclosure rules.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GenericSchema } from 'valibot'
import { chunk } from '../src/events/schemas/chunk.schema.ts'
import * as parts from '../src/events/schemas/parts.ts'
import { schemas } from '../src/events/schemas.ts'
import { fieldsOf, isOptional, meaningOf, type Named, typeWords, waysOf } from './schema-words.ts'

const reason = fieldsOf(schemas['turn/end']).find(([name]) => name === 'reason')?.[1]

/** Shapes that several events share, by the name under which they are linked. */
const shapes: Readonly<Record<string, GenericSchema>> = {
  Message: parts.message,
  Content: parts.content,
  File: parts.file,
  Source: parts.source,
  AssistantMessage: parts.assistantMessage,
  Chunk: chunk,
  Call: parts.call,
  Outcome: parts.outcome,
  Failure: parts.failure,
  Usage: parts.usage,
  Cause: parts.cause,
  ...(reason === undefined ? {} : { TurnReason: reason }),
  SeqRange: parts.seqRange,
}

const named: Named = new Map(
  Object.entries(shapes).map(([name, schema]) => [schema, `[${name}](#${name.toLowerCase()})`]),
)

/** A pipe would end the cell of a table. */
const cell = (text: string): string => text.replaceAll('|', String.raw`\|`)

function event([type, schema]: readonly [string, GenericSchema]): string {
  const rows = fieldsOf(schema).map(([name, field]) => {
    const mark = isOptional(field) ? '?' : ''
    return `| \`${name}${mark}\` | ${cell(typeWords(field, named))} | ${cell(meaningOf(field))} |`
  })
  return [
    `### \`${type}\``,
    meaningOf(schema),
    ['| Field | Type | Meaning |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n')
}

const shape = ([name, schema]: readonly [string, GenericSchema]): string =>
  [
    `### ${name}`,
    meaningOf(schema),
    waysOf(schema, named)
      .map((way) => `- ${way}`)
      .join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')

/** The rules as the checker itself lists them. */
function rules(): string {
  const source = readFileSync(join(import.meta.dirname, '../src/events/enclosure.ts'), 'utf8')
  const header = source.slice(0, source.indexOf('@module'))
  const lines = header.split('\n').map((line) => line.replace(/^ \* ?/, ''))
  const from = lines.findIndex((line) => line.startsWith('- E1'))
  const to = lines.findLastIndex((line) => /^(- E\d+|      )/.test(line))
  return lines
    .slice(from, to + 1)
    .join('\n')
    .replaceAll(/\n {6}/g, ' ')
}

/** The whole page. */
export function eventsPage(): string {
  return `# Events

Made by test/docs.test.ts from the schemas; do not edit.

A log is a header and then events. Line 0 of a stored log is the header, without a seq: \`id\`, \`formatVersion\`,
\`createdAt\`, and for a fork its \`parent\`. Each event has an envelope:

| Field | Type | Meaning |
| --- | --- | --- |
| \`seq\` | integer ≥ 0 | Position in the log, without gaps. |
| \`time\` | integer | Ms since the epoch. |
| \`type\` | string | \`noun/fact\`; your own are namespaced, such as \`acme/note\`. |
| \`data\` | object | The payload, below. |
| \`v?\` | integer ≥ 1 | Version of the payload; absent means 1. Old ones are lifted while reading. |
| \`optional?\` | true | A reader that does not know the type may skip it. |
| \`cites?\` | list of integer ≥ 0 | Seqs of the events this one was made from. |

A field with \`?\` may be absent. Readers let unknown fields through: a newer writer may add some.

## Where events may stand

One checker holds every append, every loaded log and every test to these rules; an error names the rule.

${rules()}

## The events

${Object.entries(schemas).map(event).join('\n\n')}

## Shapes

${Object.entries(shapes).map(shape).join('\n\n')}
`
}
