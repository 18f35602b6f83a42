/**
 * Draws machines as Mermaid state diagrams, from the machines themselves, so that the picture cannot drift.
 *
 * @module
 */
import type { AnyStateMachine } from 'xstate'
import { type DrawnEdge, drawingOf } from './drawing.ts'

export interface MermaidOptions {
  /** Tag whose states are drawn with a dashed border. Default `cancel-window`. */
  readonly mark?: string
}

/** The lines of one machine, and the ids of its marked states. */
interface Drawn {
  readonly lines: readonly string[]
  readonly marked: readonly string[]
}

/** @param prefix - of all ids, which count for the whole diagram. */
function drawn(machine: AnyStateMachine, mark: string, prefix: string): Drawn {
  const { states, initial, choices, edges } = drawingOf(machine)
  // A colon would end the label early.
  const edgeLine = ({ from, to, labels }: DrawnEdge): string =>
    `${prefix}${from} --> ${prefix}${to}: ${labels.join(', ').replaceAll(':', ' ')}`
  return {
    lines: [
      ...states.map(({ id, name }) => `state "${name}" as ${prefix}${id}`),
      `[*] --> ${prefix}${initial}`,
      ...choices.map((id) => `state ${prefix}${id} <<choice>>`),
      ...edges.map(edgeLine),
      ...states.filter(({ final }) => final).map(({ id }) => `${prefix}${id} --> [*]`),
    ],
    marked: states.filter(({ tags }) => tags.includes(mark)).map(({ id }) => `${prefix}${id}`),
  }
}

const marking = (marked: readonly string[]): string[] =>
  marked.length === 0
    ? []
    : ['classDef marked stroke-dasharray: 4 3', `class ${marked.join(', ')} marked`]

const diagram = (lines: readonly string[]): string =>
  ['stateDiagram-v2', ...lines.map((line) => `  ${line}`)].join('\n')

/** The diagram as text: one state and one edge a line, in the order of the definition. */
export function machineMermaid(machine: AnyStateMachine, options: MermaidOptions = {}): string {
  const { lines, marked } = drawn(machine, options.mark ?? 'cancel-window', '')
  return diagram([...lines, ...marking(marked)])
}

/** Several machines in one diagram, each in a frame of its own. */
export function machinesMermaid(
  machines: readonly AnyStateMachine[],
  options: MermaidOptions = {},
): string {
  const frames = machines.map((machine) => ({
    id: machine.id,
    ...drawn(machine, options.mark ?? 'cancel-window', `${machine.id}_`),
  }))
  return diagram([
    ...frames.flatMap(({ id, lines }) => [
      `state ${id} {`,
      ...lines.map((line) => `  ${line}`),
      '}',
    ]),
    ...marking(frames.flatMap(({ marked }) => marked)),
  ])
}
