/**
 * What happened in a run, as a Mermaid sequence diagram.
 *
 * @module
 */
import { EventPrinter } from '../print-event.ts'
import type { Breach, Move } from './options.ts'
import { nameOf } from './perform.ts'
import type { Traced } from './traced.ts'

const HEAD = [
  'sequenceDiagram',
  '  participant You',
  '  participant Agent',
  '  participant Log',
  '  participant World as What it waits for',
]

/** Marks of the notation that a text must not hold. */
const safe = (text: string): string =>
  text.replaceAll(/[;#\n]/g, (mark) => (mark === '\n' ? ' ' : `#${mark.codePointAt(0)};`))

function printMove(move: Move): string {
  const text = safe(nameOf(move))
  return 'command' in move ? `  You->>Agent: ${text}` : `  World-->>Agent: ${text}`
}

/** Prints what happened, and what is wrong with it at the end. */
export function printSequence(traced: readonly Traced[], breaches: readonly Breach[]): string {
  const printer = new EventPrinter()
  const lineOf = (each: Traced): string | string[] => {
    if (each.what === 'move') return printMove(each.move)
    if (each.what === 'event')
      return printer.lines(each.event).map((line) => `  Agent->>Log: ${safe(line)}`)
    if (each.what === 'issue')
      return `  You->>Agent: ${safe(`inside ${each.place}: ${each.command}`)}`
    if (each.what === 'refused') return `  Log--xAgent: ${safe(each.type)} is refused`
    if (each.what === 'asked') return `  Agent->>World: ${safe(each.name)}?`
    return `  Agent-->>You: status ${each.status}`
  }
  const notes = breaches.map(
    ({ invariant, rule, message }) =>
      `  Note over You,World: ${safe(`${invariant} ${rule}: ${message}`)}`,
  )
  return [...HEAD, ...traced.flatMap(lineOf), ...notes, ''].join('\n')
}
