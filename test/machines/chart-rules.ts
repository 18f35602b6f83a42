/**
 * The rules that charts obey. Each takes a machine and answers its findings, one sentence each; none means obeyed.
 *
 * @module
 */
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { movesOf, nameOf, nodesOf, refName, startOf, transitionsOf } from './chart-moves.ts'
import type { Act } from './chart-moves.ts'

export type Rule = (machine: AnyStateMachine) => string[]

/** The windows of a turn that are states; the others are moments. */
export const WINDOWS: readonly string[] = Array.from(
  { length: 19 },
  (_, i) => `W${String(i + 5).padStart(2, '0')}`,
)

const RECORDS = /^(append|note) /
const STARTS = /^(ask|start) /
const GATE = /^(post|hop|yield) gate\.[a-zA-Z]+$/
const COMMAND = /^(agent|turn|step)\.[a-z][a-zA-Z]*$/
const SIGNAL = /^[a-z][a-zA-Z]*\.[a-z]+ed$/
const GATE_EVENT = /^gate\.[a-z][a-zA-Z]*$/
const WINDOW = /^(W\d\d): \S/

/** A chart that rests where it starts does nothing until something is sent to it. */
const restsAtStart = (machine: AnyStateMachine | undefined): boolean =>
  machine !== undefined && startOf(machine).length === 0

const starts = (act: Act): boolean =>
  act.kind === 'invoke' ? !restsAtStart(act.machine) : STARTS.test(act.name)

const records = (act: Act): boolean => act.kind === 'action' && RECORDS.test(act.name)

const called = (act: Act): string => (act.kind === 'invoke' ? `invoke ${act.src}` : act.name)

/** No transition both records and starts an effect: a cancel must fit in between. */
export const recordsOrActs: Rule = (machine) =>
  movesOf(machine).flatMap(({ from, event, acts }) => {
    const record = acts.find(records)
    const start = acts.find(starts)
    return record === undefined || start === undefined
      ? []
      : [
          `${nameOf(from)} on ${event}: '${called(record)}' and '${called(start)}' in one transition`,
        ]
  })

/** Children of an initial configuration would start before its entry actions have recorded. */
export const restsWhereItStarts: Rule = (machine) =>
  startOf(machine)
    .filter((act) => act.kind === 'invoke')
    .map((act) => `the initial configuration has '${called(act)}'`)

const isWindow = (node: AnyStateNode): boolean => node.tags.includes('cancel-window')

/** Every window says which it is, and answers the cancel. */
export const windowsAnswer: Rule = (machine) =>
  nodesOf(machine).flatMap((node) => {
    const window = WINDOW.exec(node.description ?? '')?.[1]
    const known = window !== undefined && WINDOWS.includes(window)
    if (!isWindow(node)) return known ? [`${nameOf(node)} is ${window} without its tag`] : []
    return [
      ...(known ? [] : [`${nameOf(node)} does not say which window it is`]),
      ...(node.transitions.has(`${machine.id}.abort`)
        ? []
        : [`${nameOf(node)} has no transition for ${machine.id}.abort`]),
    ]
  })

/** A state says what it is for: the diagrams and the inspector show it. */
export const saysWhatItIs: Rule = (machine) =>
  nodesOf(machine)
    .filter((node) => node.parent !== undefined && (node.description ?? '') === '')
    .map((node) => `${nameOf(node)} does not say what it is`)

/** Windows that no state of `machines` stands for. */
export function missingWindows(machines: readonly AnyStateMachine[]): string[] {
  const found = new Set(
    machines
      .flatMap(nodesOf)
      .filter(isWindow)
      .map(({ description }) => WINDOW.exec(description ?? '')?.[1]),
  )
  return WINDOWS.filter((window) => !found.has(window))
}

/** Built-ins that make moves which no mailbox orders. */
const HIDDEN = ['xstate.raise', 'xstate.enqueueActions', 'xstate.spawnChild', 'xstate.emit']

function actionFault(machine: AnyStateMachine, ref: unknown): string | undefined {
  const name = refName(ref)
  if (name === '') return 'has an action without a name'
  if (name.startsWith('xstate.')) return `uses ${name} in place`
  const found: unknown = machine.implementations.actions[name]
  if (found === undefined) return `names '${name}', which is not implemented`
  const type = typeof found === 'function' && 'type' in found ? String(found.type) : ''
  return HIDDEN.includes(type) ? `hides ${type} behind '${name}'` : undefined
}

function featureFaults(machine: AnyStateMachine, node: AnyStateNode): string[] {
  const refs = [
    ...node.entry,
    ...node.exit,
    ...transitionsOf(node).flatMap(({ actions }) => actions),
    ...(Object.keys(node.states).length === 0 ? [] : node.initial.actions),
  ]
  const guards = transitionsOf(node).map(({ guard }) => guard)
  return [
    ...(node.always === undefined ? [] : ['uses always']),
    ...(node.after.length === 0 ? [] : ['uses after']),
    ...(node.type === 'parallel' ? ['is parallel'] : []),
    ...refs.flatMap((ref) => actionFault(machine, ref) ?? []),
    ...(guards.some((guard) => guard !== undefined && typeof guard !== 'string')
      ? ['has a guard without a name']
      : []),
  ]
}

/** `always`, `after`, `raise`, parallel states and unnamed code stay out: moves are the mailbox's. */
export const plain: Rule = (machine) =>
  nodesOf(machine).flatMap((node) =>
    featureFaults(machine, node).map((fault) => `${nameOf(node)} ${fault}`),
  )

/** An entry that records ends with the gate that leads on. */
export const postsItsGate: Rule = (machine) =>
  nodesOf(machine)
    .filter((node) => node.entry.some((ref) => RECORDS.test(refName(ref))))
    .filter((node) => !GATE.test(refName(node.entry.at(-1))))
    .map((node) => `${nameOf(node)} records on entry and does not post its gate last`)

/** Events are commands, signals or gates, and none of them is called like a durable event. */
export const speaksItsVocabulary =
  (durable: readonly string[]): Rule =>
  (machine) => {
    const types = new Set(nodesOf(machine).flatMap((node) => [...node.transitions.keys()]))
    return [...types].flatMap((type) => {
      if (durable.includes(type)) return [`${type} is a durable event`]
      const fits = GATE_EVENT.test(type) || SIGNAL.test(type) || COMMAND.test(type)
      return fits ? [] : [`${type} is neither command, signal nor gate`]
    })
  }
