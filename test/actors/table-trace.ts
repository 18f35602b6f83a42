/**
 * Runs one machine twice, stock and from its table, and writes down everything that can be seen of each.
 *
 * @module
 */
import { createActor } from 'xstate'
import type { AnyActor, AnyActorRef, AnyStateMachine, InspectionEvent } from 'xstate'
import { tableLogic } from '../../src/actors/table.ts'

/** Makes a machine whose custom actions report to `say`. A fresh one for each run. */
export type MakeMachine = (say: (...what: unknown[]) => void) => AnyStateMachine

/** Something done to the root actor from outside. */
export type Poke = { readonly type: string } | 'stop'

/** What an observer saw, line by line. */
export function traceOf(make: MakeMachine, pokes: readonly Poke[], asTable: boolean): string[] {
  const lines: string[] = []
  const say = (...what: unknown[]): void => {
    lines.push(what.map((each) => (typeof each === 'string' ? each : plain(each))).join(' '))
  }
  const machine = make(say)
  const logic = asTable ? tableLogic(machine) : machine
  const inspect = (event: InspectionEvent): void => {
    say('  ', inspected(event))
  }
  const actor = createActor(logic, { id: 'root', inspect, input: { from: 'outside' } })
  actor.subscribe({
    next: (snapshot) => {
      say('next', described(snapshot))
    },
    error: (error) => {
      say('failed', messageOf(error))
    },
    complete: () => {
      say('complete')
    },
  })
  say('start')
  actor.start()
  for (const poke of pokes) {
    say('poke', poke)
    if (poke === 'stop') actor.stop()
    else actor.send(poke)
    say('then', described(actor.getSnapshot()))
  }
  actor.stop()
  say('end', described(actor.getSnapshot()))
  return lines
}

/** Both traces of one run. */
export const bothTraces = (
  make: MakeMachine,
  pokes: readonly Poke[],
): { readonly stock: string[]; readonly table: string[] } => ({
  stock: traceOf(make, pokes, false),
  table: traceOf(make, pokes, true),
})

function inspected(event: InspectionEvent): string {
  const of = `${event.type} of ${idOf(event.actorRef)}`
  // eslint-disable-next-line typescript/switch-exhaustiveness-check -- the others carry nothing more
  switch (event.type) {
    case '@xstate.event':
      return `${of} from ${idOf(event.sourceRef)} ${plain(event.event)}`
    case '@xstate.snapshot':
      return `${of} by ${event.event.type} ${described(event.snapshot)}`
    case '@xstate.microstep':
      // eslint-disable-next-line no-underscore-dangle -- XState's name
      return `${of} by ${event.event.type} ${described(event.snapshot)} taking ${event._transitions.map(({ source }) => source.id).join()}`
    case '@xstate.action':
      return `${of} ${event.action.type} ${plain(event.action.params)}`
    default:
      return of
  }
}

const idOf = (ref: object | undefined): string =>
  ref !== undefined && 'id' in ref ? String(ref.id) : 'outside'

/** Everything a snapshot tells, children by status. */
function described(snapshot: unknown): string {
  const { status, value, context, output, error, children, tags, historyValue, _nodes } =
    snapshot as AnyState
  const alive = Object.entries(children ?? {}).map(
    ([id, child]) => `${id}:${child?.getSnapshot().status ?? 'none'}`,
  )
  const nodes = _nodes?.map(({ id }) => id).toSorted()
  const tagged = [...(tags ?? [])].toSorted()
  return plain({
    status,
    value,
    context,
    output,
    error: error === undefined ? undefined : messageOf(error),
    alive,
    tagged,
    historyValue,
    nodes,
  })
}

interface AnyState {
  readonly status: string
  readonly value?: unknown
  readonly context?: unknown
  readonly output?: unknown
  readonly error?: unknown
  readonly children?: Readonly<Record<string, AnyActorRef | undefined>>
  readonly tags?: ReadonlySet<string>
  readonly historyValue?: unknown
  readonly _nodes?: readonly { readonly id: string }[]
}

/** Messages of both sides differ where this project words its own. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.startsWith('Infinite loop detected') ? 'Infinite loop detected' : message
}

function plain(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) => {
      if (isActor(part)) return `actor ${part.id}`
      return part instanceof Error ? messageOf(part) : part
    }) ?? 'undefined'
  )
}

const isActor = (part: unknown): part is AnyActor =>
  typeof part === 'object' && part !== null && 'sessionId' in part && 'send' in part
