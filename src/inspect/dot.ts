/**
 * Draws a machine in the DOT language of Graphviz, from the machine itself.
 *
 * @module
 */
import type { AnyStateMachine } from 'xstate'
import { drawingOf, type DrawnState } from './drawing.ts'
import type { MermaidOptions } from './mermaid.ts'

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

/** The graph as text: one state and one edge a line, in the order of the definition. */
export function machineDot(machine: AnyStateMachine, options: MermaidOptions = {}): string {
  const { mark = 'cancel-window' } = options
  const { id, states, initial, choices, edges } = drawingOf(machine)
  const stateLine = (state: DrawnState): string => {
    const styles = ['rounded', ...(state.tags.includes(mark) ? ['dashed'] : [])]
    const border = state.final ? ', peripheries=2' : ''
    return `${quoted(state.id)} [label=${quoted(state.name)}, style=${quoted(styles.join(','))}${border}]`
  }
  const lines = [
    'node [shape=box, fontname="Helvetica"]',
    'edge [fontname="Helvetica", fontsize=10]',
    '"" [shape=point]',
    ...states.map(stateLine),
    ...choices.map(
      (choice) => `${quoted(choice)} [label="", shape=diamond, width=0.3, height=0.3]`,
    ),
    `"" -> ${quoted(initial)}`,
    // A line for each event: Graphviz does not break labels by itself.
    ...edges.map(
      ({ from, to, labels }) =>
        `${quoted(from)} -> ${quoted(to)} [label="${labels.map((label) => quoted(label).slice(1, -1)).join('\\n')}"]`,
    ),
  ]
  return [`digraph ${quoted(id)} {`, ...lines.map((line) => `  ${line}`), '}'].join('\n')
}
