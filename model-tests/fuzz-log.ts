/**
 * A log that refuses, waits, fails and hangs, until the world is calm.
 *
 * @module
 */
import type { NewEvent, StoredEvent } from '../src/events/event.ts'
import { SessionLog } from '../src/log/session-log.ts'
import type { Dice } from './fuzz-chance.ts'
import type { World } from './fuzz-world.ts'

/** How durability behaves. */
export type DurableMode = 'memory' | 'slow' | 'flaky' | 'hanging'

const idOf = (event: NewEvent): string => JSON.stringify(event.data).slice(0, 200)

/** What a refused append is refused with. */
export class FuzzRefusal extends Error {
  override readonly name = 'FuzzRefusal'

  constructor(event: NewEvent) {
    super(`refused ${event.type} ${idOf(event)}`)
  }
}

/** Which appends are refused. */
export interface RefusalPlan {
  /** Probability for each event. */
  readonly rate: number
  /** Only these types; empty means all. */
  readonly types: readonly string[]
}

export class FuzzLog extends SessionLog {
  readonly mode: DurableMode
  /** Every event below this seq is durable. */
  acked: number
  private readonly world: World

  constructor(
    world: World,
    mode: DurableMode,
    plan: RefusalPlan,
    events: readonly StoredEvent[] = [],
  ) {
    super({ id: 'fuzz', formatVersion: 1, createdAt: 1_000_000 }, [...events], {
      intercept: (event) => {
        refuse(world, plan, event)
      },
    })
    this.world = world
    this.mode = mode
    this.acked = events.length
  }

  override durable(seq: number): undefined | Promise<void> {
    const { mode, world } = this
    if (mode === 'memory') return undefined
    if (seq < this.acked) return undefined
    const dice = world.chance.at('durable')
    const upTo = this.length
    const done = (): void => {
      this.acked = Math.max(this.acked, upTo)
    }
    const way = world.calm ? 'soon' : dice.weighted(WAYS[mode])
    world.count(`durable ${way}`)
    if (way !== 'none') return written(world, dice, way, done)
    done()
    return undefined
  }
}

async function written(
  world: World,
  dice: Dice,
  way: 'soon' | 'late' | 'reject' | 'late-reject' | 'hang',
  done: () => void,
): Promise<void> {
  if (way === 'late' || way === 'late-reject') await world.pause(dice.below(30))
  if (way === 'reject' || way === 'late-reject') throw new Error('disk full')
  await (way === 'hang' ? world.untilCalm() : Promise.resolve())
  done()
}

const WAYS = {
  slow: { soon: 5, late: 4, none: 2, reject: 0, 'late-reject': 0, hang: 0 },
  flaky: { soon: 5, late: 2, none: 2, reject: 1, 'late-reject': 1, hang: 0 },
  hanging: { soon: 8, late: 2, none: 2, reject: 0.5, 'late-reject': 0.5, hang: 1 },
} as const

function refuse(world: World, plan: RefusalPlan, event: NewEvent): void {
  if (world.calm || plan.rate === 0 || event.type === 'session/opened') return
  if (plan.types.length > 0 && !plan.types.includes(event.type)) return
  if (!world.takes(`refuse ${event.type}`, plan.rate)) return
  world.refused += 1
  world.count(`refused ${event.type}`)
  world.trace.push(`! refused ${event.type}`)
  throw new FuzzRefusal(event)
}
