/**
 * The invariants that hold for every run, whatever was commanded: checked on a log, not on the agent.
 *
 * R1 Turns and steps nest, close once and never overlap; their numbers grow by one.
 * R2 Every call has exactly one outcome, before its step closes.
 * R3 Nothing of a turn stands behind its end.
 * R4 Every accepted message has exactly one fate: committed, discarded, replaced, uncommitted, or still pending.
 * R5 Status changes alternate.
 *
 * @module
 */
import type { StoredEvent } from '../events/event.ts'
import { placeOf } from '../projections/place-of.ts'

type Fate = 'pending' | 'claimed' | 'committed' | 'discarded' | 'uncommitted' | 'replaced'

class RunCheck {
  readonly problems: string[] = []
  readonly #fates = new Map<string, Fate>()
  readonly #open = new Set<string>()
  #lastTurn = 0
  #turn: number | undefined
  #lastStep = 0
  #step: number | undefined

  #wrong(event: StoredEvent, what: string): void {
    this.problems.push(`seq ${event.seq} ${event.type}: ${what}`)
  }

  take(event: StoredEvent): void {
    if (event.type === 'turn/start' || event.type === 'turn/end') this.#turns(event)
    else if (event.type === 'step/start' || event.type === 'step/end') this.#steps(event)
    else this.#inside(event)
    this.#calls(event)
    this.#messages(event)
  }

  #turns(event: StoredEvent<'turn/start' | 'turn/end'>): void {
    const { turn } = event.data
    const starts = event.type === 'turn/start'
    this.#expect(event, 'turn', this.#turn, starts ? undefined : turn)
    if (this.#step !== undefined) this.#wrong(event, `step ${this.#step} is open`)
    this.#turn = starts ? turn : undefined
    if (!starts) return
    if (turn !== this.#lastTurn + 1) this.#wrong(event, `follows turn ${this.#lastTurn}`)
    this.#lastTurn = turn
    this.#lastStep = 0
  }

  #steps(event: StoredEvent<'step/start' | 'step/end'>): void {
    const { turn, step } = event.data
    const starts = event.type === 'step/start'
    this.#expect(event, 'turn', this.#turn, turn)
    this.#expect(event, 'step', this.#step, starts ? undefined : step)
    this.#step = starts ? step : undefined
    if (!starts) {
      this.#closeCalls(event)
      return
    }
    if (step !== this.#lastStep + 1) this.#wrong(event, `follows step ${this.#lastStep}`)
    this.#lastStep = step
  }

  #closeCalls(event: StoredEvent): void {
    if (this.#open.size > 0) {
      this.#wrong(event, `calls without outcome: ${[...this.#open].join(', ')}`)
    }
    this.#open.clear()
  }

  #expect(event: StoredEvent, what: string, open: number | undefined, wanted?: number): void {
    if (open !== wanted) this.#wrong(event, `the open ${what} is ${open ?? 'none'}`)
  }

  /** What names a turn and a step stands in them; a decision stands behind its step. */
  #inside(event: StoredEvent): void {
    const { turn, step } = placeOf(event)
    if (event.type === 'cancel/requested' || turn === null) return
    this.#expect(event, 'turn', this.#turn, turn)
    if (event.type === 'gate/decided') this.#expect(event, 'step', this.#step)
    else if (step !== null) this.#expect(event, 'step', this.#step, step)
  }

  #calls(event: StoredEvent): void {
    if (event.type === 'assistant/message') {
      for (const block of event.data.message.content) {
        if (block.type === 'tool-call') this.#open.add(block.call.key)
      }
    }
    if (event.type === 'tool/call') this.#open.add(event.data.call.key)
    if (event.type === 'tool/result' && !this.#open.delete(event.data.call.key)) {
      this.#wrong(event, `${event.data.call.key} is not open, or has an outcome already`)
    }
  }

  #messages(event: StoredEvent): void {
    if (event.type === 'inbox/inserted') this.#insert(event, event.data.message.id)
    if (event.type === 'inbox/claimed') {
      this.#move(event, [...event.data.nextStep, ...event.data.nextTurn], 'pending', 'claimed')
    }
    if (event.type === 'inbox/discarded') this.#move(event, event.data.ids, 'pending', 'discarded')
    if (event.type === 'inbox/replaced') {
      this.#move(event, event.data.ids, 'pending', 'replaced')
      for (const message of event.data.messages) this.#insert(event, message.id)
    }
    if (event.type === 'turn/end')
      this.#move(event, event.data.uncommitted, 'claimed', 'uncommitted')
    if (event.type === 'user/message') this.#commit(event, event.data.message.id)
  }

  #insert(event: StoredEvent, id: string): void {
    const fate = this.#fates.get(id)
    if (fate === 'pending' || fate === 'claimed' || fate === 'committed')
      this.#wrong(event, `${id} is ${fate}`)
    this.#fates.set(id, 'pending')
  }

  #move(event: StoredEvent, ids: readonly string[], from: Fate, to: Fate): void {
    for (const id of ids) {
      const fate = this.#fates.get(id)
      if (fate !== from) this.#wrong(event, `${id} is ${fate ?? 'unknown'}, not ${from}`)
      this.#fates.set(id, to)
    }
  }

  /** A gate may add messages of its own: those were never inserted. */
  #commit(event: StoredEvent, id: string): void {
    const fate = this.#fates.get(id)
    if (fate !== undefined && fate !== 'claimed') this.#wrong(event, `${id} is ${fate}`)
    this.#fates.set(id, 'committed')
  }

  finish(): void {
    if (this.#turn !== undefined) this.problems.push(`turn ${this.#turn} has no end`)
    if (this.#step !== undefined) this.problems.push(`step ${this.#step} has no end`)
    for (const [id, fate] of this.#fates)
      if (fate === 'claimed') this.problems.push(`${id} has no fate`)
  }
}

/**
 * Checks the log of a run that has come to rest.
 *
 * @param statuses - the status notifications, if they were kept.
 * @returns what is wrong, in words; empty if nothing is.
 */
export function checkRun(
  events: Iterable<StoredEvent>,
  statuses: readonly string[] = [],
): string[] {
  const check = new RunCheck()
  for (const event of events) check.take(event)
  check.finish()
  const repeated = statuses.filter((status, i) => status === statuses[i - 1])
  return [...check.problems, ...repeated.map((status) => `status ${status} was announced twice`)]
}
