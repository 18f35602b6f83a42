/**
 * What waits for the explorer: decisions of gates, tools, models and writes that are pending, by name.
 *
 * @module
 */
import { TurnwiseError } from '../../errors.ts'
import type { Answers, DecideOptions } from './options.ts'

/** A decision that waits. */
export interface Pending {
  readonly name: string
  readonly answers: readonly string[]
  readonly times: { readonly [answer: string]: number }
  /** The turn that was open when it was asked. */
  readonly turn: number | null
  aborted: boolean
  readonly settle: (answer: string) => void
}

/** What polite code rejects with when its signal aborts. */
class DecisionAborted extends Error {
  override readonly name = 'AbortError'
}

/** What the decisions of a run tell it. */
export interface DecisionOwner {
  readonly openTurn: number | null
  changed(): void
  visit(place: string): void
  /** A signal was handed out. @returns what to call when it aborts. */
  watchSignal(): () => void
}

const NO_TIMES = Object.freeze({})

/** The decisions of one run. */
export class Decisions {
  private readonly owner: DecisionOwner
  private pending: Pending[] = []

  constructor(owner: DecisionOwner) {
    this.owner = owner
  }

  /** Those that wait, with a name of their own each: the second of a kind is `name #2`. */
  get waiting(): readonly { readonly label: string; readonly pending: Pending }[] {
    const seen = new Map<string, number>()
    return this.pending.map((pending) => {
      const nth = (seen.get(pending.name) ?? 0) + 1
      seen.set(pending.name, nth)
      return { label: nth === 1 ? pending.name : `${pending.name} #${nth}`, pending }
    })
  }

  settle(label: string, answer: string): void {
    const found = this.waiting.find((each) => each.label === label)
    if (found?.pending.answers.includes(answer) !== true) {
      const waits = this.waiting.map((each) => each.label).join(', ') || 'nothing'
      throw new TurnwiseError(
        'INVALID_OPTION',
        `expected a move that can be made, but no decision ${label} waits for the answer ${answer}: found ${waits} waiting; no further move was made. The run has become another one: explore again.`,
      )
    }
    found.pending.settle(answer)
  }

  /** Waits for the explorer. */
  decide<T>(name: string, answers: Answers<T>, options: DecideOptions = {}): Promise<T> {
    const { owner } = this
    const { signal, deaf = false, times = NO_TIMES } = options
    owner.changed()
    return new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        this.pending = this.pending.filter((other) => other !== pending)
      }
      const pending: Pending = {
        name,
        answers: Object.keys(answers),
        times,
        turn: owner.openTurn,
        aborted: signal?.aborted === true,
        settle: (answer) => {
          leave()
          const value = answers[answer] as T | Error
          if (value instanceof Error) reject(value)
          else resolve(value)
        },
      }
      this.pending.push(pending)
      if (signal === undefined) return
      const giveUp = (): void => {
        if (deaf) return
        leave()
        reject(new DecisionAborted(`${name} was aborted`))
      }
      if (pending.aborted) giveUp()
      else this.follow(signal, pending, giveUp)
    })
  }

  private follow(signal: AbortSignal, pending: Pending, giveUp: () => void): void {
    const { owner } = this
    const aborted = owner.watchSignal()
    signal.addEventListener('abort', () => {
      aborted()
      pending.aborted = true
      if (!this.pending.includes(pending)) return
      owner.visit(`abort of ${pending.name}`)
      giveUp()
    })
  }
}
