/**
 * Random logs, made by a simulation that knows the life cycle but not the checker.
 *
 * @module
 */
import type { InboxList, NewEvent } from '../../src/events/event.ts'
import {
  answer,
  asked,
  called,
  cancelled,
  chunk,
  claimed,
  continued,
  decided,
  discarded,
  inserted,
  moved,
  replaced,
  requestFailed,
  result,
  settled,
  stepEnd,
  stepStart,
  turnEnd,
  turnStart,
  user,
} from './sample.ts'

/** Draws a whole log; `pick(n)` answers with one of 0..n-1. */
export class Simulation {
  readonly events: NewEvent[] = []
  private readonly pick: (n: number) => number
  private readonly lists: Record<InboxList, string[]> = { 'next-turn': [], 'next-step': [] }
  private ids = 0

  constructor(pick: (n: number) => number) {
    this.pick = pick
  }

  run(turns: number): NewEvent[] {
    for (let turn = 1; turn <= turns; turn++) this.turn(turn)
    this.edit()
    return this.events
  }

  private turn(turn: number): void {
    this.edit()
    this.events.push(turnStart(turn))
    const open = this.claim(turn)
    const steps = this.pick(3)
    for (let step = 1; step <= steps; step++) this.step(turn, step, open)
    this.events.push(turnEnd(turn, open, { kind: 'error', code: 'UNKNOWN', message: 'simulated' }))
  }

  private claim(turn: number): string[] {
    const nextStep = this.lists['next-step'].splice(0)
    const nextTurn = this.lists['next-turn'].splice(0, 1)
    this.events.push(claimed(turn, nextTurn, nextStep))
    return [...nextStep, ...nextTurn]
  }

  private step(turn: number, step: number, open: string[]): void {
    const at = `${turn}.${step}`
    if (step > 1) open.push(...this.claim(turn))
    this.events.push(stepStart(at))
    const batch = this.pick(3) === 0 ? [] : open.splice(0)
    for (const id of batch) this.events.push(user(at, id))
    const attempts = 1 + this.pick(2)
    for (let attempt = 1; attempt < attempts; attempt++)
      this.events.push(chunk(at, 'a', attempt), requestFailed(at, 'retry', attempt))
    this.events.push(chunk(at, 'b', attempts))
    this.edit()
    this.answer(at)
    this.events.push(stepEnd(at))
    if (this.pick(2) === 0) this.events.push(continued(at))
  }

  private answer(at: string): void {
    const calls = this.pick(4)
    this.events.push(answer(at, calls))
    const waiting: number[] = []
    for (let index = 0; index < calls; index++) {
      if (this.pick(3) === 0) this.events.push(asked(at, index), decided(at, 'allow', index))
      this.events.push(called(at, index))
      waiting.push(index)
      this.edit()
    }
    for (const index of waiting) {
      if (this.pick(2) === 0) this.events.push(settled(at, index))
    }
    for (const index of waiting) this.events.push(result(at, index))
  }

  /** One edit of the inbox, or none. */
  private edit(): void {
    const edits = [
      () => this.insert(),
      () => this.discard(),
      () => this.replace(),
      () => this.move(),
      () => this.cancel(),
      () => {},
    ]
    edits[this.pick(edits.length)]?.()
  }

  private list(): InboxList {
    return this.pick(2) === 0 ? 'next-turn' : 'next-step'
  }

  private insert(): void {
    const list = this.list()
    const index = this.pick(this.lists[list].length + 1)
    const id = `m${this.ids++}`
    this.lists[list].splice(index, 0, id)
    this.events.push(inserted(id, list, index))
  }

  private discard(): void {
    const list = this.list()
    const ids = this.lists[list].splice(0, 1 + this.pick(2))
    if (ids.length > 0) this.events.push(discarded(...ids))
  }

  private replace(): void {
    const list = this.list()
    if (this.lists[list].length === 0) return
    const index = this.pick(this.lists[list].length)
    const fresh = this.pick(2) === 0 ? [`m${this.ids++}`] : [`m${this.ids++}`, `m${this.ids++}`]
    const old = this.lists[list].splice(index, 1, ...fresh)
    this.events.push(replaced(old, fresh, list, index))
  }

  private move(): void {
    const from = this.list()
    const to = this.list()
    const id = this.lists[from].shift()
    if (id === undefined) return
    const index = this.pick(this.lists[to].length + 1)
    this.lists[to].splice(index, 0, id)
    this.events.push(moved(id, from, to, index))
  }

  private cancel(): void {
    const ids = [...this.lists['next-step'].splice(0), ...this.lists['next-turn'].splice(0)]
    if (ids.length === 0) return
    this.events.push(discarded(...ids), cancelled(null, ...ids))
  }
}
