/**
 * The places inside one move, in the order in which they come, and what is to happen at one of them.
 *
 * @module
 */
import type { Move } from './options.ts'

/** What is to happen inside a move. */
type Inside = Pick<Move, 'inside' | 'refuse'>

/** Names of the same kind in order: `told inserted`, `told inserted #2`. */
class Numbered {
  readonly names: string[] = []
  private readonly counts = new Map<string, number>()

  next(name: string): string {
    const nth = (this.counts.get(name) ?? 0) + 1
    this.counts.set(name, nth)
    const numbered = nth === 1 ? name : `${name} #${nth}`
    this.names.push(numbered)
    return numbered
  }
}

export class Places {
  private readonly plan: Inside
  /** How much of what was to happen has happened. */
  private issued = 0
  private refused = false
  private readonly places = new Numbered()
  private readonly appended = new Numbered()

  private readonly counting: boolean

  /** @param watch - all names are wanted. Where nothing is to happen and nobody asks, none is made. */
  constructor(plan: Inside, watch = false) {
    this.plan = plan
    this.counting = watch || plan.inside !== undefined || plan.refuse !== undefined
  }

  /** Places so far. */
  get names(): readonly string[] {
    return this.places.names
  }

  /** Appends so far. */
  get appends(): readonly string[] {
    return this.appended.names
  }

  /** What was to happen, and has not; undefined if all has. */
  get missing(): string | undefined {
    const { inside, refuse } = this.plan
    return inside?.[this.issued]?.at ?? (this.refused ? undefined : refuse)
  }

  /** @returns the command that is issued here. */
  come(place: string): string | undefined {
    if (!this.counting) return undefined
    const next = this.plan.inside?.[this.issued]
    if (this.places.next(place) !== next?.at) return undefined
    this.issued += 1
    return next.issue
  }

  /** @returns whether this append is refused. */
  append(type: string): boolean {
    if (!this.counting) return false
    const refused = this.appended.next(type) === this.plan.refuse
    this.refused ||= refused
    return refused
  }
}
