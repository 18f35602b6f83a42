/**
 * One random turn: claims, gates, attempts, calls, approvals, cancels, limits, crashes and their repair.
 *
 * @module
 */
import type { EventMap } from '../../src/events/event.ts'
import type { TurnReason } from '../../src/events/message.ts'
import type { LogWriter } from './log-writer.ts'
import { textMessage } from './log-writer.ts'
import type { RandomLife } from './random-log.ts'
import { RandomStep, type StepResult } from './random-step.ts'
import type { Tape } from './tape.ts'

const FAILURE = { code: 'SERVER', message: 'boom' }
const LIMITS = ['steps', 'attempts', 'stops', 'time', 'tokens'] as const
const PARKS = ['blocked', 'error', 'loop'] as const

export class RandomTurn {
  readonly #life: RandomLife
  readonly #log: LogWriter
  readonly #tape: Tape
  readonly #turn: number
  readonly #uncommitted = new Set<string>()
  #restores = false

  constructor(life: RandomLife) {
    this.#life = life
    this.#log = life.log
    this.#tape = life.tape
    this.#turn = life.log.ledger.lastTurn + 1
  }

  run(): void {
    const turn = this.#turn
    this.#log.put('turn/start', { turn })
    if (this.#tape.chance(15)) this.#life.edit()
    if (this.#tape.chance(7)) return this.#end({ kind: 'error', ...FAILURE })
    if (this.#tape.chance(10)) return this.#abort()
    this.#claim(this.#log.lists['next-turn'].slice(0, 1 + this.#tape.pick(2)))
    if (this.#uncommitted.size === 0) return this.#end({ kind: 'completed' })
    if (this.#tape.chance(10)) return this.#abort()
    if (this.#tape.chance(10)) return this.#end({ kind: 'blocked', by: 'gate', reason: 'no' })
    if (this.#tape.chance(10)) this.#life.compact(turn)
    this.#steps()
  }

  #claim(nextTurn: readonly string[]): void {
    for (const id of this.#log.claim(this.#turn, nextTurn)) this.#uncommitted.add(id)
  }

  #steps(): void {
    for (let number = 1; this.#step(number); number += 1) this.#claim([])
  }

  /** @returns whether another step follows; if not, the turn is closed. */
  #step(number: number): boolean {
    const step = new RandomStep(this.#life, { turn: this.#turn, step: number })
    step.open(this.#batch())
    const result = step.run()
    if (result === 'crashed') this.#crash(step)
    else if (result === 'owes' || result === 'done') return this.#goesOn(number, result)
    else this.#close(result)
    return false
  }

  #goesOn(number: number, result: 'owes' | 'done'): boolean {
    this.#decide(number)
    if (this.#tape.chance(40)) this.#life.edit()
    const more = result === 'owes' || this.#log.lists['next-step'].length > 0
    const luck = this.#tape.pick(7)
    if (more && luck < 5) return true
    if (!more) this.#close(result)
    else if (luck === 5) this.#abort()
    else this.#close('limit')
    return false
  }

  /** What the gate lets in: most of what was claimed, and now and then something of its own. */
  #batch(): EventMap['user/message']['message'][] {
    const admitted = [...this.#uncommitted].filter(() => !this.#tape.chance(10))
    for (const id of admitted) this.#uncommitted.delete(id)
    const batch = admitted.map((id) => textMessage(id))
    if (this.#tape.chance(10)) batch.push(textMessage(this.#life.freshId(), 'plugin'))
    return batch
  }

  #decide(step: number): void {
    if (!this.#tape.chance(10)) return
    const decision = this.#tape.choose(['continue', 'stop'] as const)
    this.#log.put('gate/decided', {
      turn: this.#turn,
      step,
      gate: 'continuation',
      decision,
      by: 'g',
    })
  }

  #abort(): void {
    const { restores } = this.#life.cancel(this.#turn)
    this.#restores = restores
    if (this.#tape.chance(40)) this.#life.edit()
    this.#end({ kind: 'aborted', cause: this.#life.cause })
  }

  #close(result: StepResult | 'limit'): void {
    if (result === 'aborted') this.#end({ kind: 'aborted', cause: this.#life.cause })
    else if (result === 'failed') this.#end({ kind: 'error', ...FAILURE })
    else if (result === 'cut') this.#end({ kind: 'max-tokens' })
    else if (result === 'limit') {
      this.#end({ kind: 'limit', which: this.#tape.choose(LIMITS), used: 2, allowed: 2 })
    } else this.#end({ kind: 'completed' })
  }

  #end(reason: TurnReason): void {
    const uncommitted = [...this.#uncommitted]
    const end = { turn: this.#turn, reason, uncommitted }
    const parks = this.#tape.chance(15)
    this.#log.put('turn/end', parks ? { ...end, parks: this.#tape.choose(PARKS) } : end)
    const marks = this.#restores || (reason.kind === 'blocked' && this.#tape.chance(50))
    if (reason.kind === 'interrupted') this.#putBack('recovered')
    else if (marks) this.#putBack('restored')
    this.#restores = false
  }

  /** Back to the head of the queue; a later message may have taken the id meanwhile. */
  #putBack(mark: 'restored' | 'recovered'): void {
    for (const [index, id] of [...this.#uncommitted]
      .filter((one) => this.#life.isFree(one))
      .entries()) {
      const wake = mark === 'restored' && this.#tape.chance(70)
      this.#log.insert('next-turn', index, textMessage(id), { wake, mark })
    }
    this.#uncommitted.clear()
  }

  /** The process dies. Repair comes at once, or after another process has gone on over the open turn. */
  #crash(step: RandomStep): void {
    if (this.#tape.chance(40)) {
      new RandomTurn(this.#life).run()
      for (let acts = this.#tape.pick(4); acts > 0; acts -= 1) this.#life.rest()
    }
    step.repair()
    this.#end({ kind: 'interrupted' })
  }
}
