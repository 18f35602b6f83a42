/**
 * What a cancel forbids: nothing new in its turn, and no new turn without new input.
 *
 * @module
 */
import type { EventType, StoredEvent } from '../src/events/event.ts'
import type { World } from './fuzz-world.ts'

/** Events that nothing may append to a turn that was cancelled. */
const STARTS: ReadonlySet<string> = new Set([
  'inbox/claimed',
  'step/start',
  'request/header',
  'request/context',
  'assistant/chunk',
  'approval/asked',
  'gate/decided',
  'context/message',
])

type Seen = { readonly [T in EventType]?: (guard: CancelGuard, event: StoredEvent<T>) => void }

/** Watches the log as it grows. */
export class CancelGuard {
  readonly world: World
  /** A cancel was applied, and nobody asked for anything since. */
  stopped = false
  private stoppedAt = -1
  /** Microtasks since the claim of the open turn. */
  private passed = 0

  constructor(world: World) {
    this.world = world
  }

  see(event: StoredEvent): void {
    const turn = 'turn' in event.data ? event.data.turn : undefined
    if (typeof turn === 'number' && this.world.abortedTurns.has(turn)) this.after(event)
    const see = SEEN[event.type] as ((guard: CancelGuard, event: StoredEvent) => void) | undefined
    see?.(this, event)
  }

  opens(): void {
    const asked = !this.stopped || this.world.injectedAt > this.stoppedAt
    this.world.law(asked, 'a turn opened after a cancel without new input')
  }

  enters(step: number): void {
    const late = step > 1 || this.passed >= 2
    this.world.law(late, 'a step opened less than two microtasks after its claim')
  }

  /** Between claim and `step/start` at least two microtasks pass. */
  claims(turn: number): void {
    this.passed = 0
    const again = (left: number): void => {
      if (left === 0 || this.world.log.ledger.openTurn !== turn) return
      this.passed += 1
      queueMicrotask(() => {
        again(left - 1)
      })
    }
    queueMicrotask(() => {
      again(2)
    })
  }

  cancelled({ data, seq }: StoredEvent<'cancel/requested'>): void {
    const { world } = this
    if (data.turn !== null) {
      world.law(!world.abortedTurns.has(data.turn), 'a turn was cancelled twice')
      world.abortedTurns.add(data.turn)
    }
    this.stopped = !data.resume
    this.stoppedAt = seq
  }

  private after(event: StoredEvent): void {
    const { world } = this
    world.law(!STARTS.has(event.type), `${event.type} after the cancel of its turn`)
    const forbidden = FORBIDDEN[event.type] as ((event: StoredEvent) => boolean) | undefined
    const wrong = forbidden?.(event) === true
    world.law(!wrong, `${event.type} after the cancel of its turn, and not of its drain`)
  }
}

const SEEN: Seen = {
  'cancel/requested': (guard, event) => {
    guard.cancelled(event)
  },
  'inbox/claimed': (guard, { data }) => {
    guard.claims(data.turn)
  },
  'inbox/inserted': (guard, { data }) => {
    if (data.mark === undefined) guard.stopped = false
  },
  'inbox/replaced': (guard) => {
    guard.stopped = false
  },
  'step/start': (guard, { data }) => {
    guard.enters(data.step)
  },
  'turn/start': (guard) => {
    guard.opens()
  },
}

/** How these events may not look while an aborted turn drains. */
const FORBIDDEN: { readonly [T in EventType]?: (event: StoredEvent<T>) => boolean } = {
  'assistant/message': ({ data }) => data.interrupted !== true,
  'request/failed': ({ data }) => data.action !== 'fail',
  'approval/decided': ({ data }) => data.answer !== 'cancelled',
}
