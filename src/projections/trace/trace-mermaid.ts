/**
 * A trace as a Mermaid sequence diagram.
 *
 * Q1 Foreign text cannot end a label, open a directive, or become markup: what is not a letter, a digit or harmless
 *    punctuation is written as its number. A colon stays where a space follows: elsewhere Mermaid may take a line for a
 *    style. No label begins with it, because some beginnings are orders to wrap.
 * Q2 The diagram stays below the 50,000 characters that Mermaid, and the sites that draw it, refuse beyond: it then ends
 *    with a note that says how much is missing.
 * Q3 No answer closes what was not opened: Mermaid refuses that, and a range may begin behind the opening.
 *
 * @module
 */
import type { TraceEntry, TraceParty } from './trace-entry.ts'

const MOST = 45_000

const HEAD = [
  'sequenceDiagram',
  '  participant caller as Caller',
  '  participant agent as Agent',
  '  participant model as Model',
  '  participant tools as Tools',
]

/** Mermaid reads a number between `#` and `;` as a character. */
const escaped = (text: string): string =>
  text.replaceAll(/(?!: )[^\p{L}\p{N} ,.()/+_-]/gu, (character) => `#${character.codePointAt(0)};`)

/** The whole diagram. */
export function traceMermaid(entries: readonly TraceEntry[]): string {
  const open = new Map<TraceParty, number>()
  const lines = [...HEAD]
  let length = lines.join('\n').length
  for (const [told, entry] of entries.entries()) {
    const line = `  ${lineOf(entry, open)}`
    length += line.length + 1
    if (length > MOST) {
      const rest = entries.length - told
      return [...lines, `  Note over caller,tools: ${rest} more, narrow the range`].join('\n')
    }
    lines.push(line)
  }
  return lines.join('\n')
}

function lineOf(entry: TraceEntry, open: Map<TraceParty, number>): string {
  const { kind, from, to, what, said } = entry
  const label = escaped(said === '' ? what : `${what} "${said}"`)
  if (kind === 'note')
    return `Note over ${/^turn \d+ /.test(what) ? 'caller,tools' : from}: ${label}`
  return `${from}${kind === 'tell' ? '->>' : bracket(entry, open)}${to}: ${label}`
}

/** The arrow of a question or an answer; whoever is asked is shown at work until the answer. */
function bracket({ kind, from, to }: TraceEntry, open: Map<TraceParty, number>): string {
  const party = kind === 'ask' ? to : from
  const count = open.get(party) ?? 0
  open.set(party, kind === 'ask' ? count + 1 : Math.max(0, count - 1))
  if (kind === 'ask') return '->>+'
  return count > 0 ? '-->>-' : '-->>'
}
