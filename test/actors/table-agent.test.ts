import { createActor } from 'xstate'
import type { AnyMachineSnapshot, AnyStateMachine, InspectionEvent } from 'xstate'
import { beforeEach, expect, it, vi } from 'vitest'
import { tableLogic } from '../../src/actors/table.ts'
import { agentMachine } from '../../src/machines/index.ts'

const MOVES = 150
/** Every word that a guard of the three charts may ask for. */
const WORDS =
  'turn rest leave secure flush claim inject refused yield assemble ask enter fail abort decide record stop error retry restore abandon header stream transform commit recover back-off calls answer announce account withdraw done question wait start close'.split(
    ' ',
  )

const RARELY = [...Array<boolean>(30).fill(false), true]

interface Receiver {
  send(event: object): void
  getSnapshot(): AnyMachineSnapshot
}
type Pick = <T>(list: readonly T[]) => T
type GuardOf = (args: { event: object }) => boolean

/** Random numbers in [0, 1) from a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** An event that some transition of the present state of `to` takes; of `type`, if that is given. */
function takenEvent(to: Receiver, pick: Pick, type: string | undefined): object {
  // eslint-disable-next-line no-underscore-dangle -- XState's name
  const { _nodes: nodes, machine } = to.getSnapshot()
  const transitions = nodes
    .flatMap((node) => [...node.transitions.values()].flat())
    .filter((each) => type === undefined || each.eventType === type)
    // The end of the agent is one way among others; taken as often, no run would get anywhere.
    .filter(
      (each) => (each.guard !== 'leaves' && each.eventType !== 'agent.dispose') || pick(RARELY),
    )
  if (transitions.length === 0) return { type: type ?? 'none' }
  const { eventType, guard } = pick(transitions)
  const implementation = machine.implementations.guards[guard as string] as unknown as GuardOf
  const fits = (next: string): boolean =>
    guard === undefined || implementation({ event: { type: eventType, next } })
  return { type: eventType, next: WORDS.find(fits) ?? pick(WORDS) }
}

/** Drives the three charts with a host that answers at random, and writes down what they asked and did. */
function drive(machine: AnyStateMachine, seed: number): string[] {
  const lines: string[] = []
  const random = randomFrom(seed)
  const pick: Pick = (list) => list[Math.floor(random() * list.length)] as never
  const queue: (() => void)[] = []
  const called = (name: string, [to, make]: readonly unknown[]): void => {
    lines.push(name)
    if (!isReceiver(to)) return
    const type = typeof make === 'function' ? (make as () => { type: string })().type : undefined
    queue.push(() => {
      to.send(takenEvent(to, pick, type))
    })
  }
  /** A host, a part of one and a method, all in one: it has every part, and answers every call. */
  const host = (path: string): object =>
    new Proxy(() => {}, {
      get: (_, name: string) => host(`${path}.${name}`),
      apply: (_, _this, args: unknown[]) => {
        called(path, args)
      },
    })
  const inspect = ({ type, actorRef, ...more }: InspectionEvent): void => {
    if (type !== '@xstate.snapshot' || !('id' in actorRef) || !('snapshot' in more)) return
    const { status, value } = more.snapshot as AnyMachineSnapshot
    lines.push(`${String(actorRef.id)} ${more.event.type} ${status} ${JSON.stringify(value)}`)
  }
  const agent = createActor(machine, {
    id: 'agent',
    input: { host: host('host') },
    inspect,
  }).start()
  for (let move = 0; move < MOVES && agent.getSnapshot().status === 'active'; move++) {
    const next = queue.shift()
    if (next === undefined) agent.send({ type: pick(['agent.wake', 'agent.injectTurn']) })
    else next()
    if (pick(RARELY)) agent.send({ type: 'agent.cancel' })
  }
  agent.stop()
  return lines
}

const isReceiver = (to: unknown): to is Receiver =>
  typeof to === 'object' && to !== null && 'send' in to

// XState warns of events to actors that are over; both sides are sent them.
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

/** The same in every run: each of them says how far it gets, and together they must get far. */
const SEEDS = 200

it('the charts of the agent behave from their tables as they do in XState', () => {
  const reached = new Set<string>()
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const stock = drive(agentMachine, seed)
    expect({ seed, lines: drive(tableLogic(agentMachine), seed) }).toEqual({ seed, lines: stock })
    for (const line of stock) reached.add(line)
  }
  // Random answers must get far into a step, or little is compared.
  const ofSteps = [...reached].filter((line) => line.startsWith('step '))
  expect(ofSteps.length).toBeGreaterThan(80)
})
