/**
 * Random numbers that stay put: every decision of a simulation has a name, and its number follows from seed and name.
 *
 * Leaving one decision out changes no other, so a failing seed can be cut down to what it needs.
 *
 * @module
 */

/** Numbers of one decision. */
export class Dice {
  private state: number

  constructor(state: number) {
    this.state = state >>> 0
  }

  /** A number in [0, 1). The algorithm is mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let t = this.state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number in [0, n). */
  below(n: number): number {
    return Math.floor(this.next() * n)
  }

  /** True with probability `p`. */
  chance(p: number): boolean {
    return this.next() < p
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  /** Picks a key by its weight. */
  weighted<K extends string>(weights: { readonly [key in K]: number }): K {
    const entries = Object.entries(weights) as [K, number][]
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [key, weight] of entries) {
      left -= weight
      if (left < 0) return key
    }
    return (entries[0] as [K, number])[0]
  }
}

/** FNV-1a over the text, started from the seed. */
function hash(seed: number, text: string): number {
  let h = (0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1)) >>> 0
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  return (h ^ (h >>> 13)) >>> 0
}

/** All decisions of one seed. */
export class Chance {
  readonly seed: number
  /** Names of all decisions so far. */
  readonly names: string[] = []
  private readonly counts = new Map<string, number>()

  constructor(seed: number) {
    this.seed = seed
  }

  /** The name of the next decision called `label`: `label#0`, `label#1` … */
  name(label: string): string {
    const n = this.counts.get(label) ?? 0
    this.counts.set(label, n + 1)
    const name = `${label}#${n}`
    this.names.push(name)
    return name
  }

  /** Numbers of the decision with exactly this name. */
  dice(name: string): Dice {
    return new Dice(hash(this.seed, name))
  }

  /** Numbers of the next decision called `label`. */
  at(label: string): Dice {
    return this.dice(this.name(label))
  }
}
