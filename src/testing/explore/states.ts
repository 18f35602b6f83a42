/**
 * The states that are known, with the way to each: a tree of moves, whose leaves wait to be expanded.
 *
 * @module
 */
import type { Enabled } from './moves.ts'
import type { Move } from './options.ts'

/** A state that waits to be expanded. */
export interface Node {
  readonly id: number
  readonly depth: number
  readonly bare: string
  readonly enabled: Enabled
}

export class States {
  private readonly known = new Set<string>()
  private readonly parents: number[] = []
  private readonly moves: (Move | undefined)[] = []
  private waiting: Node[] = []
  private head = 0
  /** Moves of the longest path. */
  depth = 0

  get size(): number {
    return this.moves.length
  }

  /** States that wait. */
  get left(): number {
    return this.waiting.length - this.head
  }

  /** Adds a state unless it is known. @returns whether it is new. */
  add(
    whole: string,
    parent: Node | undefined,
    move: Move | undefined,
    found: Omit<Node, 'id' | 'depth'>,
  ): boolean {
    if (this.known.has(whole)) return false
    this.known.add(whole)
    const depth = parent === undefined ? 0 : parent.depth + 1
    const node = { ...found, id: this.moves.length, depth }
    this.parents.push(parent?.id ?? -1)
    this.moves.push(move)
    this.waiting.push(node)
    this.depth = Math.max(this.depth, depth)
    return true
  }

  /** The next states of one depth, at most `size`, in the order in which they were found. */
  take(size: number): readonly Node[] {
    const taken: Node[] = []
    const first = this.waiting[this.head]
    for (
      let node = first;
      node !== undefined && taken.length < size;
      node = this.waiting[this.head]
    ) {
      if (node.depth !== first?.depth) break
      taken.push(node)
      this.head += 1
    }
    if (this.head > 10_000) {
      this.waiting = this.waiting.slice(this.head)
      this.head = 0
    }
    return taken
  }

  pathTo(id: number): readonly Move[] {
    const path: Move[] = []
    for (let at = id; at > 0; at = this.parents[at] ?? 0) {
      const move = this.moves[at]
      if (move !== undefined) path.push(move)
    }
    return path.toReversed()
  }
}
