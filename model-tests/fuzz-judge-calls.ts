/**
 * What became of every call: exactly one outcome, in the order of the model, and a true one.
 *
 * @module
 */
import type { EventMap, StoredEvent } from '../src/events/event.ts'
import type { Outcome } from '../src/events/message.ts'
import type { World } from './fuzz-world.ts'

/** Judges the calls of a log. */
export function judgeCalls(world: World, events: readonly StoredEvent[]): void {
  const calls = new Calls(world)
  for (const event of events) calls.see(event)
}

class Calls {
  private readonly world: World
  private readonly open = new Set<string>()
  private readonly asked = new Set<string>()
  private readonly answered = new Set<string>()
  private last = -1
  /** The last turn that a cancel has hit. */
  private cancelled = 0

  constructor(world: World) {
    this.world = world
  }

  see(event: StoredEvent): void {
    if (event.type === 'step/start') this.last = -1
    if (event.type === 'cancel/requested') this.cancelled = event.data.turn ?? this.cancelled
    if (event.type === 'tool/call') this.open.add(event.data.call.key)
    if (event.type === 'tool/result') this.result(event.data)
    if (event.type === 'step/end') this.close()
    this.question(event)
  }

  private question(event: StoredEvent): void {
    if (event.type === 'approval/asked') this.asked.add(event.data.call.key)
    if (event.type === 'approval/decided') this.asked.delete(event.data.call.key)
  }

  private close(): void {
    const { world } = this
    world.law(this.open.size === 0, 'a step closed over an open call')
    world.law(this.asked.size === 0 || !world.faithful, 'a step closed over an open question')
    this.asked.clear()
  }

  /** Whoever is late without a cancel has run out of its own time, and is told of by that. */
  private aborted(turn: number, outcome: Outcome): void {
    const alone = wordOf(outcome) === 'ABORTED' && turn !== this.cancelled
    this.world.law(
      !alone || !this.world.faithful,
      'a call is aborted in a turn that nobody cancelled',
    )
  }

  private result({ turn, call: { key, index }, outcome }: EventMap['tool/result']): void {
    this.world.law(!this.answered.has(key), 'a call was answered twice')
    this.world.law(index > this.last, 'results are out of order')
    this.last = index
    this.open.delete(key)
    this.answered.add(key)
    truth(this.world, key, outcome)
    this.aborted(turn, outcome)
  }
}

/** Codes of outcomes whose bodies never ran. */
const NEVER_RAN: ReadonlySet<string> = new Set([
  'ABORTED_BEFORE_DISPATCH',
  'UNKNOWN_TOOL',
  'INVALID_ARGS',
  'ARGUMENTS_CUT',
  'NOT_STARTED',
])

const wordOf = (outcome: Outcome): string =>
  outcome.kind === 'error' ? (outcome.code ?? 'error') : outcome.kind

/** An outcome says honestly whether the body ran. */
function truth(world: World, key: string, outcome: Outcome): void {
  const ran = world.bodies.has(key)
  const word = wordOf(outcome)
  world.count(`outcome ${word}`)
  world.law(ran || word !== 'ok', 'a call is ok that never ran')
  world.law(!world.late.has(key) || word !== 'ok', 'a call is ok whose body ended after the abort')
  world.law(!ran || (word !== 'denied' && !NEVER_RAN.has(word)), `a call is ${word} that ran`)
}
