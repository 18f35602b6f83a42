/**
 * A session as a Markdown page for people: what was said, turn by turn, and how each turn ended.
 *
 * What was said stands in quotes and fences that it cannot leave, so that no text can pretend to be a heading of the page.
 *
 * @module
 */
import type { LogHeader, StoredEvent } from '../events/event.ts'
import type { AssistantBlock, ContentBlock, Outcome } from '../events/message.ts'
import { oneLine, printable } from '../projections/plain-text.ts'
import { fold } from '../projections/projection.ts'
import { counted, reasonSaid, reasonWords } from '../projections/trace/trace-words.ts'
import { transcript, transcriptPage, type TranscriptEntry } from '../projections/transcript.ts'
import { turns, turnsView, type TurnRecord } from '../projections/turns.ts'

/** The page. It holds the texts of the log: give it only to whom you would give the log. */
export function sessionMarkdown(header: LogHeader, events: readonly StoredEvent[]): string {
  const records = turnsView(fold(turns, events))
  const said = new Map<number | null, TranscriptEntry[]>()
  for (const entry of transcriptPage(fold(transcript, events))) {
    const others = said.get(entry.turn)
    if (others === undefined) said.set(entry.turn, [entry])
    else others.push(entry)
  }
  // What is said outside turns are summaries of compactions; it stands before the turn that it precedes.
  const outside = [...(said.get(null) ?? [])]
  const before = (seq: number): TranscriptEntry[] => {
    const count = outside.findIndex((entry) => entry.seq > seq)
    return outside.splice(0, count === -1 ? outside.length : count)
  }
  const parts = [
    `# Session ${code(header.id)}`,
    `Created ${new Date(header.createdAt).toISOString()}, ${counted(events.length, 'event')}, ${counted(records.length, 'turn')}.`,
    ...records.flatMap((record) => [
      ...before(record.from).flatMap(entryParts),
      headingOf(record),
      ...(said.get(record.turn) ?? []).flatMap(entryParts),
      endOf(record),
    ]),
    ...outside.flatMap(entryParts),
  ]
  return `${parts.join('\n\n')}\n`
}

const headingOf = ({ turn, startedAt }: TurnRecord): string =>
  `## Turn ${turn}\n\n${new Date(startedAt).toISOString()}`

function endOf({ reason, uncommitted }: TurnRecord): string {
  if (reason === null) return '*The turn is open.*'
  const why = oneLine(reasonSaid(reason))
  const left = uncommitted.length === 0 ? '' : `; never read: ${uncommitted.map(code).join(', ')}`
  return `*Ended: ${plain(reasonWords(reason))}${why === '' ? '' : `: ${plain(why)}`}${left}.*`
}

/** A name between backticks, of which it may hold none. */
const code = (name: string): string => `\`${oneLine(name).replaceAll('`', "'")}\``

/** Foreign words inside a sentence: no markup of theirs is read. */
const plain = (text: string): string => text.replaceAll(/[\\`*_{}[\]<>#|~&]/g, '\\$&')

/** Every line is quoted, so that the text stays inside. */
const quoted = (text: string): string =>
  printable(text)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')

/** A fence is longer than every row of backticks in it. */
function fenced(text: string): string {
  const rows = text.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...rows.map((row) => row.length + 1)))
  return `${fence}text\n${printable(text)}\n${fence}`
}

const blockText = (block: ContentBlock | AssistantBlock): string =>
  'text' in block ? block.text : `[${block.type}]`

const textOf = (content: readonly ContentBlock[]): string => content.map(blockText).join('\n\n')

function entryParts(entry: TranscriptEntry): string[] {
  if (entry.kind === 'assistant') return assistantParts(entry)
  if (entry.kind === 'tool') return toolParts(entry)
  const { id, source, content } = entry.message
  const who = entry.kind === 'summary' ? 'Summary' : WHO[source.kind]
  return [`**${who}** ${code(id)}`, quoted(textOf(content))]
}

const WHO = {
  user: 'User',
  plugin: 'Plugin',
  tool: 'Tool',
  model: 'Model',
  goal: 'Goal',
  child: 'Child',
} as const

function assistantParts(entry: TranscriptEntry & { readonly kind: 'assistant' }): string[] {
  const cut = entry.interrupted ? ' (cut off)' : ''
  return [
    `**Assistant**${cut}`,
    ...entry.message.content.flatMap((block) =>
      block.type === 'tool-call'
        ? [`Calls ${code(block.name)}:`, fenced(block.arguments)]
        : [quoted(block.type === 'reasoning' ? `(thinks) ${block.text}` : blockText(block))],
    ),
  ]
}

function toolParts({ name, outcome }: TranscriptEntry & { readonly kind: 'tool' }): string[] {
  return [`**Tool** ${code(name)}: ${howOf(outcome)}`, fenced(textOf(outcome.content))]
}

function howOf(outcome: Outcome): string {
  if (outcome.kind === 'ok') return 'ok'
  if (outcome.kind === 'denied') return `denied by ${code(outcome.by)}`
  return outcome.code === undefined ? 'error' : `error ${code(outcome.code)}`
}
