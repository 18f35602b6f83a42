/**
 * Draws a machine as a Mermaid state diagram, from the machine itself, so that the picture cannot drift.
 *
 * @module
 */
import type { AnyStateMachine } from 'xstate'
import { type DrawnEdge, drawingOf } from './drawing.ts'

export interface MermaidOptions {
  /** Tag whose states are drawn with a dashed border. Default `cancel-window`. */
  readonly mark?: string
}

// A colon would end the label early.
const edgeLine = ({ from, to, labels }: DrawnEdge): string =>
  `${from} --> ${to}: ${labels.join(', ').replaceAll(':', ' ')}`

/** The diagram as text: one state and one edge a line, in the order of the definition. */
export function machineMermaid(machine: AnyStateMachine, options: MermaidOptions = {}): string {
  const { mark = 'cancel-window' } = options
  const { states, initial, choices, edges } = drawingOf(machine)
  const marked = states.filter(({ tags }) => tags.includes(mark)).map(({ id }) => id)
  const lines = [
    ...states.map(({ id, name }) => `state "${name}" as ${id}`),
    `[*] --> ${initial}`,
    ...choices.map((id) => `state ${id} <<choice>>`),
    ...edges.map(edgeLine),
    ...states.filter(({ final }) => final).map(({ id }) => `${id} --> [*]`),
    ...(marked.length === 0
      ? []
      : ['classDef marked stroke-dasharray: 4 3', `class ${marked.join(', ')} marked`]),
  ]
  return ['stateDiagram-v2', ...lines.map((line) => `  ${line}`)].join('\n')
}
