/**
 * Why turns ended: causes, precedence, budgets, parking.
 *
 * @module
 */
import type { EventType, StoredEvent } from '../src/events/event.ts'
import type { Cause, TurnReason } from '../src/events/message.ts'
import { hasWakingWork, inbox } from '../src/projections/inbox.ts'
import type { World } from './fuzz-world.ts'

/** Judges the ends of the turns of this life. */
export function judgeTurns(world: World, events: readonly StoredEvent[]): void {
  const ends = new Ends(world)
  let pending = inbox.initial
  for (const event of events) {
    ends.see(event, hasWakingWork(pending) || givesBack(events, event.seq + 1))
    pending = inbox.evolve(pending, event)
  }
}

/** Do waking messages go back to the inbox at `seq`? */
function givesBack(events: readonly StoredEvent[], seq: number): boolean {
  const event = events[seq]
  if (event?.type !== 'inbox/inserted' || event.data.mark !== 'restored') return false
  return event.data.wake || givesBack(events, seq + 1)
}

type Seen = { readonly [T in EventType]?: (ends: Ends, event: StoredEvent<T>) => void }

class Ends {
  readonly world: World
  steps = 0
  /** Was a message of the turn cut? */
  cut = false
  cause: Cause | undefined
  waking = false

  constructor(world: World) {
    this.world = world
  }

  /** @param waking - was waking work pending before the event? */
  see(event: StoredEvent, waking: boolean): void {
    this.waking = waking
    const see = SEEN[event.type] as ((ends: Ends, event: StoredEvent) => void) | undefined
    see?.(this, event)
  }

  start(): void {
    this.steps = 0
    this.cut = false
    this.cause = undefined
  }

  attempt({ attempt, action }: StoredEvent<'request/failed'>['data']): void {
    const allowed = this.world.options.maxAttempts ?? 8
    this.world.law(attempt <= allowed, 'more attempts than allowed')
    this.world.law(attempt < allowed || action === 'fail', 'a retry beyond maxAttempts')
  }

  reason(reason: TurnReason): void {
    const { world, steps } = this
    world.count(`turn ${labelOf(reason)}`)
    world.law(steps <= (world.options.maxSteps ?? 200), 'more steps than allowed')
    const early = reason.kind === 'limit' && reason.used < reason.allowed
    world.law(!early, 'a limit ended a turn before it was reached')
    world.law(
      reason.kind !== 'completed' || !this.cut,
      'a turn completed with a message that was cut',
    )
    const cut = reason.kind === 'interrupted' && world.faithful
    world.law(!cut, 'a turn of a living agent was interrupted')
    if (reason.kind === 'aborted') this.aborted(reason.cause)
    else if (this.cause !== undefined)
      world.law(!world.faithful, `a cancelled turn ended ${reason.kind}`)
  }

  private aborted(given: Cause): void {
    const { world, cause } = this
    if (cause === undefined) world.law(!world.faithful, 'a turn was aborted that nobody cancelled')
    else
      world.law(
        JSON.stringify(cause) === JSON.stringify(given),
        'an aborted turn names another cause than its first cancel',
      )
  }

  /** A policy that holds work back says so, and only then. */
  parking({ reason, parks }: StoredEvent<'turn/end'>['data']): void {
    const { world, waking } = this
    if (reason.kind === 'interrupted') return
    const held = isHeld(world, reason)
    const silent = waking && held && parks === undefined
    world.law(!silent, 'a policy parks and the turn end says nothing')
    const idle = parks !== undefined && !waking && world.faithful
    world.law(!idle, 'a turn end parks without waking work')
    world.law(held || parks !== reason.kind, 'a turn end parks without such a policy')
  }
}

const SEEN: Seen = {
  'turn/start': (ends) => {
    ends.start()
  },
  'step/start': (ends, { data }) => {
    ends.steps = data.step
  },
  'assistant/message': (ends, { data }) => {
    ends.cut ||= data.finish === 'max-tokens'
  },
  'cancel/requested': (ends, { data }) => {
    if (data.turn !== null) ends.cause = data.cause
  },
  'request/failed': (ends, { data, seq }) => {
    if (seq >= ends.world.born) ends.attempt(data)
  },
  'turn/end': (ends, { data, seq }) => {
    if (seq < ends.world.born) return
    ends.reason(data.reason)
    ends.parking(data)
  },
}

const labelOf = (reason: TurnReason): string => {
  if (reason.kind === 'limit') return `limit ${reason.which}`
  return reason.kind === 'error' ? `error ${reason.code}` : reason.kind
}

function isHeld({ options }: World, { kind }: TurnReason): boolean {
  if (kind !== 'blocked' && kind !== 'error') return false
  return options.continueAfter?.[kind] === false
}
