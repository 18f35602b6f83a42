/**
 * Writes `docs/machines.md` from the machines: diagrams, states, transitions, and the numbers of their graphs.
 *
 * @module
 */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import { graphOf, type Sent } from '../model-tests/graph.ts'
import { lifecycleMermaid } from '../src/inspect/lifecycle.ts'
import { machineMermaid } from '../src/inspect/mermaid.ts'
import { agentMachine } from '../src/machines/agent.machine.ts'
import { stepMachine } from '../src/machines/step.machine.ts'
import { turnMachine } from '../src/machines/turn.machine.ts'
import { chartOf } from '../src/testing/lifecycle/chart-of.ts'
import { extendModel } from '../src/testing/lifecycle/extend-model.ts'
import { lifecycleModel } from '../src/testing/lifecycle/lifecycle-model.ts'
import { pathsOf } from '../src/testing/lifecycle/paths.ts'
import { COMMANDS } from '../src/testing/lifecycle/words.ts'
import { nameOf, nodesOf, refName, restingStates } from '../test/machines/chart-moves.ts'
import { agentWords, eventsOf, stepWords, turnWords } from '../test/machines/words.ts'

interface Chart {
  readonly machine: AnyStateMachine
  readonly events: readonly Sent[]
  readonly about: string
}

const charts: readonly Chart[] = [
  {
    machine: agentMachine,
    events: eventsOf(agentWords),
    about: 'When a turn opens, when the agent rests, when it is gone.',
  },
  {
    machine: turnMachine,
    events: eventsOf(turnWords),
    about: 'Open, claim, assemble, ask, step, continue or stop, seal, close.',
  },
  {
    machine: stepMachine,
    events: eventsOf(stepWords),
    about: 'Open, compose, stream attempts, commit, run the calls, close.',
  },
]

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')
const doing = (refs: readonly unknown[]): string => code(refs.map(refName))
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

const below = (machine: AnyStateMachine): AnyStateNode[] =>
  nodesOf(machine).filter((node) => node.parent !== undefined)

const entering = (node: AnyStateNode): string => {
  const children = node.invoke.map(({ src }) => `starts ${refName(src) || (src as string)}`)
  return [doing(node.entry), ...children].filter((part) => part !== '').join(', ')
}

const states = (machine: AnyStateMachine): string =>
  table(
    ['State', 'What it is', 'On entry', 'On exit'],
    below(machine).map((node) => [
      `\`${nameOf(node)}\``,
      node.description ?? (node.type === 'final' ? 'The end.' : ''),
      entering(node),
      doing(node.exit),
    ]),
  )

/** What stands behind an event, in one row each; states that say the same stand together. */
function transitions(machine: AnyStateMachine): string {
  const groups = new Map<string, { sources: string[]; rows: string[][] }>()
  for (const node of below(machine)) {
    for (const [event, list] of node.transitions) {
      const rows = list.map((each) => way(each, machine))
      const key = JSON.stringify(rows)
      const group = groups.get(key) ?? { sources: [], rows }
      group.sources.push(`\`${nameOf(node)}\` on \`${event}\``)
      groups.set(key, group)
    }
  }
  const rows = [...groups.values()].flatMap((group) =>
    group.rows.map((row, i) => [i === 0 ? group.sources.join('<br>') : '', ...row]),
  )
  return table(['From', 'If', 'Does', 'To'], rows)
}

function way(
  { guard, actions, target }: AnyTransitionDefinition,
  machine: AnyStateMachine,
): string[] {
  const to = target?.map((node) => `\`${nameOf(node)}\``).join(', ') ?? 'stays'
  const condition = guard === undefined ? '' : refName(guard)
  return [condition, doing(actions), machine.root === target?.[0] ? 'starts again' : to]
}

function numbers({ machine, events }: Chart): string {
  const graph = graphOf(machine, events)
  const windows = below(machine).filter((node) => node.tags.includes('cancel-window')).length
  const longest = Math.max(...[...graph.paths.values()].map((path) => path.length))
  const words = events.length
  return `${restingStates(machine).length} states, ${windows} of them cancel windows; ${words} events with their words; ${graph.edges.length} edges; no state is further than ${longest} events from the start.`
}

const section = (chart: Chart): string =>
  [
    `## ${chart.machine.id}`,
    chart.about,
    numbers(chart),
    `\`\`\`mermaid\n${machineMermaid(chart.machine)}\n\`\`\``,
    '### States',
    states(chart.machine),
    '### Transitions',
    transitions(chart.machine),
  ]
    .join('\n\n')
    // Headings of three charts must differ.
    .replaceAll(/^### (States|Transitions)$/gm, `### ${chart.machine.id}: $1`)

/** The moves of the lifecycle model that are nobody's command lead from state to state. */
function undisturbed(): AnyStateMachine {
  const model = extendModel(lifecycleModel, {
    without: COMMANDS.filter((command) => command !== 'followup'),
  })
  const met = new Set<string>(pathsOf(model).map(({ to }) => to))
  const kept = Object.entries(model.states).filter(([name]) => met.has(name))
  return chartOf({ ...model, states: Object.fromEntries(kept) as typeof model.states })
}

function lifecycleSection(): string {
  const paths = pathsOf(lifecycleModel)
  const longest = Math.max(...paths.map(({ moves }) => moves.length))
  const commands = new Set<string>(COMMANDS)
  const rows = Object.entries(lifecycleModel.states).map(([name, { phase, waits = [], on }]) => [
    `\`${name}\``,
    phase,
    code([waits].flat()),
    Object.keys(on)
      .filter((move) => !commands.has(move))
      .join('; '),
  ])
  return `## Lifecycle model

What an agent may do seen from outside (src/testing/lifecycle): ${rows.length} states with what pends in them, ${paths.length} edges,
each at most ${longest} moves from the start. Every edge drives the real agent, whose log must put it where the model is
after each move (model-tests/lifecycle.test.ts). Commands are possible everywhere, each with an answer that the model foresees.
This is a turn that nobody disturbs:

\`\`\`mermaid
${machineMermaid(undisturbed())}
\`\`\`

${table(['State', 'Phase', 'Waits for', 'Moves beside commands'], rows)}`
}

/** The whole page. */
export function machinesPage(): string {
  return `# Machines

Made by test/docs.test.ts from the machines; do not edit.

Three charts run an agent: one of the agent, one of its open turn, one of its open step. They decide; hosts record, ask
and do ([architecture](architecture.md)). Actions whose names begin with \`append\` or \`note\` record, with \`ask\` or
\`start\` begin something outside; no transition does both. \`post\`, \`hop\` and \`yield\` make the machine's own next move:
the gate behind a record arrives when every command that was issued meanwhile has been applied. States with a dashed
border are the windows in which a cancel has its own way out, numbered W05 to W23; the other windows are moments.

Events carry one word at most, so that guards are comparisons and the graph of each chart can be made: every event with
every word from every state. All states are reached, all lead back to rest, every way is taken for some word
(model-tests/graphs.test.ts).

Beside them stands a [model](#lifecycle-model) of what an agent may do seen from outside.

## The charts together

The states of an ordinary run, the charts inside each other, as in the picture of the README. What an abort does is left
out, and so are ways that other drawn ways lead; the charts below are whole.

\`\`\`mermaid
${lifecycleMermaid()}
\`\`\`

${charts.map(section).join('\n\n')}

${lifecycleSection()}
`
}
