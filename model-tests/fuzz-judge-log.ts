/**
 * The log alone: brackets, pairs, fates, causes, budgets.
 *
 * @module
 */
import { checkLog } from '../src/events/enclosure.ts'
import type { StoredEvent } from '../src/events/event.ts'
import { judgeFates } from './fuzz-judge-fates.ts'
import { judgeTurns } from './fuzz-judge-turns.ts'
import type { World } from './fuzz-world.ts'

/** Judges the whole log, of all lives. */
export function judgeLog(world: World): void {
  const events = world.log.read()
  try {
    checkLog(JSON.parse(JSON.stringify(events)) as StoredEvent[])
  } catch (error) {
    world.problem(`the log is not well-formed: ${(error as Error).message.slice(0, 160)}`)
  }
  const brackets = new Brackets(world)
  for (const event of events) brackets.see(event)
  judgeFates(world, events)
  judgeTurns(world, events)
}

/** Turns and steps nest, close once and grow; nothing of a turn stands behind its end. */
class Brackets {
  private readonly world: World
  private turn: number | null = null
  private step: number | null = null
  private last = 0

  constructor(world: World) {
    this.world = world
  }

  see(event: StoredEvent): void {
    if (event.type === 'turn/start') this.open(event.data.turn)
    else this.belongs(event)
    if (event.type === 'turn/end') this.close()
  }

  private open(turn: number): void {
    const follows = this.turn === null && turn === this.last + 1
    this.world.law(follows, `turn ${turn} does not follow`)
    this.turn = turn
    this.last = turn
  }

  private close(): void {
    this.world.law(this.step === null, 'a turn ended over an open step')
    this.turn = null
  }

  private belongs({ type, data }: StoredEvent): void {
    const own: unknown = 'turn' in data ? data.turn : null
    this.world.law(typeof own !== 'number' || own === this.turn, `${type} stands outside its turn`)
    if (type === 'step/start') {
      this.world.law(this.step === null, 'steps overlap')
      this.step = data.step
    }
    if (type !== 'step/end') return
    this.world.law(this.step === data.step, 'step/end closes no step')
    this.step = null
  }
}
